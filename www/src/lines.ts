// Lines of a text, and where they are in another. Must not live here: what a line means.

/** The lines of a text that differ from those of another. */
export function differing(text: string, other: string): number[] {
  const [lines, others] = [text.split('\n'), other.split('\n')]
  let from = 0
  while (from < lines.length && lines[from] === others[from]) from++
  let [to, end] = [lines.length, others.length]
  while (to > from && end > from && lines[to - 1] === others[end - 1]) [to, end] = [to - 1, end - 1]
  return Array.from({ length: to - from }, (_, index) => from + index + 1)
}

/** Where a line of one text is in another, which was edited in one place. */
export function moved(line: number, text: string, other: string): number {
  const [lines, others, apart] = [text.split('\n').length, other.split('\n').length, differing(text, other)]
  return apart.length === 0 || line < (apart[0] ?? 0) ? (line < (differing(other, text)[0] ?? Infinity) ? line : line + others - lines) : line + others - lines
}

/** The lines of the rule that begins on a line, up to its closing bracket. */
export function ruleAt(text: string, line: number): number[] {
  const [lines, found] = [text.split('\n'), [] as number[]]
  for (let depth = 0; line <= lines.length && (depth > 0 || found.length === 0); line++) {
    const bare = (lines[line - 1] ?? '').replace(/"(\\.|[^"\\])*"|\/\/.*|\/\*.*?\*\//g, '')
    depth += bare.split('{').length - bare.split('}').length
    found.push(line)
  }
  return found
}
