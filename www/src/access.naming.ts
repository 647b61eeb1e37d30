// Who reaches what under a text, for names of another text too, so that the pictures of both have the same rows and columns.
// Must not live here: how two pictures are compared.
import { type AccessMatrix, type AclPolicy, type PolicyContext, policy } from 'tailnet-kit/slim'

/** Names that a text lacks, and the text (`of`) that has them. */
export interface Lacking {
  sources: string[]
  destinations: string[]
  of: string
}

/** The parts of a parsed text that matter here. */
interface Parsed {
  groups?: Record<string, string[]>
  hosts?: Record<string, string>
  tagOwners?: Record<string, string[]>
  ipsets?: Record<string, string[]>
  acls?: unknown[]
  grants?: unknown[]
}

/** The names that the matrix `own` lacks and `other` has; `of` is the text of `other`. */
export function lacking(own: AccessMatrix, other: AccessMatrix, of: string): Lacking | undefined {
  const beyond = (side: 'sources' | 'destinations') => {
    const names = new Set(own[side])
    return other[side].filter((name) => !names.has(name))
  }
  const [sources, destinations] = [beyond('sources'), beyond('destinations')]
  return sources.length || destinations.length ? { sources, destinations, of } : undefined
}

/** A matrix has the names of the rules. A grant of this app capability alone adds names and opens no port; one from this empty group opens ports for nobody. */
const [NOTHING, NOBODY] = [{ 'example.com/cap/nothing': [{}] }, 'group:nobody-of-another-text']

/** The same policy with rules that name these too. A name that the policy does not define means what it means in the other text. */
function naming(text: string, { sources, destinations, of }: Lacking): Parsed {
  const [own, other] = [policy.toJSON(text) as Parsed, policy.toJSON(of) as Parsed]
  const names = [...sources, ...destinations]
  const tags = names.filter((name) => name.startsWith('tag:')).map((name): [string, string[]] => [name, []])
  const grants = []
  if (sources.length) grants.push({ src: sources, dst: ['*'], app: NOTHING })
  if (destinations.length) grants.push({ src: [NOBODY], dst: destinations, ip: ['*'] })
  const all = { ...own, grants: [...(own.grants ?? []), ...grants] }
  // A policy without rules opens everything; the added grants would end that.
  if (!own.acls && !own.grants) all.acls = [{ action: 'accept', src: ['*'], dst: ['*:*'] }]
  return {
    ...all,
    groups: { ...other.groups, ...own.groups, [NOBODY]: [] },
    hosts: { ...other.hosts, ...own.hosts },
    tagOwners: { ...Object.fromEntries(tags), ...own.tagOwners },
    ipsets: { ...other.ipsets, ...own.ipsets },
  }
}

/** The matrix of a text with these names added. Its rules are those of the text, with their lines; the added ones are left out. */
export function accessNaming(text: string, names: Lacking, context?: PolicyContext): AccessMatrix {
  const own = policy.access(text, context)
  const all = policy.access(naming(text, names) as AclPolicy, context)
  const lines = new Map(own.cells.flatMap(({ because }) => because.map((ref) => [`${ref.section} ${ref.index}`, ref])))
  const [wanted, reached] = [new Set([...own.sources, ...names.sources]), new Set([...own.destinations, ...names.destinations])]
  const kept = (cells: AccessMatrix['cells']) =>
    cells
      .filter(({ source, destination }) => wanted.has(all.sources[source] ?? '') && reached.has(all.destinations[destination] ?? ''))
      .map((cell) => ({ ...cell, because: cell.because.flatMap(({ section, index }) => lines.get(`${section} ${index}`) ?? []) }))
  return { ...all, cells: kept(all.cells), unknown: kept(all.unknown) }
}
