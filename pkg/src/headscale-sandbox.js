// The class `HeadscaleSandbox`: Headscale behind a `fetch`. Must not live here: what it answers, or starting the wasm.

import { invalid, only } from '../../common/arguments.js'
import { partsOf, requestOf, responseTo } from './parts.js'
import { HeadscaleService, baseURL, refusedEncoding } from './service.js'

const OPTIONS = ['apiKey', 'state', 'errors', 'now']

export class HeadscaleSandbox {
  #ask

  constructor(all) {
    const { now = Date.now, ...options } = only(OPTIONS, all) ?? {}
    if (typeof now !== 'function') invalid('`now` must be a function')
    const service = new HeadscaleService(options, now())
    this.baseURL = baseURL()
    this.apiKey = service.apiKey
    this.fetch = async (input, init) => {
      const request = requestOf(input, init, this.baseURL)
      const parts = await partsOf(request)
      return responseTo(request, refusedEncoding(request.headers.get('content-encoding')) ?? service.answer(parts, now()))
    }
    this.#ask = (path) => {
      const target = `${this.baseURL}/api/v1/${path}`
      const request = { method: 'GET', target, headers: [['authorization', `Bearer ${this.apiKey}`]], body: new Uint8Array() }
      const { status, body } = service.answer(request, now())
      if (status === 401) throw new Error('the key that the sandbox began with opens it no more')
      return JSON.parse(body)
    }
  }

  snapshot() {
    return { users: this.#ask('user').users, nodes: this.#ask('node').nodes, policy: this.#ask('policy').policy ?? '' }
  }
}
