// The size of each part of the package over the wire, beside its goal; a part above its limit fails. Must not live here: times.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { appFiles } from '../lib/apps.mjs'
import { BUNDLERS } from '../lib/bundlers.mjs'
import { HERE, project } from '../lib/project.mjs'

const KIB = 1024

/**
 * KiB of Brotli: the goal, and the limit, which is what was reached and a few per cent more. Apps are built by Vite, minified, with
 * facade and glue; what one loads later does not count.
 */
const FILES = {
  cidr: { goal: 40, held: 41 },
  hujson: { goal: 58, held: 58 },
  edit: { goal: 70, held: 70 },
  text: { goal: 95, held: 93.5 },
  json5: { goal: 35, held: 35 },
  client: { goal: 70, held: 68 },
  gateway: { goal: 37, held: 36.5 },
  check: { goal: 137, held: 203 },
  policy: { goal: 261, held: 533.5 },
  // Added to one of the policy engine's files; 25 is what it may make a page heavier that asks for it.
  dialect: { goal: 25, held: 24.9 },
  // With the policy engine, which is in it; the goal is no more than 60 beside that.
  language: { goal: 244, held: 260.5 },
  // As the client, of which it has the exchange.
  headscale: { goal: 70, held: 69 },
  sandbox: { goal: 125, held: 398.5 },
  tailnet_kit: { goal: 284, held: 661.5 },
}
const APPS = {
  nothing: { goal: 2, held: 2 },
  error: { goal: 3, held: 3 },
  cidr: { goal: 52, held: 47 },
  hujson: { goal: 70, held: 66 },
  edit: { goal: 82, held: 77 },
  policy: { goal: 150, held: 212 },
  review: { goal: 275, held: 549.5 },
  dialect: { goal: 175, held: 234.5 },
  client: { goal: 75, held: 80 },
  headscale: { goal: 75, held: 104.5 },
  gateway: { goal: 37, held: 42.5 },
  // What the page itself loads; the judge comes with the first question, in a worker.
  changes: { goal: 8, held: 8.2 },
  elements: { goal: 16, held: 17.2 },
  parts: { goal: 415, held: 757.5 },
}

/** The page's words for what an app uses. */
const SAID = {
  cidr: '`cidr`, `routes` or `dns`',
  hujson: '`hujson`',
  edit: '`policy.edit`',
  policy: '`check`, `preview`, `explain`, `runTests` or `toJSON` of `tailnet-kit/policy`',
  review: 'any other verb of it',
  dialect: '`check` of it and the dialect of `tailnet-kit/headscale`',
  client: '`TailnetClient`',
  headscale: '`HeadscaleClient` and its dialect',
  gateway: '`createGateway`',
  parts: 'all of these',
  'language.wasm': '`language`, the file alone',
  'sandbox.wasm': '`Sandbox`, the file alone',
}
const PAGE = join(HERE, '../../docs/loading.md')
const TABLE = /(<!-- weights[^\n]*-->\n)([\s\S]*?)(<!-- end of weights -->)/
/** How far a figure of the page may be off. */
const NEAR = 0.03

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
    rows.push({ ...row(`app: ${name}`, sum(now), limits, later.length > 0 ? `, and ${sum(later).brotli.toFixed(1)} later` : ''), app: name })
  }
  const table = `in KiB\n${rows.map(({ line }) => `       ${line}`).join('\n')}`
  const heavy = rows.filter((each) => each.isHeavy)
  checkPage(rows)
  if (heavy.length > 0) throw new Error(`heavier than what was reached: ${heavy.map(({ name }) => name).join(', ')}\n${table}`)
  return table
}

function row(name, { raw, gzip, brotli }, { goal, held }, more = '') {
  const [first, second, third] = [raw, gzip, brotli].map((size) => size.toFixed(1).padStart(7))
  const verdict = brotli <= goal ? `within the goal of ${goal}` : `ABOVE the goal of ${goal}`
  return { name, brotli, isHeavy: brotli > held, line: `${name.padEnd(17)} ${first} raw ${second} gzip ${third} brotli, ${verdict}${more}` }
}

/** The page says what was measured; with `BLESS=1` it is made to. */
function checkPage(rows) {
  const text = readFileSync(PAGE, 'utf8')
  const [, , said] = text.match(TABLE) ?? ['', '', '']
  const measured = (wanted) => rows.find(({ name, app }) => (app ?? name) === wanted).brotli
  const lines = Object.entries(SAID).map(([name, words]) => [words, Math.round(measured(name))])
  const table = ['| an app that uses | loads |', '|---|---|', ...lines.map(([words, size]) => `| ${words} | ${size} KiB |`), ''].join('\n')
  if (process.env.BLESS === '1') return writeFileSync(PAGE, text.replace(TABLE, `$1${table}$3`))
  const isSaid = ([words, size]) => {
    const [, figure] =
      said
        .split('\n')
        .find((line) => line.startsWith(`| ${words} |`))
        ?.match(/ (\d+) KiB/) ?? []
    return Math.abs(figure - size) <= Math.max(1, size * NEAR)
  }
  const off = lines.filter((line) => !isSaid(line)).map(([words, size]) => `${words}: ${size} KiB`)
  if (off.length > 0) throw new Error(`docs/loading.md says another weight (BLESS=1 writes it): ${off.join('; ')}`)
}
