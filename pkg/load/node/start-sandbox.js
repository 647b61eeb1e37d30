// Starts the sandbox wasm from its base64 copy, which Node decodes in no time and which, unlike a path, survives a server's bundler. Must not live here: top-level await.

import { base64 } from '../../wasm/sandbox/sandbox.base64.js'
import { start } from '../../src/sandbox-instance.js'
import { decode } from './decode.js'

start(decode(base64))
