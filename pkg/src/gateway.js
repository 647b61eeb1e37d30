// `createGateway`: asks, sends and waits. Must not live here: what is let through, what is answered, which headers pass, what may
// not pass.

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

/** How long what a list of the tailnet holds is remembered, in milliseconds; for reading only. */
const REMEMBERED = 10_000
/** Bytes of an answer that are looked at in one go, and how many of them once more with the next: spellings lie across. */
const PIECE = 1 << 18
const OVERLAP = 1 << 14

const pairs = (headers) => JSON.stringify([...headers])
const answer = ({ body, status, headers }) => new Response(body || null, { status, headers })

/** Why there is no answer of the service; the reason is one that the wasm knows. */
class Refused extends Error {
  constructor(reason) {
    super(reason)
    this.reason = reason
  }
}

/** What the work gives; its failure is a refusal for this reason. */
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
  /** By list: the ids in it, and until when they count. */
  const known = new Map()

  /** Called without `this`, as every runtime wants its own fetch to be. */
  const fetch = (...args) => (given ?? globalThis.fetch)(...args)

  /** The value of `Authorization`; after a 401 of this key that of another, if there is one. */
  const credentials = (signal, rejected) =>
    orRefused('failed', async () => {
      const key = typeof apiKey === 'function' ? await apiKey({ baseURL, fetch, signal, ...(rejected && { rejected }) }) : apiKey
      return { key, header: authorization(String(key ?? '')) }
    })

  /** Redirects come back as they are. */
  const send = ({ url, method, headers }, header, signal, body) =>
    fetch(url, { method, headers: [...headers, ['Authorization', header]], body, signal, redirect: 'manual' })

  /** The service's refusal to say what there is; nothing where what is named is of the tailnet. */
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

  /** The service's answer and the key it was asked with. A key that was not taken is asked for once more. */
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

  /** What of the answer passes: of a failure what the service says without the key, and nothing that repeats it otherwise. */
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

/** What `authorize` says in time, of a copy: what it reads of the body is still there for the service. */
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
    // A copy that nobody reads would be kept as the original is read.
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
