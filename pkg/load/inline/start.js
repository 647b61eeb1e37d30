// Starts the core wasm from its base64 copy, which every bundler, page and runtime can load. The text is named once: bundlers may repeat it otherwise. Must not live here: top-level await.

import { base64 } from '../../wasm/tailnet_kit.base64.js'
import { start } from '../../src/instance.js'
import { decode } from '../decode.js'

start(decode(base64))
