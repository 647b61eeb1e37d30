// The class `HeadscaleSandbox`: Headscale behind a `fetch`. Must not live here: what it answers, or starting the wasm.

import { invalid, only } from '../../common/arguments.js'
import { partsOf, requestOf, responseTo } from './parts.js'
import { HeadscaleService, baseURL, refusedEncoding } from './service.js'

const OPTIONS = ['apiKey', 'state', 'errors', 'now']

export class HeadscaleSandbox {
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
  }
}
