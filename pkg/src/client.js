// The class `TailnetClient`: its namespaces, promises and abort signals. Must not live here: paths, checks, retries, errors.

import { invalid, optionalJSON as json, mark as data, marks, only, plain } from '../../common/arguments.js'
import { toError } from '../../common/errors.js'
import { OPERATION, PLACE } from '../../common/operations.js'
import { readBody } from './body.js'
import { instance, wasm } from './client.wasm.js'
import { judge, refusing } from './judge.js'

const { call, canRun, hold } = instance
const check = call((settings) => wasm.client_check(settings))
const send = call((settings, name, args, host) => wasm.client_call(settings, name, args, host))
const update = call((settings, args, host, edit) => wasm.client_update(settings, args, host, edit))

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

/** Which part of a log. */
const LOGGED = ['start', 'end', 'actor', 'target', 'event']

/** All options, the same for `withOptions`. */
const ALL = [...DATA, 'apiKey', 'fetch', 'hooks', 'logger', 'defaultHeaders']

export class TailnetClient {
  #given
  #settings
  #open = new Set()
  #closed = false

  constructor(options) {
    this.#given = { ...only(ALL, options) }
    // Where the wasm does not run yet (`slim`), the options are copied now and the first call checks them.
    this.#settings = settings(this.#given)
    if (canRun()) check(this.#settings)
    const method = (name, args, own = []) => {
      const run = (...given) => this.#call(name, () => args(...given), given[args.length], own)
      return Object.defineProperty(run, OPERATION, { value: args.length })
    }

    this.devices = {
      list: method('devices.list', (params) => ({ ...only(['fields', 'filter'], params) })),
      get: method('devices.get', (id, params) => ({ id, ...only(['fields'], params) })),
      delete: method('devices.delete', (id) => ({ id })),
      authorize: method('devices.authorize', (id, params) => ({ id, body: { ...only(['authorized'], params) } })),
      setName: method('devices.setName', (id, name) => ({ id, body: { name } })),
      setTags: method('devices.setTags', (id, tags) => ({ id, body: { tags } })),
      setKey: method('devices.setKey', (id, key) => ({ id, body: { ...key } })),
      expireKey: method('devices.expireKey', (id) => ({ id })),
      setIP: method('devices.setIP', (id, ipv4) => ({ id, body: { ipv4 } })),
      attributes: {
        get: method('devices.attributes.get', (id) => ({ id })),
        set: method('devices.attributes.set', (id, key, attribute) => ({ id, key, body: { ...attribute } })),
        delete: method('devices.attributes.delete', (id, key) => ({ id, key })),
        batch: method('devices.attributes.batch', (changes) => ({ body: { ...changes } })),
      },
      routes: {
        get: method('devices.routes.get', (id) => ({ id })),
        set: method('devices.routes.set', (id, routes) => ({ id, body: { routes } }), ['validate']),
      },
    }
    this.acl = {
      get: method('acl.get', (params) => ({ ...only(['format'], params) })),
      getDetails: method('acl.get', () => ({ details: true })),
      set: method('acl.set', (acl, how) => ({ ...guarded(only(['ifMatch', 'overwrite', 'format'], how)), ...policy(acl) })),
      update: Object.defineProperty((edit, o) => this.#update(edit, o), OPERATION, { value: 1 }),
      preview: method('acl.preview', (acl, params) => ({ ...only(['user', 'ipPort'], params), ...policy(acl) })),
      validate: method('acl.validate', (acl) => policy(acl)),
    }
    this.dns = {
      nameservers: {
        get: method('dns.nameservers.get', () => ({})),
        set: method('dns.nameservers.set', (dns) => ({ body: { dns } })),
      },
      preferences: {
        get: method('dns.preferences.get', () => ({})),
        set: method('dns.preferences.set', (p) => ({ body: { magicDNS: p?.magicDNS } })),
      },
      searchPaths: {
        get: method('dns.searchPaths.get', () => ({})),
        set: method('dns.searchPaths.set', (searchPaths) => ({ body: { searchPaths } })),
      },
      split: {
        get: method('dns.split.get', () => ({})),
        update: method('dns.split.update', (body) => ({ body })),
        replace: method('dns.split.replace', (body) => ({ body })),
      },
      configuration: {
        get: method('dns.configuration.get', () => ({})),
        set: method('dns.configuration.set', (body) => ({ body })),
      },
    }
    this.keys = {
      list: method('keys.list', () => ({})),
      create: method('keys.create', (body) => ({ body })),
      get: method('keys.get', (id) => ({ id })),
      set: method('keys.set', (id, body) => ({ id, body })),
      delete: method('keys.delete', (id) => ({ id })),
    }
    this.users = {
      list: method('users.list', (params) => ({ ...only(['type', 'role'], params) })),
      get: method('users.get', (id) => ({ id })),
      approve: method('users.approve', (id) => ({ id })),
      suspend: method('users.suspend', (id) => ({ id })),
      restore: method('users.restore', (id) => ({ id })),
      delete: method('users.delete', (id) => ({ id })),
      setRole: method('users.setRole', (id, role) => ({ id, body: { role } })),
    }
    this.settings = {
      get: method('settings.get', () => ({})),
      update: method('settings.update', (body) => ({ body })),
    }
    this.contacts = {
      get: method('contacts.get', () => ({})),
      update: method('contacts.update', (type, contact) => ({ type, body: { ...contact } })),
      resendVerification: method('contacts.resendVerification', (type) => ({ type })),
    }
    this.webhooks = {
      list: method('webhooks.list', () => ({})),
      create: method('webhooks.create', (body) => ({ body })),
      get: method('webhooks.get', (id) => ({ id })),
      update: method('webhooks.update', (id, changes) => ({ id, body: { ...changes } })),
      delete: method('webhooks.delete', (id) => ({ id })),
      test: method('webhooks.test', (id) => ({ id })),
      rotateSecret: method('webhooks.rotateSecret', (id) => ({ id })),
    }
    this.services = {
      list: method('services.list', () => ({})),
      get: method('services.get', (name) => ({ name })),
      set: method('services.set', (name, service) => ({ name, body: { ...service, name: service?.name ?? name } })),
      delete: method('services.delete', (name) => ({ name })),
      hosts: method('services.hosts', (name) => ({ name })),
      approval: {
        get: method('services.approval.get', (name, device) => ({ name, device })),
        set: method('services.approval.set', (name, device, approval) => ({ name, device, body: { ...approval } })),
      },
    }
    this.postureIntegrations = {
      list: method('postureIntegrations.list', () => ({})),
      create: method('postureIntegrations.create', (body) => ({ body })),
      get: method('postureIntegrations.get', (id) => ({ id })),
      update: method('postureIntegrations.update', (id, body) => ({ id, body })),
      delete: method('postureIntegrations.delete', (id) => ({ id })),
    }
    this.logs = {
      audit: method('logs.audit', (params) => ({ ...only(LOGGED, params) })),
      network: method('logs.network', (params) => ({ ...only(LOGGED, params) })),
    }
  }

  get [PLACE]() {
    return [this.#given.baseURL, this.#given.tailnet]
  }

  withOptions(options) {
    return new TailnetClient({ ...this.#given, ...options })
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

  #call(name, args, o, own) {
    return apiPromise(this.#run((json, host) => send(this.#settings, name, json, host), args, o, own))
  }

  /** Uses the caller's check of a policy, if there is one; otherwise it loads the kit's. */
  #update(edit, o) {
    const { check } = Object(o)
    const own = typeof check === 'function'
    const start = (args, host) => update(this.#settings, args, { ...host, judge: own ? refusing(check) : judge }, edit)
    return this.#run(start, () => ({ edit: data(edit) }), own ? { ...o, check: true } : o, ['attempts', 'check'])
  }

  /** One call with its own AbortController, which the caller's signal and `close` abort; it has options of its own beside the usual ones. */
  async #run(start, args, o, own) {
    const { signal, ...options } = only([...CALL, ...own], o) ?? {}
    const controller = new AbortController()
    if (this.#closed) controller.abort()
    const unfollow = follow(signal, controller)
    this.#open.add(controller)
    try {
      const text = sent({ ...args(), options: { ...options, signal: signal && (data(signal.addEventListener) ?? {}), headers: plainPairs(options.headers) } })
      hold()
      return await start(text, this.#host(controller.signal))
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
    return { key: apiKey, fetch, hooks, logger, logLevel, signal, toError, without, readBody }
  }
}

if (Symbol.dispose) TailnetClient.prototype[Symbol.dispose] = TailnetClient.prototype.close

/** The options as JSON text. */
function settings(given) {
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

/** How a policy is set. A null as ETag is what `get` gives where the service sent none: the write would not be guarded. */
function guarded(how) {
  const { ifMatch, overwrite } = Object(how)
  if (ifMatch !== null || overwrite !== undefined) return how
  throw toError({
    code: 'etag_unavailable',
    message: 'the policy came without an ETag, so this write would not be guarded; `overwrite: true` does without one',
  })
}

/** A policy, or tests, which must be plain data. */
const policy = (acl) => ({ acl: plain(acl) })

/** Header fields or parameters as pairs, also from `Headers` and `URLSearchParams`, where a name may have several values. */
function plainPairs(pairs) {
  if (typeof pairs?.entries !== 'function') return pairs
  const all = pairs instanceof URLSearchParams ? [...new Set(pairs.keys())].map((name) => [name, pairs.getAll(name)]) : pairs.entries()
  return Object.fromEntries(all)
}

/** The promise of the data, which also gives access to the response. */
function apiPromise(outcome) {
  const promise = outcome.then(({ data }) => data)
  const withResponse = () => {
    // Who asks for the response gets another promise: only that one may report a rejection.
    promise.catch(() => {})
    return outcome.then((both) => both)
  }
  return Object.defineProperty(promise, 'withResponse', { value: withResponse })
}
