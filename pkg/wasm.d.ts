// Declaration of `tailnet-kit/tailnet_kit.wasm` for those who import the file as a module. Must not live here: its exports.

import type { WasmModule } from './slim.js'

/** The compiled module, for `init` or `initSync` of `tailnet-kit/slim`. */
declare const module: WasmModule
export default module
