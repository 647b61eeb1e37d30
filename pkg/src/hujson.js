// The namespace `hujson`. Must not live here: any judgement of a text, which is up to `JSON.parse` and the wasm.

import { invalid, json } from '../../common/arguments.js'
import { buffer, straySurrogate } from '../../common/buffer.js'
import { canonical } from '../../common/layout.js'
import { instance, wasm } from './hujson.wasm.js'
import { asHuJSON } from './json5.js'

const { call } = instance
const { fill, put: putText, putUnits, take, takeUnits } = buffer(() => wasm, instance)

/** Writes a text of HuJSON into the buffer; returns its length in bytes. */
const put = (text) => putText(text, wasm.hujson_refuse_surrogate)

/** The deepest nesting, as in the wasm; counted here only for texts that `JSON.parse` reads. */
const MAX_DEPTH = 512
const SYNTAX = 'hujson_syntax'

/**
 * Whether a list or object is nested no deeper than `room` levels, counting itself. This walk is all that plain JSON costs beyond
 * `JSON.parse`. So it makes no calls for what long texts consist of: lists of records, and the lists in these. Records have a loop
 * of their own, since engines are slower at all objects of a loop that has seen one with very many names. `instanceof` holds for
 * every list and object that `JSON.parse` makes. Each value is read once: otherwise V8 may discard the compiled code for good.
 */
function fits(value, room) {
  if (room < 1) return false
  if (!Array.isArray(value)) {
    for (const name in value) {
      const inner = value[name]
      if (inner instanceof Object && !fits(inner, room - 1)) return false
    }
    return true
  }
  for (let i = 0; i < value.length; i++) {
    const record = value[i]
    if (!(record instanceof Object)) continue
    if (room < 2) return false
    if (Array.isArray(record)) {
      if (!fits(record, room - 1)) return false
      continue
    }
    for (const name in record) {
      const inner = record[name]
      if (Array.isArray(inner)) {
        if (room < 3) return false
        for (let j = 0; j < inner.length; j++) {
          const item = inner[j]
          if (item instanceof Object && !fits(item, room - 3)) return false
        }
      } else if (inner instanceof Object && !fits(inner, room - 2)) return false
    }
  }
  return true
}

/** How much of a text is searched for comments before it is taken for plain JSON. */
const SAMPLE = 65_536
// The start of a comment, but not the slashes of a URL.
const COMMENT = /(?:^|[^:])\/[/*]/
const TRAILING_COMMA = /,\s*[\]}][\]}\s]*$/

/** Whether the text looks like plain JSON. A wrong guess costs time and nothing else. */
const looksPlain = (text) => !COMMENT.test(text.slice(0, SAMPLE)) && !TRAILING_COMMA.test(text.slice(-64))

/** The value of a text that is plain JSON, as `{ value }`, found without the wasm; nothing for any other text. */
function parsePlain(text) {
  if (!looksPlain(text)) return undefined
  try {
    const value = JSON.parse(text)
    return typeof value !== 'object' || value === null || fits(value, MAX_DEPTH) ? { value } : undefined
  } catch {
    return undefined
  }
}

/** A text without these ranges, given as start and end in turn. */
function without(text, cuts) {
  let rest = ''
  let from = 0
  for (let i = 0; i < cuts.length; i += 2) {
    rest += text.slice(from, cuts[i])
    from = cuts[i + 1]
  }
  return rest + text.slice(from)
}

/** A text without its comments and trailing commas; nothing for a text that is not HuJSON. */
function rest(text) {
  if (putUnits(text)) {
    const length = wasm.hujson_squeeze(text.length)
    return length === undefined ? undefined : takeUnits(length)
  }
  const cuts = wasm.hujson_cuts(text.length)
  return cuts && without(text, cuts)
}

/** The wasm finds comments and trailing commas; `JSON.parse` checks the rest and builds the value. */
function parseRest(text) {
  try {
    return JSON.parse(rest(text))
  } catch {
    // Not valid: the full parser says where and why.
  }
  wasm.hujson_check(put(text))
  throw new Error('the parser took what JSON.parse refused')
}

function valueIn(text) {
  // Only `put`, which writes UTF-8, refuses these.
  if (typeof text !== 'string' || straySurrogate(text) >= 0) return put(text)
  const plain = parsePlain(text)
  return plain ? plain.value : parseRest(text)
}

function attempt(text) {
  try {
    const value = valueIn(text)
    return { ok: true, value, issues: wasm.hujson_warnings(put(text)) }
  } catch (thrown) {
    if (thrown?.code === SYNTAX) return { ok: false, issues: [thrown.issue] }
    throw thrown
  }
}

/** A malformed pointer, used in place of a value that is not text. */
const NOWHERE = '~'

function lookUp(text, pointer) {
  const found = wasm.hujson_find(put(text), typeof pointer === 'string' ? pointer : NOWHERE)
  if (found === null) return null
  const { json, ...place } = found
  return { value: JSON.parse(json), ...place }
}

function blanked(text) {
  const length = put(text)
  return wasm.hujson_standardize(length) ? take(length) : text
}

/** Operations as HuJSON; operations given as a text keep their comments. */
function operationsText(operations) {
  if (typeof operations !== 'string') return json(operations)
  return straySurrogate(operations) < 0 ? operations : invalid('the operations hold half of a surrogate pair')
}

function changed(text, operations) {
  // Before the text is put into the buffer: a `toJSON` among the operations may ask the kit for something itself.
  const changes = operationsText(operations)
  const [before, behind, length] = wasm.hujson_patch(put(text), changes)
  return text.slice(0, before) + take(length) + text.slice(text.length - behind)
}

/** An offset outside the text, or one that is not a number, means the end of the text. */
function pointerOf(text, offset) {
  const length = put(text)
  return wasm.hujson_pointer_at(length, typeof offset === 'number' && offset >= 0 && offset < text.length ? offset : text.length)
}

function judge(text) {
  try {
    return wasm.hujson_is_standard(put(text))
  } catch (thrown) {
    if (thrown?.code === SYNTAX) return false
    throw thrown
  }
}

export const parse = call(valueIn)
export const tryParse = call(attempt)
export const standardize = call(blanked)
export const minimize = call((text) => take(wasm.hujson_minimize(put(text))))
export const format = call((text) => take(wasm.hujson_format(put(text))))
export const stringify = call((value) => canonical(value, { fill, take, wasm }))
export const isStandard = call(judge)
export const find = call(lookUp)
export const pointerAt = call(pointerOf)
export const patch = call(changed)

/** A function, not a `const`: bundlers then drop it, and the json5 file with it, where it is not used. */
export function fromJSON5(text) {
  return format(asHuJSON(text))
}
