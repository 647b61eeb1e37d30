// A gateway as an endpoint of SvelteKit: the client in a page has `baseURL: '/api/tailnet'`. Must not live here: what is let through by default.

import { env } from '$env/dynamic/private'
import { session } from '$lib/session/signed-cookie'
import { createGateway } from 'tailnet-kit/gateway'
import type { RequestHandler } from './$types'

function secret(name: string): string {
  const value = env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

// A function, as a build has no secrets: it is asked at the first request.
const gateway = createGateway(() => ({
  baseURL: secret('SERVICE_URL'),
  apiKey: secret('API_KEY'),
  tailnet: secret('TAILNET'),
  prefix: '/api/tailnet',
  authorize: async (request) => (await session(request, secret('SESSION_SECRET'))) !== null,
}))

/** Every method: the gateway itself says which of them an operation has. */
export const fallback: RequestHandler = ({ request }) => gateway(request)
