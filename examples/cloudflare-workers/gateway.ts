// A gateway as a Cloudflare Worker: the dashboard calls it without a key, it calls the service with one.
// Must not live here: what is let through by default (that is the package's).

import { createGateway } from 'tailnet-kit/gateway'
import { cloudflareAccess } from '../session/cloudflare-access'

interface Env {
  SERVICE_URL: string
  API_KEY: string
  TAILNET: string
  ACCESS_TEAM: string
  ACCESS_AUDIENCE: string
}

let gateway: ReturnType<typeof createGateway> | undefined

function made(env: Env) {
  const passed = cloudflareAccess({ team: env.ACCESS_TEAM, audience: env.ACCESS_AUDIENCE })
  return createGateway({
    baseURL: env.SERVICE_URL,
    apiKey: env.API_KEY,
    tailnet: env.TAILNET,
    prefix: '/gate',
    // The second argument names the operation, so that some people may do more than others.
    authorize: async (request) => (await passed(request)) !== null,
  })
}

export default {
  fetch(request: Request, env: Env) {
    gateway ??= made(env)
    return gateway(request)
  },
}
