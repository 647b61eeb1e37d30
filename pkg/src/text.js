// The running `text.wasm` and its buffer for texts. Must not live here: calls of its verbs.

import { buffer } from '../../common/buffer.js'
import { short } from '../../common/short.js'
import { instance, wasm } from './text.wasm.js'

export { wasm }
export const { call } = instance
export const { fill, fillAll, put, putUnits, take, takeUnits } = buffer(() => wasm, instance)
export const { read, write } = short(() => wasm, instance)
