// Answers with offsets in the forms that editors share: numbers for tokens, lines for folds. `at(offset)` returns `{line, character}`,
// counted from 0. Must not live here: any editor.

/**
 * Tokens as numbers, five for each: lines and characters since the one before, length, type, whether it is a definition. A token over
 * several lines is cut at their ends. `types` are the names of the legend; `known` says which of them a token is.
 */
export function encoded(tokens, text, at, types, known) {
  const numbers = []
  let [line, character] = [0, 0]
  for (const token of tokens) {
    for (const [from, to] of pieces(text, token)) {
      const place = at(from)
      numbers.push(
        place.line - line,
        place.line === line ? place.character - character : place.character,
        to - from,
        types.indexOf(known[token.type]),
        token.definition ? 1 : 0,
      )
      ;({ line, character } = place)
    }
  }
  return numbers
}

function pieces(text, { from, to }) {
  const found = []
  for (const { index, 0: line } of text.slice(from, to).matchAll(/[^\r\n]+/g)) found.push([from + index, from + index + line.length])
  return found
}

/** The first and last line of each fold over several lines; the line of the closing bracket stays visible. */
export function foldedLines(ranges, text, at) {
  return ranges
    .map(({ from, to, kind }) => ({ start: at(from).line, end: at(to).line - Number(kind !== 'comment' && /^[\]}]/.test(text.slice(to))), kind }))
    .filter(({ start, end }) => end > start)
}
