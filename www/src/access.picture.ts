// The picture of who reaches what as a table of few rows: equal rows and columns are one, and gains and losses are marked.
// Must not live here: how access is decided; how the picture is drawn.
import type { AccessCell, AccessMatrix, Opening, PartyKind, RuleRef } from 'tailnet-kit/slim'

/** Names that have the same cells, so that one row or column shows all of them. */
export interface Party {
  kind: PartyKind
  names: string[]
}

/** What the parties of a row reach at those of a column. */
export interface Place {
  /** What is open under the edited text, as in a cell of a matrix. */
  ports: string[]
  gained: string[]
  lost: string[]
  /** The wider selector through which it is open. */
  wider?: string
  because: RuleRef[]
  /** Each of the parties reaches itself only. */
  own?: boolean
  /** The text and the devices do not decide it. */
  unknown?: boolean
}

export interface Picture {
  rows: Party[]
  columns: Party[]
  /** What a row reaches at a column, both given by their index. */
  at(row: number, column: number): Place | undefined
}

/** What a picture shows, and how. */
export interface Wanted {
  /** Only sources whose names contain these words, regardless of case. */
  who: string
  what: string
  /** Whether equal rows and columns become one. */
  grouped: boolean
}

const KINDS: PartyKind[] = [
  'user',
  'tag',
  'group',
  'autogroup',
  'host',
  'device',
  'address',
  'prefix',
  'range',
  'ipset',
  'service',
  'domain',
  'subnet',
  'internet',
  'any',
]

/** Ports as ranges, by the protocol and the postures of the opening. */
function ranges(opens: Opening[]): Map<string, [number, number][]> {
  const of = new Map<string, [number, number][]>()
  for (const { proto, ports, postures = [] } of opens) {
    const key = [proto, ...postures].join(' ')
    const parts = (ports === '*' ? '0-65535' : ports).split(',').map((part) => part.split('-').map(Number) as [number, number?])
    of.set(key, [...(of.get(key) ?? []), ...parts.map(([from, to = from]): [number, number] => [from, to])])
  }
  return of
}

/** What `opens` has and `others` has not, in the words of a cell. */
function beyond(opens: Opening[], others: Opening[]): string[] {
  const [mine, theirs] = [ranges(opens), ranges(others)]
  const left = [...mine].flatMap(([key, parts]) => {
    const rest = (theirs.get(key) ?? []).reduce(
      (kept, [from, to]) =>
        kept
          .flatMap(([a, b]): [number, number][] => [
            [a, Math.min(b, from - 1)],
            [Math.max(a, to + 1), b],
          ])
          .filter(([a, b]) => a <= b),
      parts,
    )
    return rest.map(([a, b]) => ({ key, ports: a === 0 && b === 65535 ? '*' : a === b ? `${a}` : `${a}-${b}` }))
  })
  const said = left.filter(({ key }) => key !== 'ping')
  const both = (ports: string) => ['tcp', 'udp'].every((key) => said.some((part) => part.key === key && part.ports === ports))
  const words = said.map(({ key, ports }) => (/^(tcp|udp)$/.test(key) && both(ports) ? ports : `${key}:${ports}`))
  return [...new Set(words.length ? words : left.length ? ['ping'] : [])]
}

/** The cells of one pair as one: what only a part of its source or destination has is marked so. */
function joined(cells: AccessCell[]): AccessCell | undefined {
  const [first, ...others] = cells
  if (first === undefined || (others.length === 0 && !first.part)) return first
  const ports = new Set(cells.flatMap(({ ports, part }) => (part ? ports.map((port) => `${port} in part`) : ports)))
  return { ...first, ports: [...ports], opens: cells.flatMap(({ opens }) => opens), because: cells.flatMap(({ because }) => because) }
}

