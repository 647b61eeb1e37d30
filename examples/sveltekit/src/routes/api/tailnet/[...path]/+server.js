// A gateway as an endpoint of SvelteKit: the client in a page has `baseURL: '/api/tailnet'`. Must not live here: what is let through by default.

import { env } from '$env/dynamic/private'
import { createGateway } from 'tailnet-kit/gateway'

// A function, as a build has no secrets: it is asked at the first request.
const gateway = createGateway(() => ({
  baseURL: env.SERVICE_URL,
  apiKey: env.API_KEY,
  tailnet: env.TAILNET,
  prefix: '/api/tailnet',
  // Ask your session store here.
  authorize: (request) => Boolean(env.SESSION) && (request.headers.get('cookie') ?? '').split('; ').includes(`session=${env.SESSION}`),
}))

/** Every method: the gateway itself says which of them an operation has. */
export const fallback = ({ request }) => gateway(request)
