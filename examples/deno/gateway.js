// A gateway under Deno: `deno run --allow-net --allow-env gateway.js`. Must not live here: what is let through by default.

import { createGateway } from 'tailnet-kit/gateway'

const env = (name) => Deno.env.get(name)

const gateway = createGateway({
  baseURL: env('SERVICE_URL'),
  apiKey: env('API_KEY'),
  tailnet: env('TAILNET'),
  prefix: '/gate',
  // Ask your session store here.
  authorize: (request) => Boolean(env('SESSION')) && (request.headers.get('cookie') ?? '').split('; ').includes(`session=${env('SESSION')}`),
})

const onListen = ({ port }) => console.log(`Listening on http://127.0.0.1:${port}/`)
Deno.serve({ hostname: '127.0.0.1', port: Number(env('PORT') ?? 8081), onListen }, gateway)
