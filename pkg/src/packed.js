// Reads long answers of the language service from the numbers that they are packed into. Must not live here: how they are packed
// (`crates/wasm/src/packed.rs`).

/** Tokens, from three numbers each. */
export function unpackedTokens(numbers, types) {
  // An array that grows takes a third longer.
  const tokens = new Array(numbers.length / 3)
  for (let at = 0, place = 0; at < numbers.length; at += 3, place++) {
    const token = { from: numbers[at], to: numbers[at + 1], type: types[numbers[at + 2] >> 1] }
    if (numbers[at + 2] & 1) token.definition = true
    tokens[place] = token
  }
  return tokens
}

/** An outline, from the numbers after the first one and the texts in it. */
export function unpackedSymbols(numbers, texts, kinds) {
  let at = 1
  let from = 0
  const text = (length) => texts.slice(from, (from += length))
  const range = () => ({ from: numbers[at++], to: numbers[at++] })

  function symbol() {
    const kind = kinds[numbers[at++]]
    const name = text(numbers[at++])
    const units = numbers[at++]
    const symbol = units > 0 ? { name, kind, detail: text(units - 1) } : { name, kind }
    symbol.range = range()
    symbol.selection = range()
    symbol.children = list()
    return symbol
  }
  function list() {
    const symbols = []
    for (let left = numbers[at++]; left > 0; left--) symbols.push(symbol())
    return symbols
  }
  return list()
}
