// Arguments in the form that the wasm takes. Must not live here: any judgement of their content.

import { toError } from './errors.js'

/** Throws an InvalidArgumentError. */
export const invalid = (message, more) => {
  throw toError({ code: 'invalid_argument', message, ...more })
}

/** The object, all of whose members must have one of these names: another would be left out, and nobody would notice. */
export function only(names, object) {
  const stray = Object.keys(Object(object)).find((name) => !names.includes(name) && object[name] !== undefined)
  return stray === undefined ? object : invalid(`\`${stray}\` is not one of ${names.join(', ')}`)
}

/** Kinds of objects whose JSON has their content. For others, such as a Promise or a Map, JSON has `{}`. */
const PLAIN = ['Object', 'Array', 'String', 'Number', 'Boolean']

/** The kind of a value that is not plain data; undefined for plain data. */
function foreign(value) {
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  return typeof value === 'object' && value !== null && typeof value.toJSON !== 'function' && !PLAIN.includes(kind) ? kind : undefined
}

/** The value, which must be plain data. */
export function plain(value) {
  const kind = reading(() => foreign(value))
  if (kind === undefined) return value
  return invalid(kind === 'Promise' ? 'not plain data but a Promise: await it first' : `not plain data but ${kind}`)
}

/** A value as JSON text; `undefined` for a value that JSON leaves out. */
export function optionalJSON(value) {
  const data = plain(value)
  return reading(() => JSON.stringify(data))
}

/** Runs what reads a value, which may throw anything. */
function reading(read) {
  try {
    return read()
  } catch (cause) {
    // The lines after the first draw the cycle in the value.
    return invalid(`not plain data: ${String(cause?.message).split('\n')[0]}`, { cause })
  }
}

/** A value as JSON text; `null` for a value that JSON leaves out. */
export const json = (value) => optionalJSON(value) ?? 'null'

/** Stands for a function in JSON, which has none. */
export const mark = (value) => (typeof value === 'function' ? { function: true } : value)

/** An object with such marks in place of the functions of these names. */
export const marks = (object, names) => (object && typeof object === 'object' ? Object.fromEntries(names.map((name) => [name, mark(object[name])])) : object)
