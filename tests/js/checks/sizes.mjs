// What the package costs to download, against its budget. Must not live here: times.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { bundle } from '../lib/bundle.mjs'
import { project } from '../lib/project.mjs'

const KIB = 1024
const BUDGETS = { 'core wasm': { brotli: 95 }, facade: { gzip: 8 }, app: { brotli: 130 } }
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
  const over = measured.flatMap(([name, size]) => Object.entries(BUDGETS[name] ?? {}).filter(([form, limit]) => size[form] > limit)
    .map(([form, limit]) => `${name}: ${size[form].toFixed(1)} KiB ${form}, the budget is ${limit}`))
  const note = `KiB raw/gzip/brotli: ${measured.map(([name, { raw, gzip, brotli }]) => `${name} ${[raw, gzip, brotli].map((n) => n.toFixed(1)).join('/')}`).join(', ')}`
  if (over.length > 0) throw new Error(`${over.join('\n')}\n${note}`)
  return note
}
