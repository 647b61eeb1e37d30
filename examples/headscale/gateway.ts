// The gateway in front of a server of Headscale, which sends no CORS headers and takes no key from a page. Must not live here: the page, a server.

import { createGateway } from 'tailnet-kit/gateway'
import { session } from '../session/signed-cookie.ts'

function env(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

/** Takes the requests of the page below `/api/headscale`; any runtime that has `Request` and `Response` can call it. */
export const gateway = createGateway(() => ({
  service: 'headscale',
  tailnet: '-',
  baseURL: env('SERVICE_URL'),
  apiKey: env('API_KEY'),
  prefix: '/api/headscale',
  allow: ['nodes.read', 'users.read', 'policy.*'],
  authorize: async (request) => (await session(request, env('SESSION_SECRET'))) !== null,
}))
