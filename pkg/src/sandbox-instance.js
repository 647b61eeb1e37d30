// The one running instance of the sandbox's own wasm. Must not live here: loading (`load/`), the sandbox itself.

import * as glue from '../wasm/sandbox/sandbox_bg.js'
import { host } from './start.js'

export const { adopt, call, isRunning, ready, start } = host(glue, './sandbox_bg.js')
