// The running `cidr.wasm`, its buffer for texts and its place for short ones. Must not live here: calls of its verbs.

import { buffer } from '../../common/buffer.js'
import { short } from '../../common/short.js'
import { instance, wasm } from './cidr.wasm.js'

export { wasm }
export const { call } = instance
export const { fill, take } = buffer(() => wasm, instance)
export const { read, write } = short(() => wasm, instance)
