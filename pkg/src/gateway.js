// `createGateway`: asks, sends and waits. Must not live here: what is let through, what is answered, which headers pass.

import { json } from '../../common/arguments.js'
import { instance, wasm } from './gateway.wasm.js'

const { call } = instance
const check = call(wasm.gateway_check)
const authorization = call(wasm.gateway_authorization)
const plan = call(wasm.gateway_plan)
const lookup = call(wasm.gateway_lookup)
const refuse = call(wasm.gateway_refuse)
const conceal = call(wasm.gateway_conceal)
const handBack = call(wasm.gateway_hand_back)

/** How long the devices of the tailnet are remembered, in milliseconds; for reading only. */
const REMEMBERED = 10_000

const pairs = (headers) => JSON.stringify([...headers])
const answer = ({ body, status, headers }) => new Response(body || null, { status, headers })

export function createGateway(all) {
  const { apiKey, authorize, fetch: given, ...options } = all ?? {}
  const settings = json(options)
  check(settings)
  if (typeof apiKey !== 'function') authorization(String(apiKey ?? ''))
  let known = { ids: new Set(), until: 0 }

  const credentials = async () => authorization(String((await (typeof apiKey === 'function' ? apiKey() : apiKey)) ?? ''))

  /** Redirects come back as they are. */
  const send = ({ url, method, headers }, key, signal, body) => {
    // Called without `this`, as every runtime wants its own fetch to be.
    const fetch = given ?? globalThis.fetch
    return fetch(url, { method, headers: [...headers, ['Authorization', key]], body, signal, redirect: 'manual' })
  }

  /** Undefined if the device is one of the tailnet, `null` if not, else the service's refusal to say. */
  const missing = async ({ device: id, changes }, key, signal) => {
    if (!changes && known.until > Date.now() && known.ids.has(id)) return undefined
    const response = await send(lookup(settings), key, signal)
    if (!response.ok) return response
    const { devices } = await response.json()
    known = { ids: new Set(devices.flatMap(({ id, nodeId }) => [id, nodeId])), until: Date.now() + REMEMBERED }
    return known.ids.has(id) ? undefined : null
  }

  return async (request) => {
    const caller = pairs(request.headers)
    const refused = (reason) => answer(refuse(settings, reason, caller))
    /** Successes as they stream in; what the service says of a failure may repeat the key. */
    const passed = async (response, key) => {
      const outer = handBack(settings, caller, response.status, pairs(response.headers))
      if (outer.body) return answer(outer)
      return response.ok ? new Response(response.body, outer) : answer({ ...outer, body: conceal(key, await response.text()) })
    }
    const { preflight, refusal, admission } = plan(settings, request.method, request.url, caller)
    if (preflight) return answer(preflight)
    if (typeof authorize !== 'function') return refused('unauthorized')
    if (refusal) return answer(refusal)
    let body
    let key
    try {
      body = await read(request, admission.maxBody)
      if (body === null) return refused('too_large')
      // The body is read by now; whoever authorizes may read it too.
      const shown = body === undefined ? request : new Request(request, { body })
      if ((await authorize(shown, admission.operation)) !== true) return refused('unauthorized')
      key = await credentials()
    } catch {
      return refused('failed')
    }
    try {
      const absent = admission.device === undefined ? undefined : await missing(admission, key, request.signal)
      if (absent === null) return refused('unknown_device')
      return await passed(absent ?? (await send(admission.send, key, request.signal, body)), key)
    } catch {
      return refused('unreachable')
    }
  }
}

/** The body as bytes, undefined where there is none, null where it is longer than `limit`. */
async function read(request, limit) {
  if (request.method === 'GET' || !request.body) return undefined
  if (Number(request.headers.get('content-length')) > limit) return null
  const chunks = []
  let length = 0
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(chunks).arrayBuffer()
    length += value.byteLength
    if (length > limit) {
      reader.cancel().catch(() => {})
      return null
    }
    chunks.push(value)
  }
}
