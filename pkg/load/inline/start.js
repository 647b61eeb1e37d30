// Starts the core wasm from its copy as text, which every bundler and page can load. The text is named once: bundlers may repeat it otherwise. Must not live here: top-level await.

import { length, ranks, text } from '../../wasm/tailnet_kit.text.js'
import { start } from '../../src/instance.js'
import { decode } from './decode.js'

start(decode(text, ranks, length))
