// The matrix as it is shown: filtered, only what changes, equal rows and columns as one. Must not live here: how access is decided (`matrix.js`), how
// the picture is drawn.

/** Whether something changes at a place. */
export const isChanged = ({ gained, lost, changes }) => gained.length > 0 || lost.length > 0 || changes === true

/** The pairs by row, as pairs of column and place. */
function byRow({ rows, columns, cells, sources }, taken) {
  const all = sources.map(() => [])
  for (let index = 0; index < rows.length; index++) if (taken(index)) all[rows[index]].push([columns[index], cells[index]])
  return all
}

const like = (words) => {
  const wanted = words.trim().toLowerCase()
  return ({ name }) => name.toLowerCase().includes(wanted)
}

/** Which parties are shown: those that the filter names, with something to tell. */
function shown(matrix, { rows, columns, onlyChanges }) {
  const { places } = matrix
  const [isRow, isColumn] = [matrix.sources.map(like(rows)), matrix.destinations.map(like(columns))]
  const changed = places.map(isChanged)
  const used = { rows: new Set(), columns: new Set() }
  for (let index = 0; index < matrix.rows.length; index++) {
    const [row, column] = [matrix.rows[index], matrix.columns[index]]
    if (!isRow[row] || !isColumn[column] || (onlyChanges && !changed[matrix.cells[index]])) continue
    used.rows.add(row)
    used.columns.add(column)
  }
  return used
}

/** Parties of one kind with equal signs as one; otherwise each alone. */
function together(parties, indices, sign, grouped) {
  const all = [...indices].sort((a, b) => a - b)
  const groups = grouped ? [...Map.groupBy(all, (index) => `${parties[index].kind} ${sign(index)}`).values()] : all.map((index) => [index])
  return groups.map((members) => ({ kind: parties[members[0]].kind, names: members.map((index) => parties[index].name), members }))
}

/**
 * The picture: `rows` and `columns` as groups of names, and `at(row, column)`, what is told of a pair of them; with `own`, each reaches itself alone.
 * `wanted` has `rows` and `columns`, words that a name must have, `grouped`, and `onlyChanges`.
 */
export function pictureOf(matrix, wanted) {
  const used = shown(matrix, wanted)
  const pairs = byRow(matrix, (index) => used.rows.has(matrix.rows[index]) && used.columns.has(matrix.columns[index]))
  const columnOf = new Map(matrix.destinations.map(({ name }, index) => [name, index]))
  const self = matrix.sources.map(({ name }) => columnOf.get(name) ?? -1)
  const rowSigns = pairs.map((row, at) =>
    row
      .map(([column, place]) => `${column === self[at] ? 'self' : column}:${place}`)
      .sort()
      .join(),
  )
  const columnSigns = new Map()
  pairs.forEach((row, at) => {
    for (const [column, place] of row) {
      if (!columnSigns.has(column)) columnSigns.set(column, [])
      columnSigns.get(column).push(`${column === self[at] ? 'self' : at}:${place}`)
    }
  })
  const rows = together(matrix.sources, used.rows, (index) => rowSigns[index], wanted.grouped)
  const columns = together(matrix.destinations, used.columns, (index) => (columnSigns.get(index) ?? []).sort().join(), wanted.grouped)
  const lookup = pairs.map((row) => new Map(row))
  const told = (row, column) => matrix.places[lookup[row].get(column) ?? -1]
  const at = (row, column) => {
    const [sources, destinations] = [rows[row].members, columns[column].members]
    const [source, destination] = [sources[0], destinations[0]]
    if (self[source] !== destination) return told(source, destination)
    const other = destinations[1] === undefined ? undefined : told(source, destinations[1])
    const another = sources[1] === undefined ? undefined : told(sources[1], destination)
    if (other ?? another) return other ?? another
    const place = told(source, destination)
    return place && (sources.length > 1 || destinations.length > 1) ? { ...place, own: true } : place
  }
  return { of: matrix.of, rows, columns, at }
}

/** The row and the column of a pair of names, if the picture has it. */
export function placeOf({ rows, columns }, source, destination) {
  const [row, column] = [rows.findIndex(({ names }) => names.includes(source)), columns.findIndex(({ names }) => names.includes(destination))]
  return row < 0 || column < 0 ? undefined : { row, column }
}
