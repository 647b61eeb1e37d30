// The verb `matrix`: who reaches what, or logs in to what, and what of that changes against another text, in a form that is small for large networks. It
// runs where the engine is. Must not live here: what of it is shown (`picture.js`).

import { policy } from '../common/engine.js'
import { accessNaming } from './naming.js'

const KINDS = ['user', 'tag', 'group', 'autogroup', 'host', 'device', 'address', 'prefix', 'range', 'ipset', 'service', 'domain', 'subnet', 'internet', 'any']
const VERBS = {
  ports: { read: policy.access, compare: policy.diffAccess, words: ({ ports }) => ports },
  logins: {
    read: policy.logins,
    compare: policy.diffSsh,
    words: ({ users, action, network }) => users.map((user) => `${user}${action === 'check' ? ' (check)' : ''}${network === false ? ' (port 22 closed)' : ''}`),
  },
}
const { compare: order } = new Intl.Collator('en', { numeric: true })

/** One side of the matrix: its parties, and where names are in it. A name that only a change has is added. */
function side(parties, by, { devices = [] } = {}) {
  const all = [...parties]
  const [byName, byId] = [new Map(all.map(({ name }, index) => [name, index])), new Map(all.map(({ id }, index) => [id, index]))]
  const place = (party) => {
    if (!byName.has(party.name)) byName.set(party.name, all.push(party) - 1)
    return byName.get(party.name)
  }
  const has = ({ kind, name }, device) => (kind === 'tag' ? device.tags?.includes(name) : kind === 'user' && !device.tags?.length && device.user === name)
  const own = (party) => devices.filter((device) => has(party, device)).flatMap(({ id, nodeId }) => byId.get(id) ?? byId.get(nodeId) ?? [])
  /** The places of a party of a change, and whether only a part of it changes there. */
  const places = (party, part) => {
    const named = (part ?? []).flatMap((name) => byName.get(name) ?? [])
    if (named.length > 0) return { at: named, isPart: false }
    const found = byName.has(party.name) || by === 'name' ? [] : own(party)
    return { at: found.length > 0 ? found : [place(party)], isPart: part !== undefined }
  }
  return { all, places }
}

/** Places of the matrix by pair, each made when something is first told of it. */
function places() {
  const found = new Map()
  const at = (row, column) => {
    const key = row * 2 ** 26 + column
    if (!found.has(key)) found.set(key, { row, column, words: [], gained: [], lost: [], undecided: [], because: [], before: [] })
    return found.get(key)
  }
  return { found, at }
}

const added = (list, more) => {
  for (const one of more) if (!list.includes(one)) list.push(one)
}
const addedRules = (list, more) => {
  for (const one of more) if (!list.some(({ section, index }) => section === one.section && index === one.index)) list.push(one)
}

/** On which postures of the source, and through which routers, something of a place depends; without `always`, all of it does. */
function tellConditions(place, { opens = [], postures }) {
  const all = postures ? [{ postures }] : opens
  const needed = all.filter((opening) => opening.postures || opening.via)
  for (const opening of needed)
    added(
      (place.conditions ??= []),
      [opening.postures, opening.via].flatMap((names) => names ?? []),
    )
  if (needed.length < Math.max(1, all.length)) place.always = true
}

/** What the text says itself. */
function tell({ at }, { cells, unknown }, words) {
  for (const cell of cells) {
    const place = at(cell.source, cell.destination)
    added(place.words, cell.part ? words(cell).map((word) => `${word} in part`) : words(cell))
    addedRules(place.because, cell.because)
    if (cell.wider) place.wider = cell.wider
    tellConditions(place, cell)
  }
  for (const cell of unknown) {
    const place = at(cell.source, cell.destination)
    added(place.undecided, words(cell))
    addedRules(place.because, cell.because)
    place.why = cell.why
  }
}

const SIDES = { gained: 'because', lost: 'before', undecided: 'because' }

/** What changes against the other text. */
function tellChanges({ at }, changes, [sources, destinations], words) {
  for (const change of changes) {
    for (const [kind, rules] of Object.entries(SIDES)) {
      for (const reach of change[kind]) {
        const [from, to] = [sources.places(change.party, reach.part?.from), destinations.places(reach.party, reach.part?.to)]
        const told = words(reach).map((word) => (from.isPart || to.isPart ? `${word} in part` : word))
        for (const row of from.at) {
          for (const column of to.at) {
            const place = at(row, column)
            added(place[kind], told)
            addedRules(place[rules], reach.because)
            if (kind === 'undecided') Object.assign(place, { why: reach.why, changes: true })
            if (kind === 'gained' && reach.today) place.today = reach.today
          }
        }
      }
    }
  }
}

/** Parties in their order, and the new place of each. */
function sorted(parties) {
  const by = (a, b) => KINDS.indexOf(parties[a].kind) - KINDS.indexOf(parties[b].kind) || order(parties[a].name, parties[b].name)
  const old = parties.map((_, index) => index).sort(by)
  const place = new Int32Array(parties.length)
  old.forEach((index, at) => (place[index] = at))
  return { all: old.map((index) => parties[index]), place }
}

/** The names of a change that the matrix of the text lacks. */
function lacking({ sources, destinations }, changes) {
  const reaches = changes.flatMap(({ gained, lost, undecided }) => [...gained, ...lost, ...undecided])
  const beyond = (names, all) => [...new Set(names)].filter((name) => !all.includes(name))
  return {
    sources: beyond(
      changes.map(({ source }) => source),
      sources,
    ),
    destinations: beyond(
      reaches.map(({ destination }) => destination),
      destinations,
    ),
  }
}

/** The matrix of a text with the names of a change; without those that the text cannot name. */
function withNames(value, now, base, changes, context) {
  const names = lacking(now, changes)
  if (names.sources.length + names.destinations.length === 0) return now
  try {
    return accessNaming(value, now, base, names, context)
  } catch {
    return now
  }
}

/**
 * The matrix of a text, compared with `base` unless that is empty: parties of both sides, and for each pair with something to tell its row, its column
 * and the index of what is told. Many pairs share that.
 */
export function matrix(value, base, context, { by, of }) {
  const { read, compare, words } = VERBS[of]
  const own = read(value, context, { by })
  const changes = base !== '' && base !== value ? compare(base, value, context) : []
  const now = of === 'ports' && by === 'name' ? withNames(value, own, base, changes, context) : own
  const found = places()
  tell(found, now, words)
  const both = [now.parties.sources, now.parties.destinations].map((parties) => side(parties, by, context ?? {}))
  tellChanges(found, changes, both, words)
  const [sources, destinations] = both.map(({ all }) => sorted(all))
  const [shared, told] = [new Map(), []]
  const all = [...found.found.values()]
  const [rows, columns, cells] = [new Int32Array(all.length), new Int32Array(all.length), new Int32Array(all.length)]
  all.forEach(({ row, column, ...place }, index) => {
    const key = JSON.stringify(place)
    if (!shared.has(key)) shared.set(key, told.push(place) - 1)
    rows[index] = sources.place[row]
    columns[index] = destinations.place[column]
    cells[index] = shared.get(key)
  })
  return { by, of, sources: sources.all, destinations: destinations.all, rows, columns, cells, places: told }
}
