// The one running instance of the core wasm, shared by every entry of the package but the sandbox. Must not live here:
// loading (`load/`), what is exported to users (`index.js`).

import * as glue from '../wasm/tailnet_kit_bg.js'
import { host } from './start.js'
import { forget } from './text.js'

export const { adopt, call, hold, isRunning, ready, start } = host(glue, './tailnet_kit_bg.js', forget)
