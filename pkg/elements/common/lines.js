// Lines of a text, and where they are in another. Must not live here: what a line means.

/** The lines of a text that differ from those of another. */
export function differing(text, other) {
  const [lines, others] = [text.split('\n'), other.split('\n')]
  let from = 0
  while (from < lines.length && lines[from] === others[from]) from++
  let [to, end] = [lines.length, others.length]
  while (to > from && end > from && lines[to - 1] === others[end - 1]) [to, end] = [to - 1, end - 1]
  return Array.from({ length: to - from }, (_, index) => from + index + 1)
}

/** Where a line of one text is in another, which was edited in one place. */
export function moved(line, text, other) {
  const more = other.split('\n').length - text.split('\n').length
  const [here, there] = [differing(text, other)[0], differing(other, text)[0]]
  const isBefore = (from) => from === undefined || line < from
  return isBefore(here) && isBefore(there) ? line : line + more
}

/** The lines of the rule that begins on a line, up to its closing bracket. */
export function ruleAt(text, line) {
  const [lines, found] = [text.split('\n'), []]
  for (let depth = 0, at = line; at <= lines.length && (depth > 0 || found.length === 0); at++) {
    const bare = (lines[at - 1] ?? '').replace(/"(\\.|[^"\\])*"|\/\/.*|\/\*.*?\*\//g, '')
    depth += bare.split('{').length - bare.split('}').length
    found.push(at)
  }
  return found
}
