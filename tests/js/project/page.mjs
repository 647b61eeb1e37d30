// The program of a page: leaves the outcomes in `window.outcomes`. The base URL is in the page's address.

import * as kit from 'tailnet-kit'
import * as gateway from 'tailnet-kit/gateway'
import * as headscale from 'tailnet-kit/headscale'
import * as language from 'tailnet-kit/language'
import * as sandbox from 'tailnet-kit/sandbox'
import { run, runCases } from './cases/index.mjs'
import { cases as workers } from './cases/workers.mjs'

const baseURL = new URLSearchParams(location.search).get('service')
globalThis.outcomes = [...(await run(workers)), ...(await runCases({ kit, sandbox, gateway, headscale, language, runtime: 'page', baseURL }))]
