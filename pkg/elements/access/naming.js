// Who reaches what under a text, also for names that only another text has: a wider rule may still let them through. Must not live here: how two matrices
// are compared.

import { policy } from '../common/engine.js'

/** A matrix has the names of the rules. A grant of this app capability alone adds names and opens no port; one from this empty group opens ports for nobody. */
const [NOTHING, NOBODY] = [{ 'example.com/cap/nothing': [{}] }, 'group:nobody-of-another-text']

/** The same policy with rules that name these too. A name that the policy does not define means what it means in the other text. */
function naming(text, other, { sources, destinations }) {
  const [own, theirs] = [policy.toJSON(text), policy.toJSON(other)]
  const tags = [...sources, ...destinations].filter((name) => name.startsWith('tag:')).map((name) => [name, []])
  const grants = []
  if (sources.length > 0) grants.push({ src: sources, dst: ['*'], app: NOTHING })
  if (destinations.length > 0) grants.push({ src: [NOBODY], dst: destinations, ip: ['*'] })
  const all = { ...own, grants: [...(own.grants ?? []), ...grants] }
  // A policy without rules opens everything; the added grants would end that.
  if (!own.acls && !own.grants) all.acls = [{ action: 'accept', src: ['*'], dst: ['*:*'] }]
  return {
    ...all,
    groups: { ...theirs.groups, ...own.groups, [NOBODY]: [] },
    hosts: { ...theirs.hosts, ...own.hosts },
    tagOwners: { ...Object.fromEntries(tags), ...own.tagOwners },
    ipsets: { ...theirs.ipsets, ...own.ipsets },
  }
}

/**
 * The matrix of a text with these names of another one added. Its rules are those of the text, with their lines; the added ones are left out. Throws
 * where the text allows no such name.
 */
export function accessNaming(text, own, other, names, context) {
  const all = policy.access(naming(text, other, names), context)
  const lines = new Map([...own.cells, ...own.unknown].flatMap(({ because }) => because.map((ref) => [`${ref.section} ${ref.index}`, ref])))
  const wanted = { sources: new Set([...own.sources, ...names.sources]), destinations: new Set([...own.destinations, ...names.destinations]) }
  const kept = (cells) =>
    cells
      .filter(({ source, destination }) => wanted.sources.has(all.sources[source]) && wanted.destinations.has(all.destinations[destination]))
      .map((cell) => ({ ...cell, because: cell.because.flatMap(({ section, index }) => lines.get(`${section} ${index}`) ?? []) }))
  return { ...all, cells: kept(all.cells), unknown: kept(all.unknown) }
}
