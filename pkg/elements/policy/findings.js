// The verdict on a policy in words, and its findings as a list: what refuses it first, findings of one kind as one. Must not live here: how they are drawn.

const RANKS = { error: 0, warning: 1, info: 2 }

const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`

/** One sentence on a text. */
export function verdict({ accepted, message, issues, tests }) {
  const warnings = issues.filter(({ severity }) => severity === 'warning').length
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (accepted) return `Would be accepted${warnings > 0 ? `, with ${counted(warnings, 'warning', 'warnings')}` : ''}`
  const failed = tests.results.filter(({ passed }) => !passed).length
  if (failed > 0 && errors.every(({ code }) => code === 'test_failed'))
    return `Would be refused: ${failed} of ${counted(tests.results.length, 'test', 'tests')} ${failed === 1 ? 'fails' : 'fail'}`
  return `Would be refused: ${message}`
}

const WANTED = /^address "(.*)": want: (Accept|Drop), got: (?:Accept|Drop)$/

/** What a test that fails asks for, as far as it is about ports. */
function asked({ src, line, errors }) {
  const wants = errors.map((error) => WANTED.exec(error))
  if (wants.length === 0 || wants.includes(null)) return undefined
  const about = (want, words) => {
    const list = wants.filter(([, , wanted]) => wanted === want).map(([, address]) => address)
    return list.length > 0 ? [`${src} ${words} ${list.join(', ')}`] : []
  }
  const must = [...about('Accept', 'must reach'), ...about('Drop', 'must not reach')]
  return `${must.join('; ')} (test, line ${line}): ${wants.some(([, , want]) => want === 'Accept') ? 'it does not' : 'it does'}.`
}

/** The findings by kind, the worst first: each with its words, its hint, and its places. */
export function findings({ issues, tests }) {
  const failed = new Map(tests.results.filter(({ passed, section }) => !passed && section === 'tests').map((test) => [test.line, asked(test)]))
  const listed = issues.map((issue) => {
    const words = issue.code === 'test_failed' ? failed.get(issue.line) : undefined
    return { severity: issue.severity, code: issue.code, words: words ?? issue.message, detail: words && issue.message, hint: issue.hint, places: [issue] }
  })
  const kinds = new Map()
  for (const finding of listed) {
    const key = finding.severity === 'error' ? finding : finding.code
    const same = kinds.get(key)
    if (same) same.places.push(...finding.places)
    else kinds.set(key, finding)
  }
  return [...kinds.values()].sort((one, other) => RANKS[one.severity] - RANKS[other.severity])
}
