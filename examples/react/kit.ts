// One wasm for the page and its worker: fetched and compiled once, started in both. Must not live here: questions.

import { init } from 'tailnet-kit/slim'
import address from 'tailnet-kit/tailnet_kit.wasm?url'

/** The compiled module; a worker can be sent it. */
export const compiled = WebAssembly.compileStreaming(fetch(address))

/** Done when the kit runs in the page. */
export const ready = compiled.then(init)
