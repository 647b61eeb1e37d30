// Arguments as what the wasm takes. Must not live here: any judgement of their content.

import { toError } from './errors.js'

/** Throws an InvalidArgumentError. */
export const invalid = (message, more) => {
  throw toError({ code: 'invalid_argument', message, ...more })
}

/** Kinds of objects whose JSON says what they hold. Of others, such as a Promise or a Map, it says `{}`. */
const PLAIN = ['Object', 'Array', 'String', 'Number', 'Boolean']

/** What a value is instead of plain data, if it is something else. */
function foreign(value) {
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  return typeof value === 'object' && value !== null && typeof value.toJSON !== 'function' && !PLAIN.includes(kind) ? kind : undefined
}

/** The value, where JSON says what it holds. */
export function plain(value) {
  const kind = reading(() => foreign(value))
  if (kind === undefined) return value
  return invalid(kind === 'Promise' ? 'not plain data but a Promise: await it first' : `not plain data but ${kind}`)
}

/** A value as JSON text, `undefined` for what JSON leaves out. */
export function optionalJSON(value) {
  const data = plain(value)
  return reading(() => JSON.stringify(data))
}

/** What reads a value, which may throw anything. */
function reading(read) {
  try {
    return read()
  } catch (cause) {
    // What follows the first line draws the circle that the value makes.
    return invalid(`not plain data: ${String(cause?.message).split('\n')[0]}`, { cause })
  }
}

/** A value as JSON text; what JSON leaves out is `null`. */
export const json = (value) => optionalJSON(value) ?? 'null'

/** A function as JSON has it here: that it is one. */
export const mark = (value) => (typeof value === 'function' ? { function: true } : value)

/** Which of these functions an object has. */
export const marks = (object, names) => (object && typeof object === 'object' ? Object.fromEntries(names.map((name) => [name, mark(object[name])])) : object)
