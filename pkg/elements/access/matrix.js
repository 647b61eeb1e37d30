// The verb `matrix`: who reaches what, or logs in to what, and what of that changes against another text, in a form that is small for large networks. It
// runs where the engine is. Must not live here: what of it is shown (`picture.js`).

import { policy } from '../common/engine.js'
import { accessNaming } from './naming.js'
import { PART, without } from './ports.js'

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
    added(place.words, cell.part ? words(cell).map((word) => `${word}${PART}`) : words(cell))
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
        const told = words(reach).map((word) => (from.isPart || to.isPart ? `${word}${PART}` : word))
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

/** All names of these changes. */
const namesOf = (changes) => ({
  sources: changes.map(({ source }) => source),
  destinations: changes.flatMap(({ gained, lost, undecided }) => [...gained, ...lost, ...undecided]).map(({ destination }) => destination),
})

/** The matrix of a text with these names of the other one; without those that the text cannot name. */
function withNames(text, own, other, wanted, context) {
  const beyond = (names, all) => [...new Set(names)].filter((name) => !all.includes(name))
  const names = { sources: beyond(wanted.sources, own.sources), destinations: beyond(wanted.destinations, own.destinations) }
  if (names.sources.length + names.destinations.length === 0) return own
  try {
    return accessNaming(text, own, other, names, context)
  } catch {
    return own
  }
}

/**
 * What pairs had under the other text: of each that changes its words then, and of what goes by a wider name, which is told of that name alone, what is
 * gained and lost by it.
 */
function tellBefore({ found, at }, now, then, words) {
  const earlier = places()
  tell(earlier, then, words)
  const [rows, columns] = ['sources', 'destinations'].map((side) => {
    const places = new Map(now[side].map((name, index) => [name, index]))
    return then[side].map((name) => places.get(name) ?? -1)
  })
  const had = new Map()
  for (const { row, column, ...place } of earlier.found.values()) if (rows[row] >= 0 && columns[column] >= 0) had.set(at(rows[row], columns[column]), place)
  const [knownRows, knownColumns] = [new Set(rows), new Set(columns)]
  for (const [key, place] of found) {
    const before = had.get(place)
    const isTold = place.gained.length + place.lost.length + place.undecided.length > 0
    if (isTold) place.had = before?.words
    else if (knownRows.has(place.row) && knownColumns.has(place.column) && !before?.undecided.length && (place.wider ?? before?.wider)) {
      place.gained = without(place.words, before?.words ?? [])
      place.lost = without(before?.words ?? [], place.words)
      if (place.gained.length + place.lost.length > 0) place.had = before?.words
      if (place.lost.length > 0) addedRules(place.before, before.because)
    }
    if (place.words.length + place.gained.length + place.lost.length + place.undecided.length === 0) found.delete(key)
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
  const isNamed = of === 'ports' && by === 'name'
  const now = isNamed ? withNames(value, own, base, namesOf(changes), context) : own
  const found = places()
  tell(found, now, words)
  const both = [now.parties.sources, now.parties.destinations].map((parties) => side(parties, by, context ?? {}))
  tellChanges(found, changes, both, words)
  if (changes.length > 0) {
    const then = read(base, context, { by })
    tellBefore(found, now, isNamed ? withNames(base, then, value, now, context) : then, words)
  }
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
