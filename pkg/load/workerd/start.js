// Starts the core wasm that workerd compiled when it was deployed: it compiles no bytes in a request. Must not live here: top-level await.

import module from '../../wasm/tailnet_kit_bg.wasm'
import { start } from '../../src/instance.js'

start(module)
