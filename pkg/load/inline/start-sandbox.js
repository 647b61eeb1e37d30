// Starts the sandbox wasm from its base64 copy, which every bundler, page and runtime can load. The text is named once: bundlers may repeat it otherwise. Must not live here: top-level await.

import { base64 } from '../../wasm/sandbox/sandbox.base64.js'
import { start } from '../../src/sandbox-instance.js'
import { decode } from '../decode.js'

start(decode(base64))
