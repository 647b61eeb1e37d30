// `createGateway`: calls `authorize`, sends requests and waits for answers. Must not live here: which requests and headers pass,
// what a refusal says, what must stay hidden.

import { json, marks } from '../../common/arguments.js'
import { instance, wasm } from './gateway.wasm.js'

const { call } = instance
const check = call(wasm.gateway_check)
const authorization = call(wasm.gateway_authorization)
const plan = call(wasm.gateway_plan)
const refuse = call(wasm.gateway_refuse)
const conceal = call(wasm.gateway_conceal)
const repeats = call(wasm.gateway_repeats)
const handBack = call(wasm.gateway_hand_back)

/** For how many milliseconds the ids in a list of the tailnet are remembered; used for reads only. */
const REMEMBERED = 10_000
/** How many bytes of an answer are searched at a time, and how many of the next piece with them: a spelling of the key may lie across both. */
const PIECE = 1 << 18
const OVERLAP = 1 << 14

const pairs = (headers) => JSON.stringify([...headers])
const answer = ({ body, status, headers }) => new Response(body || null, { status, headers })

/** Why the gateway itself answers; the reason is one that the wasm knows. */
class Refused extends Error {
  constructor(reason) {
    super(reason)
    this.reason = reason
  }
}

/** The result of the work; its failure becomes a refusal for this reason. */
async function orRefused(reason, work) {
  try {
    return await work()
  } catch (failure) {
    throw failure instanceof Refused ? failure : new Refused(reason)
  }
}

export function createGateway(options) {
  if (typeof options !== 'function') return handler(options)
  let made
  return async (request) => {
    made ??= Promise.resolve().then(options).then(handler)
    const handle = await made.catch((error) => {
      made = undefined
      throw error
    })
    return handle(request)
  }
}

function handler(options) {
  const { apiKey, ...data } = options ?? {}
  const { authorize, fetch: given } = data
  const settings = json(options && marks(data, Object.keys(data)))
  const { baseURL, authorizeTimeout, maxResponseBytes } = check(settings)
  if (typeof apiKey !== 'function') authorization(String(apiKey ?? ''))
  /** For each list: the ids in it, and until when they may be used. */
  const known = new Map()

  /** Calls fetch without `this`, as every runtime demands of its own. */
  const fetch = (...args) => (given ?? globalThis.fetch)(...args)

  /** The key and the value of `Authorization`; `rejected` is a key that the service answered with 401. */
  const credentials = (signal, rejected) =>
    orRefused('failed', async () => {
      const key = typeof apiKey === 'function' ? await apiKey({ baseURL, fetch, signal, ...(rejected && { rejected }) }) : apiKey
      return { key, header: authorization(String(key ?? '')) }
    })

  /** Sends a request. Redirects come back as they are. */
  const send = ({ url, method, headers }, header, signal, body) =>
    fetch(url, { method, headers: [...headers, ['Authorization', header]], body, signal, redirect: 'manual' })

  /** Checks that what the request names belongs to the tailnet. Returns the service's answer where it does not give the list, otherwise undefined. */
  const missing = async ({ member, changes }, header, signal) => {
    if (member === undefined) return undefined
    const { id, lookup, list, names } = member
    const { ids, until } = known.get(list) ?? {}
    if (!changes && until > Date.now() && ids.has(id)) return undefined
    const response = await send(lookup, header, signal)
    if (!response.ok) return response
    const bytes = await read(response, maxResponseBytes)
    if (bytes === null) throw new Refused('unreachable')
    const entries = JSON.parse(new TextDecoder().decode(bytes))[list] ?? []
    const present = new Set(entries.flatMap((entry) => names.map((name) => entry[name])))
    known.set(list, { ids: present, until: Date.now() + REMEMBERED })
    if (!present.has(id)) throw new Refused('unknown_member')
    return undefined
  }

  /** The service's answer and the credentials it was asked with. After a 401 `apiKey` is called again. */
  const exchange = async (admission, signal, body) => {
    const ask = async (header) => (await missing(admission, header, signal)) ?? send(admission.send, header, signal, body)
    const { key, header } = await credentials(signal)
    const response = await ask(header)
    if (response.status !== 401 || typeof apiKey !== 'function') return { response, header }
    const other = await credentials(signal, key)
    if (other.header === header) return { response, header }
    response.body?.cancel().catch(() => {})
    return { response: await ask(other.header), header: other.header }
  }

  /** The answer for the caller. The key is removed from a failure's words; an answer that repeats the key in another way does not pass. */
  const passed = async ({ response, header }, caller) => {
    const outer = handBack(settings, caller, response.status, pairs(response.headers), header)
    if (outer.body) return answer(outer)
    const body = await read(response, maxResponseBytes)
    if (body === null) throw new Refused('unreachable')
    let bytes = new Uint8Array(body ?? 0)
    if (!response.ok) bytes = new TextEncoder().encode(conceal(header, new TextDecoder().decode(bytes)))
    for (let from = 0; from < bytes.length; from += PIECE) {
      if (repeats(header, bytes.subarray(from, from + PIECE + OVERLAP))) throw new Refused('unreachable')
    }
    return new Response(bytes.length > 0 ? bytes : null, outer)
  }

  return async (request) => {
    const caller = pairs(request.headers)
    const { preflight, operation, refusal, admission } = plan(settings, request.method, request.url, caller)
    if (preflight) return answer(preflight)
    try {
      const may = authorize && (await orRefused('failed', () => asked(authorize, request, operation, authorizeTimeout)))
      if (may !== true) throw new Refused('unauthorized')
      if (refusal) return answer(refusal)
      const body = await orRefused('failed', () => read(request, admission.maxBody))
      if (body === null) throw new Refused('too_large')
      return await orRefused('unreachable', async () => passed(await exchange(admission, request.signal, body), caller))
    } catch (failure) {
      return answer(refuse(settings, failure?.reason ?? 'failed', caller))
    }
  }
}

/** The answer of `authorize` within the time limit. It gets a copy of the request, so that the body is still there for the service. */
async function asked(authorize, request, operation, limit) {
  const { signal } = request
  const shown = request.body ? request.clone() : request
  let timer
  let stop
  const late = new Promise((_, reject) => {
    stop = () => reject(new Refused('late'))
    if (limit) timer = setTimeout(stop, limit)
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
  })
  try {
    return await Promise.race([late, (async () => authorize(shown, operation))()])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    // Otherwise the runtime would buffer the original's body for a copy that nobody reads.
    if (shown !== request && !shown.body?.locked) shown.body?.cancel().catch(() => {})
  }
}

/** The body as bytes, undefined where there is none, null where it is longer than `limit`. */
async function read({ body, headers }, limit) {
  if (!body) return undefined
  if (Number(headers.get('content-length')) > limit) {
    body.cancel().catch(() => {})
    return null
  }
  const chunks = []
  let length = 0
  const reader = body.getReader()
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
