// `oauth` and `federated`: functions for `apiKey` that return access tokens. They keep a token, and callers at the same time share
// one request for it. Must not live here: which token may still be used, the request itself, errors.

import { mark, marks, only, optionalJSON as json } from '../../common/arguments.js'
import { toError } from '../../common/errors.js'
import { readBody } from './body.js'
import { instance, wasm } from './client.wasm.js'

const { call, canRun, hold } = instance
const nameOf = call((settings, baseURL) => wasm.token_name(settings, baseURL))
const accepts = call((settings, token, rejected) => wasm.token_accepts(settings, token, rejected))
const ask = call((...given) => wasm.token_request(...given))

/** The time limit of a request in milliseconds, where none is given. */
const TIMEOUT = 30_000
/** How many milliseconds to wait for a store before going on without it. */
const STORE_PATIENCE = 2_000
/** How many milliseconds a caller waits for a request that another caller began. */
const PATIENCE = 3_000

/** The options of both. */
const BOTH = ['clientId', 'store', 'renewBefore', 'baseURL', 'fetch', 'timeout']

export const oauth = (options) => source('oauth', 'clientSecret', only([...BOTH, 'clientSecret', 'scopes', 'tags'], options))
export const federated = (options) => source('federated', 'idToken', only([...BOTH, 'idToken'], options))

function source(kind, proof, options) {
  const given = { timeout: TIMEOUT, ...options }
  const settings = json({
    ...given,
    kind,
    [proof]: mark(given[proof]),
    fetch: mark(given.fetch),
    store: marks(given.store, ['get', 'set', 'delete']),
  })
  // Wrong options have no name and throw: now where the wasm can run, else at the first call.
  if (canRun()) nameOf(settings, '')
  /** Tokens by base URL: a token is sent only to the service that gave it. */
  const tokens = new Map()
  const underWay = new Map()

  const usable = ({ accessToken, expiresAt }, rejected) => accepts(settings, json({ accessToken, expiresAt }), rejected)
  /** The store's answer; undefined where it fails or is late. */
  const kept = async (act, ...args) => {
    if (!given.store) return undefined
    const [answer] = await inTime((async () => given.store[act](...args))(), STORE_PATIENCE).catch(() => [])
    return answer
  }

  const obtain = async (baseURL, rejected, fetch) => {
    const name = nameOf(settings, baseURL)
    const stored = await kept('get', name)
    if (stored && usable(stored, rejected)) return stored
    if (rejected && stored?.accessToken === rejected) await kept('delete', name)
    const proven = typeof given[proof] === 'function' ? await given[proof]() : given[proof]
    hold()
    const { data: token } = await ask(settings, baseURL, String(proven ?? ''), { fetch, logLevel: 'off', readBody })
    await kept('set', name, token)
    return token
  }

  /**
   * The known token, or that of one request shared by all callers meanwhile. A runtime may end the caller who began the request,
   * and the request too, so after a while another caller begins a new one.
   */
  const current = async (baseURL, rejected, fetch) => {
    for (;;) {
      const known = tokens.get(baseURL)
      if (known && usable(known, rejected)) return known
      const awaited = underWay.get(baseURL)
      if (!awaited) break
      const [token] = await inTime(awaited, PATIENCE)
      // A request that began before this token was refused may return the same token.
      if (token && token.accessToken !== rejected) return token
      if (underWay.get(baseURL) === awaited) underWay.delete(baseURL)
    }
    const begun = obtain(baseURL, rejected, fetch).then((token) => (tokens.set(baseURL, token), token))
    const over = () => {
      if (underWay.get(baseURL) === begun) underWay.delete(baseURL)
    }
    underWay.set(baseURL, begun)
    begun.then(over, over)
    return begun
  }

  return async (request) => {
    const { rejected, signal } = request ?? {}
    const baseURL = String(given.baseURL ?? request?.baseURL ?? '')
    const fetch = given.fetch ?? request?.fetch
    try {
      return (await follow(current(baseURL, rejected, fetch), signal)).accessToken
    } catch (thrown) {
      throw toError(thrown)
    }
  }
}

/** The promise's value in a list; an empty list where it does not come in time. */
async function inTime(promise, milliseconds) {
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds, [])
  })
  try {
    return await Promise.race([promise.then((value) => [value]), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until the signal is aborted; what the promise stands for goes on for others. */
function follow(promise, signal) {
  if (!signal) return promise
  let stop
  const aborted = new Promise((_, reject) => {
    stop = () => reject(toError({ code: 'aborted', message: 'the call was aborted', cause: signal.reason }))
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', stop))
}
