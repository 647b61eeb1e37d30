// Starts the sandbox wasm that workerd compiled when it was deployed: it compiles no bytes in a request. Must not live here: top-level await.

import module from '../../wasm/sandbox/sandbox_bg.wasm'
import { start } from '../../src/sandbox-instance.js'

start(module)
