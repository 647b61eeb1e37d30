// Starts the sandbox wasm that Deno instantiated with the glue beside it: no permission is needed. Must not live here: top-level await.

import * as exports from '../../wasm/sandbox/sandbox_bg.wasm'
import { adopt } from '../../src/sandbox-instance.js'

adopt(exports)
