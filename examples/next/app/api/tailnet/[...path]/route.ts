// A gateway as a route of Next: the client in a page has `baseURL: '/api/tailnet'`. It runs where Next runs, in Node; Next gives its edge runtime up,
// and `cacheComponents` refuses it. Must not live here: what is let through by default.

import { createGateway } from 'tailnet-kit/gateway'
import { session } from '@/session/signed-cookie'

function env(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

// A function, as a build has no secrets: it is asked at the first request.
const gateway = createGateway(() => ({
  baseURL: env('SERVICE_URL'),
  apiKey: env('API_KEY'),
  tailnet: env('TAILNET'),
  prefix: '/api/tailnet',
  authorize: async (request) => (await session(request, env('SESSION_SECRET'))) !== null,
}))

export { gateway as DELETE, gateway as GET, gateway as OPTIONS, gateway as PATCH, gateway as POST, gateway as PUT }
