// The program of slim in Node: first the cases of its start, then all other cases.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as slim from 'tailnet-kit/slim'
import { run, runCases } from './cases/index.mjs'
import { inputs, parts, start } from './cases/slim.mjs'

const require = createRequire(import.meta.url)
const url = import.meta.resolve('tailnet-kit/tailnet_kit.wasm')
const bytes = readFileSync(new URL(url))
const fetchWasm = async () => new Response(bytes, { headers: { 'content-type': 'application/wasm' } })

/** The bytes of a part's file. */
const part = (name) => readFileSync(new URL(import.meta.resolve(`tailnet-kit/${name}.wasm`)))

/** A copy of slim that nobody has started. */
function fresh() {
  for (const path of Object.keys(require.cache)) delete require.cache[path]
  return require('tailnet-kit/slim')
}

const outcomes = await run([...start({ slim, bytes, fetchWasm, url }), ...inputs({ fresh, bytes, fetchWasm, url }), ...parts({ fresh, bytes, part })])
const APART = ['gateway', 'headscale', 'language', 'sandbox']
const [gateway, headscale, language, sandbox] = await Promise.all(APART.map((name) => import(`tailnet-kit/${name}`)))
outcomes.push(...(await runCases({ kit: slim, gateway, headscale, language, sandbox, runtime: 'node', baseURL: process.argv[2] })))
console.log(JSON.stringify(outcomes))
