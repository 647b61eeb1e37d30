// What a cell of the matrix says. Must not live here: how it is drawn.

/** The names of a party in short: the first, and how many more. */
export const short = ({ names: [first, ...more] }) => (more.length > 0 ? `${first} +${more.length}` : first)

const PART = ' in part'
/** Everything is a word; what holds in part has that at its end. */
const said = (own) => (word) => word.replace(/^\*/, own ? 'own' : 'all')

/** The last port, and a range of ports or one port. */
const LAST = 65_535
const RANGE = /^(\d+)(?:-(\d+))?$/

/** The ports that ascending ranges leave out; nothing where one of them is no such range. */
function beside(ranges) {
  const [left, found] = [[], ranges.map((range) => RANGE.exec(range))]
  if (!found.every(Boolean)) return []
  let next = 0
  for (const [, from, to = from] of [...found, [null, LAST + 1]]) {
    if (Number(from) > next) left.push(next === from - 1 ? `${next}` : `${next}-${from - 1}`)
    next = Number(to) + 1
  }
  return left
}

/** What many cells share is worked out once. */
function once(work) {
  const known = new WeakMap()
  return (place) => {
    if (!known.has(place)) known.set(place, work(place))
    return known.get(place)
  }
}

/** The words of a cell, each with what they are: what is lost, gained, undecided, or as before. */
const cellWords = once(({ words, gained, lost, undecided, own }) => {
  const all = said(own)
  const before = words.length === 1 && words[0] === '*' && lost.length === 0 && gained.length > 0 ? beside(gained) : []
  if (before.length > 0) return [{ kind: 'gained', words: `${before.join(' ')} → ${all('*')}` }]
  const same = words.filter((word) => !gained.includes(word) && !(gained.includes('*') && word !== '*'))
  // What holds in part stands together, and is called that once.
  const parts = same.filter((word) => word.endsWith(PART))
  const whole = same.filter((word) => !parts.includes(word))
  const inPart = parts.map((word, index) => (index < parts.length - 1 ? word.slice(0, -PART.length) : word))
  return [
    ...lost.map((word) => ({ kind: 'lost', words: `−${all(word)}` })),
    ...gained.map((word) => ({ kind: 'gained', words: `+${all(word)}` })),
    ...(undecided.length > 0 ? [{ kind: 'undecided', words: '?' }] : []),
    ...[...whole, ...inPart].map((word) => ({ kind: 'same', words: all(word) })),
  ]
})

/** Ports by the names of what usually listens there. */
const PORTS = {
  22: 'ssh',
  25: 'smtp',
  53: 'dns',
  80: 'http',
  123: 'ntp',
  389: 'ldap',
  443: 'https',
  445: 'smb',
  636: 'ldaps',
  3306: 'mysql',
  3389: 'rdp',
  5432: 'postgres',
  6379: 'redis',
  27017: 'mongodb',
}

/** A word with a port by its name; ranges stay numbers. */
const portNamed = (word) => word.replace(/(?<![\w-])\d+(?![\w-])/, (port) => PORTS[port] ?? port)

/** The words of a cell as they are shown: with the names of ports where somebody wants them. */
export const shownWords = (place, isNamed) => (isNamed ? cellWords(place).map(({ kind, words }) => ({ kind, words: portNamed(words) })) : cellWords(place))

/** What a cell is on the whole, for its colour: the gravest. */
export const stateOf = (place) =>
  place === undefined
    ? 'none'
    : place.lost.length > 0
      ? 'lost'
      : place.gained.length > 0
        ? 'gained'
        : place.undecided.length > 0
          ? 'undecided'
          : place.words.includes('*') && !place.own
            ? 'all'
            : 'some'

const listed = (of, words) => words.map((word) => word.replace(/^\*/, of === 'ports' ? 'all ports' : 'every account')).join(', ')

/** A cell as a sentence. */
export function sentence(of, row, column, place) {
  const pair = `${short(row)} → ${short(column)}`
  if (place === undefined) return `${pair}: nothing`
  const { words, gained, lost, undecided, wider, own, why, conditions, always, today } = place
  const parts = [
    words.length > 0 ? `${listed(of, words)}${own ? ' of own devices' : ''}` : lost.length > 0 ? 'nothing any more' : '',
    lost.length > 0 && `lost: ${listed(of, lost)}`,
    gained.length > 0 && `gained: ${listed(of, gained)}`,
    undecided.length > 0 && `undecided: ${listed(of, undecided)}${why ? `, ${why}` : ''}`,
    conditions && `${always ? 'some of it ' : ''}only with ${conditions.join(' or ')}`,
    wider && `via the broader ${wider}`,
    today && `nobody today: ${today}`,
  ]
  return `${pair}: ${parts.filter(Boolean).join('; ')}`
}
