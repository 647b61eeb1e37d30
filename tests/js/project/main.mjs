// The program of every runtime with modules: imports the entries, runs the cases, prints their outcomes.

import * as kit from 'tailnet-kit'
import * as gateway from 'tailnet-kit/gateway'
import * as headscale from 'tailnet-kit/headscale'
import * as language from 'tailnet-kit/language'
import * as sandbox from 'tailnet-kit/sandbox'
import { runCases } from './cases/index.mjs'

const [runtime, baseURL, tables] = globalThis.Deno?.args ?? globalThis.process.argv.slice(2)
console.log(JSON.stringify(await runCases({ kit, sandbox, gateway, headscale, language, runtime, baseURL }, tables?.split(','))))
