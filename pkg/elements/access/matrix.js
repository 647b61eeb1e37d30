// The verb `matrix`: who reaches what, or logs in to what, and what of that changes against another text, in a form that is small for large networks. It
// runs where the engine is. Must not live here: what of it is shown (`picture.js`).

import { policy } from '../common/engine.js'

const VERBS = {
  ports: { read: policy.access, words: ({ ports }) => ports },
  logins: {
    read: policy.logins,
    words: ({ users, action, network }) => users.map((user) => `${user}${action === 'check' ? ' (check)' : ''}${network === false ? ' (port 22 closed)' : ''}`),
  },
}

/** Places of the matrix by pair, each made when something is first told of it. */
function places() {
  const found = new Map()
  const at = ({ source, destination }) => {
    const key = source * 2 ** 26 + destination
    if (!found.has(key)) found.set(key, { row: source, column: destination, words: [], gained: [], lost: [], undecided: [], because: [], before: [] })
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
    const place = at(cell)
    added(place.words, words(cell))
    addedRules(place.because, cell.because)
    if (cell.wider) place.wider = cell.wider
    tellConditions(place, cell)
  }
  for (const cell of unknown) {
    const place = at(cell)
    added(place.undecided, words(cell))
    addedRules(place.because, cell.because)
    place.why = cell.why
  }
}

const SIDES = { gained: 'because', lost: 'before', undecided: 'because' }

/** A login that is treated otherwise: as another one where a check comes or goes. */
function tellChecked(place, reach, words) {
  const [was, is] = [words({ ...reach, ...reach.was }), words(reach)]
  const isOther = was.join() !== is.join()
  if (isOther) added(place.lost, was)
  added(
    place.gained,
    is.map((word) => (isOther ? word : `${word} (${reach.now})`)),
  )
  addedRules(place.because, reach.because)
}

/** Names that take in others which have rows and columns of their own. */
const BROAD = ['any', 'autogroup']

/**
 * Whether a change of a part is marked in the cells of that part, so that a broader name needs no mark for it. A device is marked at its tags or
 * its user.
 */
function markedElsewhere({ changes = [], parties }, context) {
  const known = new Map()
  for (const { id, name = '', hostname = '', tags = [], user } of context?.devices ?? []) {
    const shown = name.split('.', 1)[0] || hostname
    for (const one of [shown, `${shown} (${id})`]) known.set(one, tags.length > 0 ? tags : [user])
  }
  const changed = new Set(changes.map(({ source, destination }) => `${source} ${destination}`))
  /** For each name of a part the places of its own rows or columns; of no part, the place itself. Undefined where a name is not broad. */
  const side = (all) => {
    const narrow = new Map(all.flatMap(({ kind, name }, place) => (BROAD.includes(kind) ? [] : [[name, place]])))
    const placesOf = (name) => [name, ...(known.get(name) ?? [])].flatMap((one) => narrow.get(one) ?? [])
    return (place, names) => (names === undefined ? [[place]] : BROAD.includes(all[place].kind) ? names.map(placesOf) : undefined)
  }
  const [row, column] = [side(parties.sources), side(parties.destinations)]
  return ({ source, destination }, part) => {
    const [from, to] = [row(source, part?.from), column(destination, part?.to)]
    const isMarked = (rows, columns) => rows.some((one) => columns.some((other) => changed.has(`${one} ${other}`)))
    return part !== undefined && from !== undefined && to !== undefined && from.every((rows) => to.every((columns) => isMarked(rows, columns)))
  }
}

/** What changes against the other text. */
function tellChanges({ at }, asked, context, words) {
  const { changes = [] } = asked
  const isElsewhere = markedElsewhere(asked, context)
  for (const change of changes) {
    const own = (list = []) => list.filter(({ part }) => !isElsewhere(change, part))
    for (const [kind, rules] of Object.entries(SIDES)) {
      for (const reach of own(change[kind])) {
        const place = at(change)
        added(place[kind], words(reach))
        addedRules(place[rules], reach.because)
        if (kind === 'undecided') Object.assign(place, { why: reach.why, changes: true })
        if (kind === 'gained' && reach.today) place.today = reach.today
      }
    }
    for (const reach of own(change.checked)) tellChecked(at(change), reach, words)
  }
}

/**
 * The matrix of a text, compared with `base` unless that is empty: parties of both sides, and for each pair with something to tell its row, its column
 * and the index of what is told. Many pairs share that.
 */
export function matrix(value, base, context, { by, of }) {
  const { read, words } = VERBS[of]
  const said = (cell) => (cell.part ? words(cell).map((word) => `${word} in part`) : words(cell))
  const asked = read(value, context, base === '' ? { by } : { by, base })
  const found = places()
  tell(found, asked, said)
  tellChanges(found, asked, context, said)
  const [shared, told] = [new Map(), []]
  const all = [...found.found.values()]
  const [rows, columns, cells] = [new Int32Array(all.length), new Int32Array(all.length), new Int32Array(all.length)]
  all.forEach(({ row, column, ...place }, index) => {
    const key = JSON.stringify(place)
    if (!shared.has(key)) shared.set(key, told.push(place) - 1)
    rows[index] = row
    columns[index] = column
    cells[index] = shared.get(key)
  })
  const { sources, destinations } = asked.parties
  return { by, of, sources, destinations, rows, columns, cells, places: told }
}
