// The program of hosts that run scripts: answers a fetch event with the outcomes. The bundler fills in `BASE_URL`.

import * as kit from 'tailnet-kit'
import * as gateway from 'tailnet-kit/gateway'
import * as headscale from 'tailnet-kit/headscale'
import * as language from 'tailnet-kit/language'
import * as sandbox from 'tailnet-kit/sandbox'
import { runCases } from './cases/index.mjs'

const outcomes = () => runCases({ kit, sandbox, gateway, headscale, language, runtime: 'edge-runtime', baseURL: BASE_URL })
addEventListener('fetch', (event) => event.respondWith(outcomes().then((list) => Response.json(list))))
