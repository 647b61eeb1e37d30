// The whole service as a Cloudflare Worker. Its state lives in a Durable Object, so that every edge location sees the same one
// and a change is stored before its answer leaves. Must not live here: the service itself.

import { DurableObject } from 'cloudflare:workers'
import { Sandbox, type SandboxState } from 'tailnet-kit/sandbox'

interface Env {
  API_KEY: string
  SERVICE: DurableObjectNamespace
}

export class Service extends DurableObject<Env> {
  sandbox!: Sandbox

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.blockConcurrencyWhile(() => this.load())
  }

  async load() {
    const state = await this.ctx.storage.get<SandboxState>('state')
    this.sandbox = new Sandbox({ apiKey: this.env.API_KEY, ...(state && { state, tailnet: Object.keys(state.tailnets) }) })
  }

  override async fetch(request: Request) {
    const { revision } = this.sandbox
    const response = await this.sandbox.fetch(request)
    if (this.sandbox.revision === revision) return response
    try {
      await this.ctx.storage.put('state', this.sandbox.snapshot())
      return response
    } catch (error) {
      // What is not stored has not happened: a value of the storage holds 2 MB.
      await this.load()
      return Response.json({ message: `the change could not be stored: ${(error as Error).message}` }, { status: 500 })
    }
  }
}

export default {
  fetch: (request: Request, env: Env) => env.SERVICE.get(env.SERVICE.idFromName('service')).fetch(request),
}
