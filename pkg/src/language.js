// The namespace `language`: texts and UTF-16 offsets to the wasm, answers as plain data. Must not live here: the answers.

import { invalid, json, plain } from '../../common/arguments.js'
import { buffer } from '../../common/buffer.js'
import { dialectOf } from '../../common/dialect.js'
import { instance, wasm } from './language.wasm.js'
import { unpackedSymbols, unpackedTokens } from './packed.js'

const { call } = instance
const { fill, take } = buffer(() => wasm, instance)

const MOST = 2 ** 32 - 1

/** An offset; beyond the end of a text it means the end. */
const place = (offset) => (Number.isInteger(offset) && offset >= 0 ? Math.min(offset, MOST) : invalid(`${offset} is no offset`))
const string = (text) => (typeof text === 'string' ? text : invalid('the text must be a string'))

/** Where a range starts and ends; without a range, the whole text. */
const ends = (range) => (range == null ? [0, MOST] : [place(range.from), place(range.to)])

/** A verb. Its arguments become plain data before the text goes into the buffer, since a `toJSON` may call the kit itself. */
const verb = (asked, ask) =>
  call((text, ...rest) => {
    const given = asked(...rest)
    const dialect = dialectOf(rest[asked.length])
    return JSON.parse(take(ask(fill(string(text)), ...given, dialect)))
  })

/** A context in the dialect that options name; as it is where they name none. */
const spoken = (context, options) => (dialectOf(options) === 0 ? context : { ...plain(context), dialect: options.dialect })

/** The JSON of the context that the wasm has now. */
let held
instance.onRenewal(() => {
  held = undefined
})

/** A verb that needs a context too, which comes after the arguments that `asked` names. */
const knowing = (asked, ask) =>
  call((text, ...rest) => {
    const given = asked(...rest)
    const context = json(spoken(rest[asked.length], rest[asked.length + 1]))
    string(text)
    if (context !== held) {
      wasm.language_context(fill(context))
      held = context
    }
    return JSON.parse(take(ask(fill(text), ...given)))
  })

/** The names of the types of tokens and of the kinds of symbols, by number. */
let known
const kinds = () => (known ??= JSON.parse(wasm.language_kinds()))

/** An answer of so many numbers where it lies, which is there until the wasm is called again. */
const numbers = (count) => new Uint32Array(wasm.text_memory().buffer, wasm.language_numbers(), count)

const none = () => []
const at = (offset) => [place(offset)]

export const diagnostics = knowing(none, (...asked) => wasm.language_diagnostics(...asked))
export const complete = knowing(at, (...asked) => wasm.language_complete(...asked))
export const hover = knowing(at, (...asked) => wasm.language_hover(...asked))
export const definition = verb(at, (...asked) => wasm.language_definition(...asked))
export const references = verb(at, (...asked) => wasm.language_references(...asked))
export const renameable = verb(at, (...asked) => wasm.language_renameable(...asked))
export const rename = verb(
  (offset, name) => [place(offset), typeof name === 'string' ? name : invalid('the name must be a string')],
  (...asked) => wasm.language_rename(...asked),
)
export const symbols = call((text, options) => {
  const dialect = dialectOf(options)
  const [, names] = kinds()
  const count = wasm.language_symbols(fill(string(text)), dialect)
  const texts = take(numbers(count)[0])
  return unpackedSymbols(numbers(count), texts, names)
})
export const folding = verb(none, (length) => wasm.language_folding(length))
export const selection = verb(at, (...asked) => wasm.language_selection(...asked))
export const tokens = call((text, range, options) => {
  const dialect = dialectOf(options)
  const wanted = ends(range)
  const [types] = kinds()
  return unpackedTokens(numbers(wasm.language_tokens(fill(string(text)), ...wanted, dialect)), types)
})
export const inlay = knowing(ends, (...asked) => wasm.language_inlay(...asked))
export const actions = knowing(ends, (...asked) => wasm.language_actions(...asked))
