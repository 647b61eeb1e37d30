// A gateway under Deno: `deno run --allow-net --allow-env gateway.ts`. Must not live here: what is let through by default.

import { createGateway } from 'tailnet-kit/gateway'
import { session } from '../session/signed-cookie.ts'

function env(name: string): string {
  const value = Deno.env.get(name)
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

const onListen = ({ port }: { port: number }) => console.log(`Listening on http://127.0.0.1:${port}/`)
Deno.serve({ hostname: '127.0.0.1', port: Number(Deno.env.get('PORT') ?? 8081), onListen }, gateway)
