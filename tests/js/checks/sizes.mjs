// The size of each part of the package over the wire, beside its goal; a part above its limit fails. Must not live here: times.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { appFiles } from '../lib/apps.mjs'
import { BUNDLERS } from '../lib/bundlers.mjs'
import { project } from '../lib/project.mjs'

const KIB = 1024

/**
 * KiB of Brotli: the goal, and the limit, which is what was reached and a few per cent more. Apps are built by Vite, minified, with
 * facade and glue; what one loads later does not count.
 */
const FILES = {
  text: { goal: 92, held: 93 },
  json5: { goal: 35, held: 36 },
  client: { goal: 70, held: 66 },
  gateway: { goal: 42, held: 31 },
  policy: { goal: 118, held: 414 },
  // With the policy engine, which is in it; the goal is no more than 60 beside that.
  language: { goal: 244, held: 258 },
  sandbox: { goal: 125, held: 319 },
  tailnet_kit: { goal: 245, held: 537 },
}
const APPS = {
  nothing: { goal: 2, held: 2 },
  error: { goal: 3, held: 3 },
  cidr: { goal: 100, held: 102 },
  hujson: { goal: 100, held: 102 },
  policy: { goal: 126, held: 428 },
  client: { goal: 85, held: 80 },
  gateway: { goal: 52, held: 37 },
  parts: { goal: 327, held: 614 },
  all: { goal: 262, held: 564 },
}

const sizesOf = (bytes) => ({
  raw: bytes.length / KIB,
  gzip: gzipSync(bytes, { level: 9 }).length / KIB,
  brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length / KIB,
})

const sum = (codes) => sizesOf(Buffer.from(codes.join('\n')))

export default async ({ tarball }) => {
  const dir = await project(tarball, appFiles())
  const rows = Object.entries(FILES).map(([name, limits]) =>
    row(`${name}.wasm`, sizesOf(readFileSync(join(dir, `node_modules/tailnet-kit/wasm/${name}_bg.wasm`))), limits),
  )
  for (const [name, limits] of Object.entries(APPS)) {
    const { now, later } = await BUNDLERS.Vite(dir, `${name}.mjs`)
    rows.push(row(`app: ${name}`, sum(now), limits, later.length > 0 ? `, and ${sum(later).brotli.toFixed(1)} later` : ''))
  }
  const table = `in KiB\n${rows.map(({ line }) => `       ${line}`).join('\n')}`
  const heavy = rows.filter((each) => each.isHeavy)
  if (heavy.length > 0) throw new Error(`heavier than what was reached: ${heavy.map(({ name }) => name).join(', ')}\n${table}`)
  return table
}

function row(name, { raw, gzip, brotli }, { goal, held }, more = '') {
  const [first, second, third] = [raw, gzip, brotli].map((size) => size.toFixed(1).padStart(7))
  const verdict = brotli <= goal ? `within the goal of ${goal}` : `ABOVE the goal of ${goal}`
  return { name, isHeavy: brotli > held, line: `${name.padEnd(17)} ${first} raw ${second} gzip ${third} brotli, ${verdict}${more}` }
}
