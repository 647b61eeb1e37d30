// Sets of addresses as texts name them: literals, and the aliases and ipsets of policies. Must not live here: who has an address.

/**
 * The ranges of an address, prefix or range; none for other texts. A range is `{ version, first, last }`.
 */
export function rangesOf(text) {
  const [from, to = from] = text.split('-')
  const [first, last] = [spanOf(from), spanOf(to)]
  return first === undefined || last === undefined || first.version !== last.version ? [] : [{ ...first, last: last.last }]
}

const ADDRESS = /^(?<address>\d+(\.\d+){3}|[\da-f]*:[\da-f:.]+)(\/(?<length>\d+))?$/i

function spanOf(text) {
  const { address, length } = ADDRESS.exec(text)?.groups ?? {}
  if (address === undefined) return undefined
  const [version, bits] = address.includes(':') ? [6, 128] : [4, 32]
  const size = 1n << BigInt(bits - Number(length ?? bits))
  const first = (numberOf(address) / size) * size
  return { version, first, last: first + size - 1n }
}

/** An address as a number. The last four bytes of IPv6 may be written as IPv4. */
function numberOf(address) {
  if (!address.includes(':')) return address.split('.').reduce((all, part) => all * 256n + BigInt(part), 0n)
  const groups = (text) => text.split(':').flatMap((part) => (part.includes('.') ? pairsOf(part) : part === '' ? [] : [BigInt(`0x${part}`)]))
  const [head, tail = ''] = address.split('::')
  const [start, end] = [groups(head), groups(tail)]
  return [...start, ...Array(8 - start.length - end.length).fill(0n), ...end].reduce((all, group) => all * 65536n + group, 0n)
}

function pairsOf(address) {
  const number = numberOf(address)
  return [number >> 16n, number & 0xffffn]
}

/** Whether two lists of ranges have an address in common. */
export const overlap = (some, others) =>
  some.some((one) => others.some((other) => one.version === other.version && one.first <= other.last && other.first <= one.last))

/** The ranges without what others hold. */
export const without = (ranges, others) =>
  others.reduce(
    (left, { version, first, last }) =>
      left.flatMap((one) => {
        if (one.version !== version || last < one.first || one.last < first) return [one]
        return [
          { ...one, last: first - 1n },
          { ...one, first: last + 1n },
        ].filter((rest) => rest.first <= rest.last)
      }),
    ranges,
  )

/** The ranges of the aliases and ipsets of a policy, an object as `policy.toJSON` gives it, by name. */
export function setsOf({ hosts = {}, ipsets = {} }) {
  const sets = new Map(Object.entries(hosts).map(([name, address]) => [name, rangesOf(String(address))]))
  const named = (name) => sets.get(name) ?? (name in ipsets ? ipset(name) : rangesOf(name))
  const ipset = (name) => {
    // What names itself has nothing from itself.
    sets.set(name, [])
    let ranges = []
    for (const text of [ipsets[name]].flat()) {
      const [, operation, operand] = /^\s*(?:(add|remove)\s+)?(.*?)\s*$/.exec(String(text))
      const own = named(operand.replace(/^host:/, ''))
      ranges = operation === 'remove' ? without(ranges, own) : ranges.concat(own)
    }
    sets.set(name, ranges)
    return ranges
  }
  for (const name of Object.keys(ipsets)) named(name)
  return sets
}
