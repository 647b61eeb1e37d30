// What is open between two, as a part of a line: ports, and the postures and routers without which it is not. Must not live here: who
// reaches whom.

/** `22,443`, and where a part of it needs something, `443; 22 with posture:edr via tag:router`. `ports` is the short form of all of `opens`. */
export function opening({ opens, ports = [short(opens)] }) {
  const groups = new Map()
  for (const open of opens) {
    const needs = needing(open)
    groups.set(needs, [...(groups.get(needs) ?? []), open])
  }
  if (groups.size < 2) return `${ports.join(',')}${[...groups.keys()].join('')}`
  return [...groups].map(([needs, opens]) => `${short(opens)}${needs}`).join('; ')
}

/** What a rule or an opening needs, any one of each kind: ` with posture:a or posture:b via tag:router`. */
export function needing({ postures = [], via = [] }) {
  const one = (word, names) => (names.length > 0 ? ` ${word} ${names.join(' or ')}` : '')
  return `${one('with', postures)}${one('via', via)}`
}

/** What is enough in place of it, any one: ` with posture:a or via tag:router or with posture:c via tag:other`. */
export const enough = ({ postures, via, both = [] }) => [{ postures }, { via }, ...both].map(needing).filter(Boolean).join(' or')

/** The ports of some openings; ping is part of each, and said only where it is all. */
function short(opens) {
  const of = (name) => opens.find(({ proto }) => proto === name)?.ports
  const isBoth = of('tcp') !== undefined && of('tcp') === of('udp')
  const rest = opens.filter(({ proto }) => proto !== 'ping' && !(isBoth && ['tcp', 'udp'].includes(proto)))
  const named = rest.flatMap(({ proto, ports }) => ports.split(',').map((range) => `${proto}:${range}`))
  return [...(isBoth ? [of('tcp')] : []), ...named].join(',') || 'ping'
}

/** How many names of a part are said. */
const NAMED = 4

/** The part of source and destination that a cell is about, where not all of both: ` (only from laptop; only to 10.1.0.0/16)`. */
export function meant({ part = {} }) {
  const side = (word, names = []) => {
    const more = names.length - NAMED
    const only = names[0]?.startsWith('all but ') ? '' : 'only '
    return names.length > 0 ? [`${only}${word} ${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`] : []
  }
  const sides = [...side('from', part.from), ...side('to', part.to)]
  return sides.length > 0 ? ` (${sides.join('; ')})` : ''
}
