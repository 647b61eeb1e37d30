// The class `Sandbox` over its own wasm. Must not live here: the service, or starting the wasm.

import * as wasm from '../wasm/sandbox/sandbox_bg.js'
import { invalid, json } from './arguments.js'
import { call } from './sandbox-instance.js'

const create = call(wasm.sandbox_create)
const handle = call(wasm.sandbox_handle)
const restore = call(wasm.sandbox_restore)
const snapshot = call(wasm.sandbox_snapshot)
const revision = call(wasm.sandbox_revision)

export class Sandbox {
  // Freed by the engine together with this object.
  #service
  #now

  constructor(all) {
    const { now = Date.now, ...options } = all ?? {}
    if (typeof now !== 'function') invalid('`now` must be a function')
    this.#now = now
    this.#service = create(json(options), now())
    this.baseURL = wasm.sandbox_base_url()
    this.fetch = async (input, init) => {
      const request = new Request(typeof input === 'string' ? new URL(input, this.baseURL) : input, init)
      request.signal?.throwIfAborted()
      const body = new Uint8Array(await request.arrayBuffer())
      request.signal?.throwIfAborted()
      const answer = handle(this.#service, request.method, request.url, json([...request.headers]), body, this.#now())
      return new Response(answer.body || null, { status: answer.status, headers: answer.headers })
    }
  }

  /** Grows with each change of the state, by a request or by `restore`. */
  get revision() {
    return revision(this.#service)
  }

  snapshot() {
    return JSON.parse(snapshot(this.#service))
  }

  restore(state) {
    restore(this.#service, json(state))
  }
}
