// A gateway under Bun: `bun gateway.js`. Must not live here: what is let through by default.

import { createGateway } from 'tailnet-kit/gateway'

const { SERVICE_URL, API_KEY, TAILNET, SESSION, PORT } = process.env

const gateway = createGateway({
  baseURL: SERVICE_URL,
  apiKey: API_KEY,
  tailnet: TAILNET,
  prefix: '/gate',
  // Ask your session store here.
  authorize: (request) => Boolean(SESSION) && (request.headers.get('cookie') ?? '').split('; ').includes(`session=${SESSION}`),
})

const server = Bun.serve({ hostname: '127.0.0.1', port: Number(PORT ?? 8081), fetch: (request) => gateway(request) })
console.log(`Listening on ${server.url}`)
