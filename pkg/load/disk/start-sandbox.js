// Starts the sandbox wasm from its file, for Node itself, which reads a file sooner than a module that holds it as text. Whoever bundles gets `load/node`, as a bundler may leave the file behind. Must not live here: top-level await.

import { readFileSync } from 'node:fs'
import { start } from '../../src/sandbox-instance.js'

start(readFileSync(new URL('../../wasm/sandbox/sandbox_bg.wasm', import.meta.url)))
