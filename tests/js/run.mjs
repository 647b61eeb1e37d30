// Tests the packed tarball: each row installs it into a fresh project and uses it there, in one runtime or by one tool.
// Must not live here: what is asserted (`cases/`, `checks/`, `beside/`), how a runtime is driven (`runners/`).
//
//     npm ci && node run.mjs --tarball ../../target/npm/tailnet-kit-VERSION.tgz [--shared FOLDER --programs N] [--tables NAME,...] [ROW...]
//
// A row of NODE_SUITES may be limited to one file: `command/check`. With `--tables`, node-import runs only these tables of `cases`.
// Several of these programs share the rows by an empty folder, `--shared`: each row is run by the one that first marks it there.
// A new table of cases for every runtime is a line in `cases/index.mjs`. A suite for Node alone is a folder with
// `*.test.mjs` that imports 'tailnet-kit': add it to `NODE_SUITES`.

import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeExchanges } from './lib/exchanges.mjs'
import { startFaults } from './lib/faults.mjs'
import { startService } from './lib/service.mjs'
import { nodeSuite } from './lib/node-suite.mjs'

const CHECKS = ['files', 'packaging', 'types', 'api', 'publint', 'attw', 'readme', 'schema', 'openapi', 'sizes', 'dialect', 'answers']
const RUNTIMES = [
  'node-import',
  'node-require',
  'node-bundle',
  'deno',
  'bun',
  'workerd',
  'edge-runtime',
  'vite',
  'bundlers',
  'metro',
  'page',
  'firefox',
  'start',
  'slim-node',
  'slim-page',
  'examples',
  'guides',
  'docs',
  'vscode',
]
// Rows that take hours, and rows that compare with files which the repository does not hold: run only if named.
const LONG = ['calls']
const BESIDE = ['recorded-schema', 'recorded-answers', 'contract']
const NODE_SUITES = ['client', 'sandbox', 'command', 'editors', 'peers', 'elements']

const load = (folder) => async (name) => [name, (await import(`./${folder}/${name}.mjs`)).default]
const rows = [
  ['service', async ({ baseURL, serviceFault }) => (serviceFault ? Promise.reject(new Error(serviceFault)) : baseURL)],
  ...(await Promise.all(CHECKS.map(load('checks')))),
  ...(await Promise.all(RUNTIMES.map(load('runners')))),
  ...NODE_SUITES.map((name) => [name, nodeSuite(name)]),
  ...(await Promise.all(LONG.map(load('runners')))),
  ...(await Promise.all(BESIDE.map(load('beside')))),
]
const ONLY_NAMED = [...LONG, ...BESIDE]
// In this order, before all others, so that programs which share the rows end at about the same time.
const LONGEST = ['command', 'vscode', 'elements', 'guides', 'sandbox', 'sizes']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tarball: { type: 'string' }, tables: { type: 'string' }, shared: { type: 'string' }, programs: { type: 'string', default: '1' } },
})
const rowOf = (name) => (NODE_SUITES.includes(name.split('/')[0]) ? name.split('/')[0] : name)
const unknown = positionals.find((name) => !rows.some(([row]) => row === rowOf(name)))
if (unknown || !values.tarball || !existsSync(values.tarball)) {
  console.error(unknown ? `no row is called \`${unknown}\`; there are ${rows.map(([row]) => row).join(', ')}` : 'which tarball? --tarball FILE')
  process.exit(2)
}

const named = ([row]) => (positionals.length === 0 ? !ONLY_NAMED.includes(row) : positionals.some((name) => rowOf(name) === row))
const place = ([row]) => (LONGEST.includes(row) ? LONGEST.indexOf(row) : LONGEST.length)
const wanted = rows.filter(named).sort((one, other) => place(one) - place(other))

const tarball = resolve(values.tarball)
writeExchanges()
const service = await startService(tarball)
const front = await startFaults(service.baseURL)
// The processors are shared with the programs that run the other parts.
const atATime = Math.max(1, Math.floor(availableParallelism() / Number(values.programs)))
const env = { tarball, baseURL: front.baseURL, serviceFault: service.fault, tables: values.tables ? [values.tables] : [], atATime }
let passed = 0
let failed = 0
for (const [name, row] of wanted) {
  if (!isMine(name)) continue
  const only = positionals.includes(name) ? [] : positionals.filter((asked) => rowOf(asked) === name).map((asked) => asked.slice(name.length + 1))
  const began = performance.now()
  const { note, notRun, faults } = await row({ ...env, only }).then(judged, (error) => ({ faults: [String(error?.message ?? error)] }))
  if (notRun && faults.length === 0) {
    console.log(`1 not run: ${name}: ${notRun}`)
    continue
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  faults.length === 0 ? passed++ : failed++
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)${note ? ` ${note}` : ''}`)
  for (const fault of faults) console.log(`       ${fault.replaceAll('\n', '\n       ')}`)
}
front.stop()
service.stop()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** Whether no other program runs this row. Making a folder is one step, so that of two programs one alone succeeds. */
function isMine(row) {
  if (!values.shared) return true
  try {
    mkdirSync(join(values.shared, row))
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * A row returns a note, or the outcome of each case it ran; no case at all is a fault. A row that lacks a program which it runs returns
 * `{ notRun: why }`, which is a fault on a build machine, which sets `CI`.
 */
function judged(outcome) {
  if (outcome?.notRun) return { ...outcome, faults: process.env.CI ? [`not run: ${outcome.notRun}`] : [] }
  if (!Array.isArray(outcome)) return { note: outcome, faults: [] }
  const faults = outcome.filter(({ error }) => error).map(({ name, error }) => `${name}: ${error}`)
  if (outcome.length === 0) faults.push('no case ran')
  return { note: `${outcome.length - faults.length} of ${outcome.length} cases`, faults }
}
