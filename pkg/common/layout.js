// Values in canonical layout, by any wasm file that has the layout. Must not live here: the layout.

import { invalid, optionalJSON } from './arguments.js'

/** The text of a value. `fill`, `take` and `wasm` are the buffer and the glue of the wasm file. */
export function canonical(value, { fill, take, wasm }) {
  const length = fill(optionalJSON(value) ?? invalid('not a value that JSON can say'))
  try {
    return take(wasm.hujson_format(length))
  } catch (thrown) {
    // The text of JSON.stringify is HuJSON, but may be nested too deep.
    if (thrown?.code === 'hujson_syntax') invalid(thrown.issue.message)
    throw thrown
  }
}
