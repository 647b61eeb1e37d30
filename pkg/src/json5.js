// `hujson.fromJSON5`, whose grammar has a wasm file of its own. Must not live here: any judgement of a text.

import { buffer } from '../../common/buffer.js'
import { instance, wasm } from './json5.wasm.js'

const { put, take } = buffer(() => wasm, instance)

export const fromJSON5 = instance.call((text) => take(wasm.json5_to_hujson(put(text, wasm.json5_refuse_surrogate))))
