// Measured rows as a table for people. Must not live here: measuring.

/** Values in the unit of their table: `value(result, row)` turns milliseconds into it. A target is that of the row, or the result's own. */
export function print({ title, unit, columns, rows }) {
  const cells = [
    [unit, ...columns],
    ...rows.map(({ input, results, target }) => [input, ...columns.map((name) => cell(results[name], name === 'tailnet-kit' ? target : null))]),
  ]
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)))
  console.log(`\n${title}`)
  for (const row of cells)
    console.log(
      row
        .map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
}

function cell(result, target) {
  if (!result) return '-'
  if (result.error) return `error: ${result.error.split('\n')[0].slice(0, 40)}`
  const shown = result.value >= 100 ? result.value.toFixed(0) : result.value.toPrecision(3)
  const aim = result.target ?? target
  return aim ? `${shown} ${verdict(result.value, aim)}` : shown
}

/** `target` is `{ atMost }` or `{ atLeast }`. */
const verdict = (value, { atMost, atLeast }) =>
  atMost === undefined ? (value >= atLeast ? `(>= ${atLeast})` : `(MISSES ${atLeast})`) : value <= atMost ? `(<= ${atMost})` : `(MISSES ${atMost})`
