// The namespace `language`: texts and UTF-16 offsets to the wasm, answers as plain data. Must not live here: what is answered.

import { invalid, json } from '../../common/arguments.js'
import { buffer } from '../../common/buffer.js'
import { instance, wasm } from './language.wasm.js'

const { call } = instance
const { fill, take } = buffer(() => wasm, instance)

const MOST = 2 ** 32 - 1

/** Behind the end of a text is its end. */
const place = (offset) => (Number.isInteger(offset) && offset >= 0 ? Math.min(offset, MOST) : invalid(`${offset} is no offset`))
const filled = (text) => (typeof text === 'string' ? fill(text) : invalid('the text must be a string'))

/** Where a range starts and ends; without one that is the text. */
const ends = (range) => (range == null ? [0, MOST] : [place(range.from), place(range.to)])

/** A verb: what is asked becomes plain before the text goes into the buffer, since a `toJSON` may ask the kit for something itself. */
const verb = (asked, ask) =>
  call((text, ...rest) => {
    const given = asked(...rest)
    return JSON.parse(take(ask(filled(text), ...given)))
  })

/** The types of tokens by number. */
let types

/** Tokens as they come packed: three numbers each. */
function unpacked(numbers) {
  const tokens = []
  for (let at = 0; at < numbers.length; at += 3) {
    const token = { from: numbers[at], to: numbers[at + 1], type: types[numbers[at + 2] >> 1] }
    if (numbers[at + 2] & 1) token.definition = true
    tokens.push(token)
  }
  return tokens
}

const none = () => []
const at = (offset) => [place(offset)]
const within = (range, context) => [...ends(range), json(context)]

export const diagnostics = verb(
  (context) => [json(context)],
  (...asked) => wasm.language_diagnostics(...asked),
)
export const complete = verb(
  (offset, context) => [place(offset), json(context)],
  (...asked) => wasm.language_complete(...asked),
)
export const hover = verb(
  (offset, context) => [place(offset), json(context)],
  (...asked) => wasm.language_hover(...asked),
)
export const definition = verb(at, (...asked) => wasm.language_definition(...asked))
export const references = verb(at, (...asked) => wasm.language_references(...asked))
export const renameable = verb(at, (...asked) => wasm.language_renameable(...asked))
export const rename = verb(
  (offset, name) => [place(offset), typeof name === 'string' ? name : invalid('the name must be a string')],
  (...asked) => wasm.language_rename(...asked),
)
export const symbols = verb(none, (...asked) => wasm.language_symbols(...asked))
export const folding = verb(none, (...asked) => wasm.language_folding(...asked))
export const selection = verb(at, (...asked) => wasm.language_selection(...asked))
export const tokens = call((text, range) => {
  const wanted = ends(range)
  types ??= JSON.parse(wasm.language_token_types())
  return unpacked(wasm.language_tokens(filled(text), ...wanted))
})
export const inlay = verb(within, (...asked) => wasm.language_inlay(...asked))
export const actions = verb(within, (...asked) => wasm.language_actions(...asked))
