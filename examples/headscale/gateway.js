// The gateway in front of a server of Headscale, which sends no CORS headers and takes no key from a page. Must not live here: the page, a server.

import { createGateway } from 'tailnet-kit/gateway'

/** Takes the requests of the page below `/api/headscale`; any runtime that has `Request` and `Response` can call it. */
export const gateway = createGateway(() => ({
  service: 'headscale',
  tailnet: '-',
  baseURL: process.env.SERVICE_URL,
  apiKey: process.env.API_KEY,
  prefix: '/api/headscale',
  allow: ['nodes.read', 'users.read', 'policy.*'],
  // Ask your session store here.
  authorize: (request) => Boolean(process.env.SESSION) && (request.headers.get('cookie') ?? '').split('; ').includes(`session=${process.env.SESSION}`),
}))
