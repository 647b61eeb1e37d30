// Starts the sandbox wasm that the host compiled when it was deployed, by the suffix that edge hosts read. Must not live here: top-level await.

import module from '../../wasm/sandbox/sandbox_bg.wasm?module'
import { start } from '../../src/sandbox-instance.js'

start(module)
