// A gateway as a Cloudflare Worker: the dashboard calls it without a key, it calls the service with one.
// Must not live here: what is let through by default (that is the package's).

import { createGateway } from 'tailnet-kit/gateway'

let gateway

export default {
  fetch(request, env) {
    gateway ??= createGateway({
      baseURL: env.SERVICE_URL,
      apiKey: env.API_KEY,
      tailnet: env.TAILNET,
      prefix: '/gate',
      // Ask your session store here; the second argument names the operation, so that some may do more than others.
      authorize: (request) => Boolean(env.SESSION) && (request.headers.get('cookie') ?? '').split('; ').includes(`session=${env.SESSION}`),
    })
    return gateway(request)
  },
}
