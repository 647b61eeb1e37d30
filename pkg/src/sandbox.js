// The class `Sandbox`: the service behind a `fetch`. Must not live here: the service, who may call, or starting the wasm.

import { invalid, only } from '../../common/arguments.js'
import { send } from '../../common/deliveries.js'
import { partsOf, requestOf, responseTo } from './parts.js'
import { Service, baseURL, refusal, refusedEncoding } from './service.js'
import { allowing, isPreflight, visitors } from '../../common/visitors.js'

const OPTIONS = ['tailnet', 'apiKey', 'state', 'now', 'origins', 'hosts', 'deliver', 'lists']

/** What is said of a machine that joins, and of a token. */
const MACHINE = ['key', 'user', 'tailnet', 'hostname', 'os', 'tags', 'advertisedRoutes']
const GRANT = ['scopes', 'tags', 'tailnet', 'user', 'expiresIn']

export class Sandbox {
  #service
  #visitors
  #now
  #ahead = 0
  #deliver
  #deliveries = []
  #underWay = new Set()

  constructor(all) {
    const { now = Date.now, origins, hosts, deliver, ...options } = only(OPTIONS, all) ?? {}
    if (typeof now !== 'function') invalid('`now` must be a function')
    if (deliver !== undefined && typeof deliver !== 'function') invalid('`deliver` must be a function')
    this.#deliver = deliver
    this.#now = () => now() + this.#ahead
    this.baseURL = baseURL()
    this.#visitors = visitors({ origins, hosts: Array.isArray(hosts) ? [...hosts, new URL(this.baseURL).host] : hosts })
    this.#service = new Service(options, this.#now())
    this.fetch = async (input, init) => {
      const request = requestOf(input, init, this.baseURL)
      const of = (name) => request.headers.get(name)
      const refused = this.#visitors.refused(of('host') ?? new URL(request.url).host, of)
      if (refused)
        return responseTo(
          request,
          refusal(403, refused),
          allowing(() => undefined),
        )
      return responseTo(request, await this.#answer(request, of), allowing(of))
    }
  }

  async #answer(request, of) {
    if (isPreflight(request.method, of)) return this.#visitors.preflight(of)
    const parts = await partsOf(request)
    return refusedEncoding(of('content-encoding')) ?? this.#notified(this.#service.answer(parts, this.#now()))
  }

  /** Sends the deliveries to webhooks that a change causes; returns the change's own result. */
  #notified(outcome) {
    for (const { headers, ...delivery } of this.#service.deliveries()) {
      const kept = { ...delivery, status: null }
      this.#deliveries.push(kept)
      const sent = send({ ...delivery, headers }, this.#deliver).then((status) => {
        kept.status = status
        this.#underWay.delete(sent)
      })
      this.#underWay.add(sent)
    }
    return outcome
  }

  get deliveries() {
    return [...this.#deliveries]
  }

  async settled() {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  /** Grows with each change of the state, by a request or by `restore`. */
  get revision() {
    return this.#service.revision
  }

  snapshot() {
    return JSON.parse(this.#service.state)
  }

  restore(state) {
    this.#service.restore(state)
  }

  /** Moves the clock on; keys and tokens may expire by that. */
  advance(ms) {
    if (!(ms >= 0 && ms < Infinity)) invalid('`ms` must be a number of milliseconds, 0 or more')
    const from = this.#now()
    this.#ahead += ms
    this.#notified(this.#service.pass(from, this.#now()))
  }

  join(machine) {
    return this.#notified(this.#service.join(only(MACHINE, machine) ?? {}, this.#now()))
  }

  token(grant) {
    return this.#service.token(only(GRANT, grant) ?? {}, this.#now())
  }
}
