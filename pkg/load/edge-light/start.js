// Starts the core wasm that the host compiled when it was deployed, by the suffix that edge hosts read. Must not live here: top-level await.

import module from '../../wasm/tailnet_kit_bg.wasm?module'
import { start } from '../../src/instance.js'

start(module)
