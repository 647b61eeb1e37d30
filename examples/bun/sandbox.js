// The whole service under Bun: `PORT=8080 bun sandbox.js`. It forgets everything when it stops.
// Must not live here: the service itself.

import { Sandbox } from 'tailnet-kit/sandbox'

const sandbox = new Sandbox({ apiKey: process.env.API_KEY })

const server = Bun.serve({ hostname: '127.0.0.1', port: Number(process.env.PORT ?? 8080), fetch: (request) => sandbox.fetch(request) })
console.log(`Listening on ${server.url}`)
