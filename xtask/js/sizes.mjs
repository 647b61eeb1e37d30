// Prints the sizes of the built package: node xtask/js/sizes.mjs TARBALL. Must not live here: any verdict on them.

import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const files = (folder) => readdirSync(folder).filter((name) => name.endsWith('.js')).map((name) => `${folder}/${name}`)

const PARTS = [
  ['core wasm', ['pkg/wasm/tailnet_kit_bg.wasm']],
  ['core glue', ['pkg/wasm/tailnet_kit_bg.js']],
  ['sandbox wasm', ['pkg/wasm/sandbox/sandbox_bg.wasm']],
  ['facade', files('pkg/src')],
]

const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`.padStart(11)

function line(name, bytes) {
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
  console.log(`${name.padEnd(34)}${kib(bytes.length)} raw${kib(gzipSync(bytes, { level: 9 }).length)} gzip${kib(brotli.length)} brotli`)
}

for (const [name, paths] of PARTS) line(name, Buffer.concat(paths.map((path) => readFileSync(path))))
const tarball = process.argv[2]
console.log(`${basename(tarball).padEnd(34)}${kib(readFileSync(tarball).length)}`)
