// The whole service under Deno: `PORT=8080 deno run --allow-net --allow-env sandbox.js`. It forgets everything when it stops.
// Must not live here: the service itself.

import { Sandbox } from 'tailnet-kit/sandbox'

const sandbox = new Sandbox({ apiKey: Deno.env.get('API_KEY') })

const onListen = ({ port }) => console.log(`Listening on http://127.0.0.1:${port}/`)
Deno.serve({ hostname: '127.0.0.1', port: Number(Deno.env.get('PORT') ?? 8080), onListen }, sandbox.fetch)
