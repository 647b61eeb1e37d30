// JSON5 as HuJSON, by a wasm file of its own, which alone has that grammar. Must not live here: any judgement of a text, the layout
// (`hujson.js`).

import { buffer } from '../../common/buffer.js'
import { instance, wasm } from './json5.wasm.js'

const { put, take } = buffer(() => wasm, instance)

/** HuJSON without a layout; the text itself where it already is HuJSON. */
export const asHuJSON = instance.call((text) => {
  const length = wasm.json5_as_hujson(put(text, wasm.json5_refuse_surrogate))
  return length === undefined ? text : take(length)
})
