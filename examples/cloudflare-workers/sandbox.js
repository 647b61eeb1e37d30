// The whole service as a Cloudflare Worker. Its state lives in a Durable Object, so that every edge location sees the same one
// and a change is stored before its answer leaves. Must not live here: the service itself.

import { DurableObject } from 'cloudflare:workers'
import { Sandbox } from 'tailnet-kit/sandbox'

export class Service extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env)
    ctx.blockConcurrencyWhile(async () => {
      const state = await ctx.storage.get('state')
      this.sandbox = new Sandbox({ apiKey: env.API_KEY, ...(state && { state, tailnet: Object.keys(state.tailnets) }) })
    })
  }

  async fetch(request) {
    const { revision } = this.sandbox
    const response = await this.sandbox.fetch(request)
    if (this.sandbox.revision !== revision) await this.ctx.storage.put('state', this.sandbox.snapshot())
    return response
  }
}

export default {
  fetch: (request, env) => env.SERVICE.get(env.SERVICE.idFromName('service')).fetch(request),
}
