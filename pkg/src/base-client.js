// The base of the classes of clients: options, promises and abort signals, for whichever wasm makes the calls. Must not live here: the methods of a
// service, paths, checks, retries, errors.

import { invalid, optionalJSON as json, mark as data, marks, only } from '../../common/arguments.js'
import { toError } from '../../common/errors.js'
import { OPERATION, PLACE } from '../../common/operations.js'
import { readBody } from './body.js'

/** Makes the method of an operation, and runs a call: for the classes that extend this one alone. */
export const METHOD = Symbol('method')
export const RUN = Symbol('run')

/** The options of every call. */
const CALL = ['signal', 'timeout', 'maxRetries', 'headers', 'tailnet']

/** The options that are data, in the order of the declarations. */
const DATA = [
  'baseURL',
  'tailnet',
  'timeout',
  'totalTimeout',
  'maxRetries',
  'pathStyle',
  'logLevel',
  'dangerouslyAllowBrowser',
  'allowInsecureHTTP',
  'maxResponseBytes',
]

const HOOKS = ['beforeRequest', 'afterResponse', 'beforeRetry']

/** Those that are not. */
const OTHERS = ['apiKey', 'fetch', 'hooks', 'logger', 'defaultHeaders']

export class BaseClient {
  #engine
  #given
  #text
  #read
  #open = new Set()
  #closed = false
  /** What the wasm is to know again: in one object, which it writes to. */
  #memory = {}

  /** `engine`: the instance of the wasm, its calls `settings` and `send`, and `make`, which makes a client of the same class; `has` says which options there are. */
  constructor(options, engine) {
    const { instance, has } = engine
    this.#engine = engine
    this.#given = { ...only([...DATA, ...OTHERS].filter(has), options) }
    // Where the wasm does not run yet (`slim`), the options are copied now and the first call reads them.
    this.#text = textOf(this.#given)
    if (instance.canRun()) this.#settings()
  }

  /** The options as the wasm has read them, once. From then on it is not replaced, as it keeps them. */
  #settings() {
    const { settings, instance } = this.#engine
    this.#read ??= settings(this.#text)
    instance.hold()
    return this.#read
  }

  get [PLACE]() {
    return [this.#given.baseURL, this.#given.tailnet]
  }

  withOptions(options) {
    return this.#engine.make({ ...this.#given, ...options })
  }

  request(method, path, init) {
    const { query, body } = init ?? {}
    const args = () => ({ method, path, query: plainPairs(query), body: typeof body === 'string' ? body : json(body ?? undefined) })
    return this.#call('request', args, init, ['query', 'body'])
  }

  close() {
    this.#closed = true
    for (const controller of this.#open) controller.abort()
  }

  /** `args` gives the arguments of the operation from those of the method; the options of the call come last, some of them its `own`. */
  [METHOD](name, args, own = []) {
    const run = (...given) => this.#call(name, () => args(...given), given[args.length], own)
    return Object.defineProperty(run, OPERATION, { value: args.length })
  }

  #call(name, args, o, own) {
    return apiPromise(this[RUN]((settings, json, host) => this.#engine.send(settings, name, json, host), args, o, own))
  }

  /** One call with its own AbortController, which the caller's signal and `close` abort; it has options of its own beside the usual ones. */
  async [RUN](start, args, o, own) {
    const { has } = this.#engine
    const { signal, ...options } = only([...CALL.filter(has), ...own], o) ?? {}
    const controller = new AbortController()
    if (this.#closed) controller.abort()
    const unfollow = follow(signal, controller)
    this.#open.add(controller)
    try {
      const text = sent({ ...args(), options: { ...options, signal: signal && (data(signal.addEventListener) ?? {}), headers: plainPairs(options.headers) } })
      return await start(this.#settings(), text, this.#host(controller.signal))
    } catch (thrown) {
      throw toError(thrown)
    } finally {
      this.#open.delete(controller)
      unfollow()
    }
  }

  /** The functions and the signal that the wasm needs beside data. */
  #host(signal) {
    const { apiKey, fetch, hooks, logger, logLevel } = this.#given
    return { key: apiKey, fetch, hooks, logger, logLevel, signal, toError, without, readBody, memory: this.#memory }
  }
}

if (Symbol.dispose) BaseClient.prototype[Symbol.dispose] = BaseClient.prototype.close

/** The options as JSON text. */
function textOf(given) {
  return json({
    ...Object.fromEntries(DATA.map((name) => [name, given[name]])),
    apiKey: data(given.apiKey),
    fetch: data(given.fetch),
    hooks: marks(known(given.hooks), HOOKS),
    logger: plainObject(given.logger),
    defaultHeaders: plainPairs(given.defaultHeaders),
  })
}

/** The hooks: a function of any other name would never be called, and nobody would notice. Other members are the caller's own. */
function known(hooks) {
  const functions = Object.entries(Object(hooks)).filter(([, hook]) => typeof hook === 'function')
  only(HOOKS, Object.fromEntries(functions))
  return hooks
}

/** The arguments as JSON text. JSON has null for a Date that is no time, and a service reads that as "never". */
function sent(args) {
  const text = json(args)
  const refuse = function (name, value) {
    return value === null && this[name] !== null ? invalid(`\`${name}\` is not a valid time`) : value
  }
  if (text.includes(':null')) JSON.stringify(args, refuse)
  return text
}

/** An object becomes an empty one, as JSON has nothing for its functions. */
const plainObject = (value) => (value && typeof value === 'object' ? {} : value)

/** The calls that a caller's signal aborts. They share one listener, as Node warns of more than ten. */
const followers = new WeakMap()

/** Aborts the controller with the signal; the returned function ends that. */
function follow(signal, controller) {
  if (typeof signal?.addEventListener !== 'function') return () => {}
  if (signal.aborted) controller.abort(signal.reason)
  const known = followers.get(signal)
  const calls = known ?? Object.assign(new Set(), { abort: () => calls.forEach((one) => one.abort(signal.reason)) })
  calls.add(controller)
  if (!known) {
    followers.set(signal, calls)
    signal.addEventListener('abort', calls.abort)
  }
  return () => {
    if (!calls.delete(controller) || calls.size > 0) return
    followers.delete(signal)
    signal.removeEventListener('abort', calls.abort)
  }
}

/** The index of the first entry that has no text under this name, or -1. */
const without = (list, name) => list.findIndex((entry) => typeof entry?.[name] !== 'string')

/** Header fields or parameters as pairs, also from `Headers` and `URLSearchParams`, where a name may have several values. */
function plainPairs(pairs) {
  if (typeof pairs?.entries !== 'function') return pairs
  const all = pairs instanceof URLSearchParams ? [...new Set(pairs.keys())].map((name) => [name, pairs.getAll(name)]) : pairs.entries()
  return Object.fromEntries(all)
}

/** The promise of the data, which also gives access to the response. */
export function apiPromise(outcome) {
  const promise = outcome.then(({ data }) => data)
  const withResponse = () => {
    // Who asks for the response gets another promise: only that one may report a rejection.
    promise.catch(() => {})
    return outcome.then((both) => both)
  }
  return Object.defineProperty(promise, 'withResponse', { value: withResponse })
}
