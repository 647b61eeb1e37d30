// The running `text.wasm` and the way of texts in and out of it. Must not live here: what is asked of it.

import { buffer } from '../../common/buffer.js'
import { short } from '../../common/short.js'
import { instance, wasm } from './text.wasm.js'

export { wasm }
export const { call } = instance
export const { fill, put, putUnits, take, takeUnits } = buffer(() => wasm, instance)
export const { read, write } = short(() => wasm, instance)
