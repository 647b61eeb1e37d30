// The program of workerd: a module that answers with the outcomes. The bundler fills in `BASE_URL`.

import * as kit from 'tailnet-kit'
import * as gateway from 'tailnet-kit/gateway'
import * as headscale from 'tailnet-kit/headscale'
import * as language from 'tailnet-kit/language'
import * as sandbox from 'tailnet-kit/sandbox'
import { runCases } from './cases/index.mjs'

export default {
  fetch: async () => Response.json(await runCases({ kit, sandbox, gateway, headscale, language, runtime: 'workerd', baseURL: BASE_URL })),
}
