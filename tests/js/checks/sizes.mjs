// What the package costs to download, beside the targets. Must not live here: times, a verdict: a feature may be worth it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { bundle } from '../lib/bundle.mjs'
import { project } from '../lib/project.mjs'

const KIB = 1024
const TARGETS = { 'core wasm': { brotli: 95 }, facade: { gzip: 8 }, app: { brotli: 130 } }
const APP = "import * as kit from 'tailnet-kit'\nimport * as gateway from 'tailnet-kit/gateway'\nconsole.log(kit, gateway)\n"
const FACADE = "import * as kit from './node_modules/tailnet-kit/src/index.js'\nconsole.log(kit)\n"

const sizes = (bytes) => ({
  raw: bytes.length / KIB,
  gzip: gzipSync(bytes, { level: 9 }).length / KIB,
  brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length / KIB,
})

export default async ({ tarball }) => {
  const dir = await project(tarball, { 'app.mjs': APP, 'facade.mjs': FACADE })
  await bundle(dir, 'app.mjs', 'out/app.js', { minify: true })
  await bundle(dir, 'facade.mjs', 'out/facade.js', { minify: true, external: ['*_bg.js'] })
  const wasm = 'node_modules/tailnet-kit/wasm'
  const files = { 'core wasm': `${wasm}/tailnet_kit_bg.wasm`, 'sandbox wasm': `${wasm}/sandbox/sandbox_bg.wasm`, facade: 'out/facade.js', app: 'out/app.js' }
  const measured = Object.entries(files).map(([name, file]) => [name, sizes(readFileSync(join(dir, file)))])
  return `KiB raw/gzip/brotli: ${measured.map(described).join(', ')}`
}

function described([name, size]) {
  const targets = Object.entries(TARGETS[name] ?? {}).map(([form, limit]) => `, ${size[form] <= limit ? 'within' : 'ABOVE'} the target of ${limit} ${form}`)
  return `${name} ${['raw', 'gzip', 'brotli'].map((form) => size[form].toFixed(1)).join('/')}${targets.join('')}`
}