/** Every pair that has access, had it, or may have it, by both names. A pair with a name that one of the matrices lacks shows no gain and no loss. */
function pairs(now: AccessMatrix, before: AccessMatrix): Map<string, Map<string, Place>> {
  const found = new Map<string, Map<string, Place>>()
  const put = (source = '', destination = '', place: Place) => {
    if (!found.has(source)) found.set(source, new Map())
    found.get(source)?.set(destination, place)
  }
  const index = ({ sources, destinations, cells }: AccessMatrix) => {
    const pairs = Map.groupBy(cells, (cell) => `${sources[cell.source]}\n${destinations[cell.destination]}`)
    return new Map([...pairs].map(([key, cells]) => [key, joined(cells)]))
  }
  const names = [now, before].map(({ sources, destinations }) => [new Set(sources), new Set(destinations)] as const)
  const inBoth = (source: string, destination: string) => names.every(([sources, destinations]) => sources.has(source) && destinations.has(destination))
  const compare = (comparable: boolean, cell?: AccessCell, old?: AccessCell): Place => {
    const { ports = [], because = [], opens = [] } = cell ?? {}
    const [were, wider] = [old?.opens ?? [], (cell ?? old)?.wider]
    if (!comparable) return { ports, gained: [], lost: [], wider, because, unknown: !cell }
    return { ports, gained: beyond(opens, were), lost: beyond(were, opens), wider, because }
  }
  const [current, past] = [index(now), index(before)]
  for (const key of new Set([...current.keys(), ...past.keys()])) {
    const [source = '', destination = ''] = key.split('\n')
    const place = compare(inBoth(source, destination), current.get(key), past.get(key))
    if (place.ports.length || place.lost.length || place.unknown) put(source, destination, place)
  }
  for (const cell of now.unknown) {
    const [source = '', destination = ''] = [now.sources[cell.source], now.destinations[cell.destination]]
    const { ports, because, wider } = cell
    if (!found.get(source)?.has(destination)) put(source, destination, { ports, gained: [], lost: [], because, wider, unknown: true })
  }
  return found
}

/** The names of one side, sorted by kind and then by name: an order that does not change while somebody types. */
function parties(side: 'sources' | 'destinations', matrices: AccessMatrix[], taken: (name: string) => boolean): Party[] {
  const kinds = new Map(matrices.flatMap((matrix) => matrix.parties[side].map(({ kind }, index) => [matrix[side][index] ?? '', kind] as const)))
  const order = ([a, kindA]: [string, PartyKind], [b, kindB]: [string, PartyKind]) => KINDS.indexOf(kindA) - KINDS.indexOf(kindB) || (a < b ? -1 : 1)
  return [...kinds]
    .filter(([name]) => taken(name))
    .sort(order)
    .map(([name, kind]) => ({ kind, names: [name] }))
}

/** Joins parties of the same kind whose `sign` is the same. */
function together(all: Party[], sign: (name: string) => string): Party[] {
  const groups = Map.groupBy(all, ({ kind, names: [name = ''] }) => `${kind} ${sign(name)}`)
  return [...groups.values()].map((alike) => ({ kind: alike[0]?.kind ?? 'any', names: alike.flatMap(({ names }) => names) }))
}

function note(signs: Map<string, string[]>, name: string, sign: string): void {
  const noted = signs.get(name)
  if (noted) noted.push(sign)
  else signs.set(name, [sign])
}

/** The picture of a text beside the stored one. */
export function pictureOf(now: AccessMatrix, before: AccessMatrix, { who, what, grouped }: Wanted): Picture {
  const all = pairs(now, before)
  const like = (words: string) => (name: string) => name.toLowerCase().includes(words.trim().toLowerCase())
  const [isWho, isWhat] = [like(who), like(what)]
  const [bySource, byDestination] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const [source, row] of all) {
    if (!isWho(source)) continue
    for (const [destination, place] of row) {
      if (!isWhat(destination)) continue
      const sign = JSON.stringify([place.ports, place.gained, place.lost, place.wider, place.because, place.unknown])
      const [left, right] = source === destination ? ['itself', 'itself'] : [destination, source]
      note(bySource, source, `${left} ${sign}`)
      note(byDestination, destination, `${right} ${sign}`)
    }
  }
  const both = [now, before]
  let rows = parties('sources', both, (name) => bySource.has(name))
  let columns = parties('destinations', both, (name) => byDestination.has(name))
  if (grouped) {
    const sign = (signs: Map<string, string[]>) => (name: string) => (signs.get(name) ?? []).sort().join('\n')
    ;[rows, columns] = [together(rows, sign(bySource)), together(columns, sign(byDestination))]
  }
  const at = (row: number, column: number): Place | undefined => {
    const [sources, destinations] = [rows[row]?.names ?? [], columns[column]?.names ?? []]
    const other = sources.length > 1 || destinations.length > 1
    const apart =
      other &&
      sources.flatMap((source) =>
        destinations
          .filter((name) => name !== source)
          .slice(0, 1)
          .map((name) => [source, name]),
      )[0]
    const place = apart && all.get(apart[0] ?? '')?.get(apart[1] ?? '')
    if (place) return place
    const shared = sources.find((name) => destinations.includes(name))
    const own = shared === undefined ? undefined : all.get(shared)?.get(shared)
    if (own) return other ? { ...own, own: true } : own
    return apart ? undefined : all.get(sources[0] ?? '')?.get(destinations[0] ?? '')
  }
  return { rows, columns, at }
}
