// Places in a text: lines and columns of UTF-16 units, both from 1, which is what CI tools and editors count.
// Must not live here: what is at a place.

/**
 * Finds places in one text. `range(offset, length)` is the start and the exclusive end of a range; `line(number)` the range of a
 * line without the space around it; `source(number)` the line itself.
 */
export function places(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const source = (number) => text.slice(starts[number - 1], starts[number] ?? text.length).replace(/\r?\n$/, '')
  const point = (offset) => {
    const line = lineAt(starts, offset)
    return { line, column: offset - starts[line - 1] + 1 }
  }
  const range = (offset, length) => ({ start: point(offset), end: point(offset + length) })
  const line = (number) => {
    const whole = source(number)
    const content = whole.trim()
    return { offset: starts[number - 1] + whole.indexOf(content), length: content.length }
  }
  return { range, line, source, count: starts.length }
}

/** The last line that starts at or before the offset. */
function lineAt(starts, offset) {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle] <= offset) low = middle
    else high = middle
  }
  return low + 1
}
