// The services in their own wasm, which take a request as its parts: the base of the sandboxes' classes and of the command's server.
// Must not live here: the web's Request and Response, HTTP, who may call.

import { json } from '../../common/arguments.js'
import { instance, wasm } from './sandbox.wasm.js'

const { call } = instance
const create = call(wasm.sandbox_create)
const handle = call(wasm.sandbox_handle)
const restore = call(wasm.sandbox_restore)
const snapshot = call(wasm.sandbox_snapshot)
const revision = call(wasm.sandbox_revision)
const join = call(wasm.sandbox_join)
const token = call(wasm.sandbox_token)
const pass = call(wasm.sandbox_pass)
const deliveries = call(wasm.sandbox_deliveries)
const createHeadscale = call(wasm.headscale_sandbox_create)
const handleHeadscale = call(wasm.headscale_sandbox_handle)
const keyOfHeadscale = call(wasm.headscale_sandbox_key)
const revisionOfHeadscale = call(wasm.headscale_sandbox_revision)

/** The header fields that an answer may depend on; the service gets no others. */
export const READ_HEADERS = ['accept', 'authorization', 'content-type', 'if-match']

/** The base URL of a client that uses a sandbox's `fetch`. */
export const baseURL = call(wasm.sandbox_base_url)

/** A refusal that does not come from the service, in the form of the service's own: `{message}`. */
export const refusal = (status, message, headers = []) => ({
  status,
  headers: [['content-type', 'application/json'], ...headers],
  body: JSON.stringify({ message }),
})

/** The refusal of a body in this `Content-Encoding`; undefined where the body can be read. */
export const refusedEncoding = (encoding) =>
  encoding && encoding.toLowerCase() !== 'identity'
    ? refusal(415, `a body in the encoding \`${encoding}\` is not read; send it plain`, [['accept-encoding', 'identity']])
    : undefined

/** HEAD is answered as GET; the caller leaves the body out. */
function answered(handle, service, { method, target, headers, body }, now) {
  const answer = handle(service, method === 'HEAD' ? 'GET' : method, target, json(headers), body, now)
  if (answer.status !== 405) return answer
  const named = ([name, value]) => [name, name.toLowerCase() === 'allow' ? value.replace(/\bGET\b/, 'GET, HEAD') : value]
  return { ...answer, headers: answer.headers.map(named) }
}

export class Service {
  // The engine frees it together with this object.
  #service

  /** Throws `invalid_argument`. */
  constructor(options, now) {
    this.#service = create(json(options), now)
  }

  /**
   * Answers at the time `now` with `{ status, headers, body }`, where `headers` are pairs and `body` is text. `target` is a URL, or
   * its path and query as they were sent; `headers` are pairs of READ_HEADERS; `body` is bytes.
   */
  answer(request, now) {
    return answered(handle, this.#service, request, now)
  }

  /** Grows with each change of the state, by a request or by `restore`. */
  get revision() {
    return revision(this.#service)
  }

  /** The whole state as JSON text. */
  get state() {
    return snapshot(this.#service)
  }

  restore(state) {
    restore(this.#service, json(state))
  }

  /** The device that signs in at the time `now`, as the API shows it. */
  join(machine, now) {
    return JSON.parse(join(this.#service, json(machine), now))
  }

  /** A new access token, without a request to the token endpoint. */
  token(grant, now) {
    return token(this.#service, json(grant), now)
  }

  /** Lets time pass from one instant to another. */
  pass(from, to) {
    pass(this.#service, from, to)
  }

  /** The deliveries to webhooks since the last call of this method. */
  deliveries() {
    return deliveries(this.#service)
  }
}

/** Headscale, whose refusals have its own form. */
export class HeadscaleService {
  // The engine frees it together with this object.
  #service

  /** Throws `invalid_argument`. */
  constructor(options, now) {
    this.#service = createHeadscale(json(options), now)
  }

  /** As `answer` of Service. */
  answer(request, now) {
    return answered(handleHeadscale, this.#service, request, now)
  }

  /** Grows with each request that may have changed something. */
  get revision() {
    return revisionOfHeadscale(this.#service)
  }

  /** The key that it began with. */
  get apiKey() {
    return keyOfHeadscale(this.#service)
  }
}
