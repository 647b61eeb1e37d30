// Starts the core wasm that Deno instantiated with the glue beside it: no permission is needed. Must not live here: top-level await.

import * as exports from '../../wasm/tailnet_kit_bg.wasm'
import { adopt } from '../../src/instance.js'

adopt(exports)
