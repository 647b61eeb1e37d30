// A gateway under Bun: `bun gateway.ts`. Must not live here: what is let through by default.

import { createGateway } from 'tailnet-kit/gateway'
import { session } from '../session/signed-cookie.ts'

function env(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

const gateway = createGateway({
  baseURL: env('SERVICE_URL'),
  apiKey: env('API_KEY'),
  tailnet: env('TAILNET'),
  prefix: '/gate',
  authorize: async (request) => (await session(request, env('SESSION_SECRET'))) !== null,
})

const server = Bun.serve({ hostname: '127.0.0.1', port: Number(process.env.PORT ?? 8081), fetch: (request: Request) => gateway(request) })
console.log(`Listening on ${server.url}`)
