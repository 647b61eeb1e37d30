// `createGateway`: calls `authorize`, sends requests, waits for answers, keeps what the wasm is to know again. Must not live here: what follows from
// anything that happened, which requests and headers pass, what a refusal says, what must stay hidden.

import { json, marks } from '../../common/arguments.js'
import { instance, wasm } from './gateway.wasm.js'

const { call } = instance
const check = call(wasm.gateway_check)
const next = parsed(wasm.gateway_next)
const members = call(wasm.gateway_members)
const knows = call(wasm.gateway_knows)
const passing = call(wasm.gateway_passing)
const failure = parsed(wasm.gateway_failure)

/** How many bytes of an answer are searched for the key at a time. */
const PIECE = 1 << 18

/** A call whose answer is JSON text. */
function parsed(given) {
  const text = call(given)
  return (...args) => JSON.parse(text(...args))
}

const responseOf = ({ body, status, headers }) => new Response(body || null, { status, headers })

/** Why a body was not read to its end. */
class TooLong extends Error {}

export function createGateway(options) {
  if (typeof options !== 'function') return handler(options)
  let made
  return async (request) => {
    made ??= Promise.resolve().then(options).then(handler)
    const handle = await made.catch(() => (made = undefined))
    return handle ? handle(request) : responseOf(failure())
  }
}

function handler(options) {
  const { apiKey, ...data } = options ?? {}
  const settings = json(options && marks(data, Object.keys(data)))
  check(settings, typeof apiKey === 'function' ? undefined : String(apiKey ?? ''))
  const { authorize, fetch: given } = data
  /** Calls fetch without `this`, as every runtime demands of its own. */
  const fetch = (...args) => (given ?? globalThis.fetch)(...args)
  const use = { apiKey, authorize, fetch, known: new Map() }

  return async (request) => {
    const asked = [settings, request.method, request.url, JSON.stringify([...request.headers])]
    const acts = actsOf(request, use)
    const events = []
    for (;;) {
      const step = next(...asked, JSON.stringify(events))
      if (step.status) return acts[step.act](step)
      events.push(await outcome(() => acts[step.act](step), request.signal, step.act === 'authorize' ? step.limit : 0))
    }
  }
}

/** What can be done with one request, by the name that the wasm has for it; each gives what happened, the last two the answer. */
function actsOf(request, { apiKey, authorize, fetch, known }) {
  const { signal } = request
  /** The caller's body; the service's answer; what is read; what passes of it. */
  let received
  let response
  let open
  let stream
  const bytes = async (message, limit) => {
    open = message.body ? reading(message, limit) : undefined
    return open && gathered(open)
  }
  const recalled = ({ id, list }) => ({ member: knows(known.get(list) ?? '', id, Date.now()) })
  return {
    authorize: async ({ operation }) => ({ authorized: typeof authorize === 'function' && (await shown(authorize, request, operation)) === true }),
    receive: async ({ limit }) => {
      received = await bytes(request, limit)
      return { read: true }
    },
    key: async ({ baseURL, rejected }) => {
      const key = typeof apiKey === 'function' ? await apiKey({ baseURL, fetch, signal, ...(rejected && { rejected }) }) : apiKey
      return { key: String(key ?? '') }
    },
    send: async ({ url, method, headers, withBody }) => {
      response?.body?.cancel().catch(() => {})
      // Redirects come back as they are.
      response = await fetch(url, { method, headers, body: withBody ? received : undefined, signal, redirect: 'manual' })
      return { status: response.status, headers: [...response.headers] }
    },
    recall: async (member) => recalled(member),
    list: async (member) => {
      const listed = members(member.list, (await bytes(response, member.limit)) ?? new Uint8Array(), Date.now())
      if (listed === undefined) return { failed: true }
      known.set(member.list, listed)
      return recalled(member)
    },
    open: async ({ key, limit }) => {
      open = response.body ? reading(response, limit) : undefined
      stream = open ? await searched(open, key) : null
      return { read: true }
    },
    words: async ({ limit }) => ({ words: new TextDecoder().decode(await bytes(response, limit)) }),
    answer: (answer) => {
      // Whoever gave up leaves nothing behind that is still read.
      open?.stop()
      if (!response?.body?.locked) response?.body?.cancel().catch(() => {})
      return responseOf(answer)
    },
    pass: ({ status, headers }) => new Response(stream, { status, headers }),
  }
}

/** What comes of the work: what it gives, or that it failed, or that the time was over or the caller gave up before. */
async function outcome(work, signal, limit) {
  let timer
  let stop
  const late = new Promise((resolve) => {
    stop = () => resolve({ late: true })
    if (limit) timer = setTimeout(stop, limit)
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
  })
  try {
    return await Promise.race([late, work()])
  } catch (failed) {
    return failed instanceof TooLong ? { tooLong: true } : { failed: true }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** The answer of `authorize`. It gets a copy of the request, so that the body is still there for the service. */
async function shown(authorize, request, operation) {
  const copy = request.body ? request.clone() : request
  try {
    return await authorize(copy, operation)
  } finally {
    // Otherwise the runtime would buffer the original's body for a copy that nobody reads.
    if (copy !== request && !copy.body?.locked) copy.body?.cancel().catch(() => {})
  }
}

/** Reads the body of a message by pieces, at most `limit` bytes. */
function reading({ body, headers }, limit) {
  const reader = body.getReader()
  let length = Number(headers.get('content-length')) > limit ? Infinity : 0
  const stop = () => void reader.cancel().catch(() => {})
  /** The next piece; undefined at the end. */
  const next = async () => {
    const { done, value } = length > limit ? {} : await reader.read()
    length += value?.byteLength ?? 0
    if (length <= limit) return done ? undefined : value
    stop()
    throw new TooLong()
  }
  return { next, stop }
}

/** The whole body as bytes. */
async function gathered({ next }) {
  const chunks = []
  for (let piece = await next(); piece; piece = await next()) chunks.push(piece)
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/** The body as it comes, without the key; null where it is empty. Fails where its first piece may not pass; later it breaks off. */
async function searched({ next, stop }, key) {
  let held = new Uint8Array()
  /** What may pass of the next pieces; bytes with which the key may begin wait for more. */
  const more = async () => {
    for (let piece = await next(); piece; piece = await next()) {
      const free = []
      for (let from = 0; from < piece.length; from += PIECE) {
        const part = joined(held, piece.subarray(from, from + PIECE))
        const end = passing(key, part)
        if (end < 0) {
          stop()
          throw new Error('the answer may not pass')
        }
        free.push(part.subarray(0, end))
        held = part.subarray(end)
      }
      const passed = joined(...free)
      if (passed.length > 0) return passed
    }
    const rest = held
    held = new Uint8Array()
    return rest.length > 0 ? rest : undefined
  }
  let first = await more()
  if (!first) return null
  const pull = async (to) => {
    const piece = first ?? (await more())
    first = undefined
    if (piece) to.enqueue(piece)
    else to.close()
  }
  // Nothing more is read before somebody asks for it.
  return new ReadableStream({ pull, cancel: stop }, { highWaterMark: 0 })
}

function joined(...parts) {
  const full = parts.filter(({ length }) => length > 0)
  if (full.length < 2) return full[0] ?? new Uint8Array()
  const all = new Uint8Array(full.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of full) {
    all.set(part, at)
    at += part.length
  }
  return all
}
