// Starts the sandbox wasm from its copy as text, which every bundler and page can load. The text is named once: bundlers may repeat it otherwise. Must not live here: top-level await.

import { length, ranks, text } from '../../wasm/sandbox/sandbox.text.js'
import { start } from '../../src/sandbox-instance.js'
import { decode } from './decode.js'

start(decode(text, ranks, length))
