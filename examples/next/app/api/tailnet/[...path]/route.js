// A gateway as a route of Next: the client in a page has `baseURL: '/api/tailnet'`. It runs where Next runs, in Node; Next gives its edge runtime up,
// and `cacheComponents` refuses it. Must not live here: what is let through by default.

import { createGateway } from 'tailnet-kit/gateway'

// A function, as a build has no secrets: it is asked at the first request.
const gateway = createGateway(() => ({
  baseURL: process.env.SERVICE_URL,
  apiKey: process.env.API_KEY,
  tailnet: process.env.TAILNET,
  prefix: '/api/tailnet',
  // Ask your session store here.
  authorize: (request) => Boolean(process.env.SESSION) && (request.headers.get('cookie') ?? '').split('; ').includes(`session=${process.env.SESSION}`),
}))

export { gateway as DELETE, gateway as GET, gateway as OPTIONS, gateway as PATCH, gateway as POST, gateway as PUT }
