// The service in its own wasm, asked in parts: what the class `Sandbox` and the command's server stand on.
// Must not live here: Request and Response of the web, HTTP, who may call.

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

/** Header fields that an answer may depend on; the service is told of no other. */
export const HEARD = ['accept', 'authorization', 'content-type', 'if-match']

/** Where a client reaches any sandbox whose `fetch` it was given. */
export const baseURL = call(wasm.sandbox_base_url)

/** An answer that the service does not give itself: `{message}`, as its own refusals are. */
export const refusal = (status, message, headers = []) => ({
  status,
  headers: [['content-type', 'application/json'], ...headers],
  body: JSON.stringify({ message }),
})

/** Why a body cannot be read as it stands; undefined where it can. Takes the value of `Content-Encoding`. */
export const refusedEncoding = (encoding) =>
  encoding && encoding.toLowerCase() !== 'identity'
    ? refusal(415, `a body in the encoding \`${encoding}\` is not read; send it plain`, [['accept-encoding', 'identity']])
    : undefined

export class Service {
  // Freed by the engine together with this object.
  #service

  /** Throws `invalid_argument`. */
  constructor(options, now) {
    this.#service = create(json(options), now)
  }

  /**
   * Answers at the time `now` with `{ status, headers, body }`: pairs, and text. `target` is a URL, or its path and query as
   * they were sent; `headers` pairs of those HEARD; `body` bytes. HEAD is answered as GET: whoever sends it leaves the body out.
   */
  answer({ method, target, headers, body }, now) {
    const answer = handle(this.#service, method === 'HEAD' ? 'GET' : method, target, json(headers), body, now)
    if (answer.status !== 405) return answer
    const named = ([name, value]) => [name, name.toLowerCase() === 'allow' ? value.replace(/\bGET\b/, 'GET, HEAD') : value]
    return { ...answer, headers: answer.headers.map(named) }
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

  /** An access token, without the token endpoint. */
  token(grant, now) {
    return token(this.#service, json(grant), now)
  }

  /** Lets time pass from one instant to another. */
  pass(from, to) {
    pass(this.#service, from, to)
  }

  /** What is to be sent to webhooks since this was last asked. */
  deliveries() {
    return deliveries(this.#service)
  }
}
