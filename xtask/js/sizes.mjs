// Prints the sizes of the built package, and where a size has a limit, whether it keeps it:
//
//     node xtask/js/sizes.mjs TARBALL
//
// Must not live here: building.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const { buildSync } = createRequire(new URL('../../pkg/package.json', import.meta.url))('esbuild')

const bytesOf = (...paths) => Buffer.concat(paths.map((path) => readFileSync(path)))

/** A program as a bundler makes it. */
function bundled(contents, options) {
  const common = { bundle: true, minify: true, format: 'esm', write: false, logLevel: 'error' }
  return Buffer.from(buildSync({ ...common, ...options, stdin: { contents, resolveDir: 'pkg' } }).outputFiles[0].contents)
}

/** An app that imports everything but the sandbox. */
const app = () => bundled("export * from './load/inline/index.js'; export * from './load/inline/gateway.js'")

/** The part of it that is neither wasm nor glue. */
const facade = () => bundled("export * from './src/index.js'; export * from './src/gateway.js'", { external: ['*_bg.js'] })

const PARTS = [
  { name: 'core wasm', bytes: () => bytesOf('pkg/wasm/tailnet_kit_bg.wasm'), limit: { brotli: 95 } },
  { name: 'core glue', bytes: () => bytesOf('pkg/wasm/tailnet_kit_bg.js') },
  { name: 'sandbox wasm', bytes: () => bytesOf('pkg/wasm/sandbox/sandbox_bg.wasm') },
  { name: 'facade', bytes: facade, limit: { gzip: 8 } },
  { name: 'bundled app without the sandbox', bytes: app, limit: { brotli: 130 } },
]

const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })

function line({ name, bytes, limit = {} }) {
  const content = bytes()
  const sizes = { raw: content.length, gzip: gzipSync(content, { level: 9 }).length, brotli: brotli(content).length }
  const shown = Object.entries(sizes).map(([form, size]) => `${(size / 1024).toFixed(1).padStart(8)} ${form}`)
  const verdicts = Object.entries(limit).map(([form, most]) => `${sizes[form] <= most * 1024 ? 'within' : 'ABOVE'} ${most} ${form}`)
  console.log(`${name.padEnd(34)}${shown.join('')}  ${verdicts.join(', ')}`.trimEnd())
}

console.log('sizes in KiB')
PARTS.forEach(line)
const tarball = process.argv[2]
console.log(`${basename(tarball).padEnd(34)}${(readFileSync(tarball).length / 1024).toFixed(1).padStart(8)}`)
