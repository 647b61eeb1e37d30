// Values in canonical layout, by whichever wasm file is at hand. Must not live here: the layout.

import { invalid, optionalJSON } from './arguments.js'

/** The text of a value. Of the file it takes the way in and out of its buffer, and its glue. */
export function canonical(value, { fill, take, wasm }) {
  const length = fill(optionalJSON(value) ?? invalid('not a value that JSON can say'))
  try {
    return take(wasm.hujson_format(length))
  } catch (thrown) {
    // What JSON.stringify writes is HuJSON, but for its depth.
    if (thrown?.code === 'hujson_syntax') invalid(thrown.issue.message)
    throw thrown
  }
}
