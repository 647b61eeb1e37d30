// A failing test of a policy in plain words. Must not live here: how it is run, where it is shown.

const WANTED = /^address "(.*)": want: (Accept|Drop), got: (?:Accept|Drop)$/

/** What a test that fails asks for, and that it is not so; undefined where it fails for more than what reaches what. */
export function failure({ src, errors }) {
  const wants = errors.map((error) => WANTED.exec(error))
  if (wants.length === 0 || wants.includes(null)) return undefined
  const about = (want, words, but) => {
    const list = wants.filter(([, , wanted]) => wanted === want).map(([, address]) => address)
    return list.length > 0 ? [`${src} ${words} ${list.join(', ')}, ${but}`] : []
  }
  return [...about('Accept', 'must reach', 'but does not'), ...about('Drop', 'must not reach', 'but does')].join('; ')
}
