// What JSON5 says as HuJSON, by a wasm file of its own: it alone has that grammar. Must not live here: any judgement of a text, the
// layout (`hujson.js`).

import { buffer } from '../../common/buffer.js'
import { instance, wasm } from './json5.wasm.js'

const { put, take } = buffer(() => wasm, instance)

/** HuJSON in no layout; the text itself where it is HuJSON already. */
export const asHuJSON = instance.call((text) => {
  const length = wasm.json5_as_hujson(put(text, wasm.json5_refuse_surrogate))
  return length === undefined ? text : take(length)
})
