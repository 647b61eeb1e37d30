// Arithmetic on the words of a cell: single ports, ranges of ports, all of them, and words that are no ports. Must not live here: how they are shown.

/** What holds for a part of a source or destination alone ends with this. */
export const PART = ' in part'

const [EVERYTHING, LAST] = ['*', 65_535]
const RANGE = /^(\d+)(?:-(\d+))?$/

/** A range as its first and last port; nothing for a word that is none. */
function range(word) {
  if (word === EVERYTHING) return [0, LAST]
  const [found, first, last = first] = RANGE.exec(word) ?? []
  return found && [Number(first), Number(last)]
}

const written = ([first, last]) => (first === 0 && last === LAST ? EVERYTHING : first === last ? `${first}` : `${first}-${last}`)

/** What a range keeps where another one goes. */
const cut = ([first, last], [from, to]) =>
  to < first || last < from
    ? [[first, last]]
    : [
        [first, from - 1],
        [to + 1, last],
      ].filter(([low, high]) => low <= high)

/** What these words have and those lack. What holds in part is covered by the same as a whole, and covers nothing. */
export function without(words, others) {
  if (others.includes(EVERYTHING)) return []
  const ranges = others.map(range).filter(Boolean)
  return words.flatMap((word) => {
    const own = range(word)
    if (!own) return others.includes(word) || others.includes(word.replace(PART, '')) ? [] : [word]
    return ranges.reduce((left, other) => left.flatMap((one) => cut(one, other)), [own]).map(written)
  })
}
