// The class `HeadscaleClient`: the methods of its namespaces. Must not live here: options, promises and abort signals (`base-client.js`), paths, checks,
// what differs between releases.

import { mark as data, json, only } from '../../common/arguments.js'
import { OPERATION } from '../../common/operations.js'
import { BaseClient, METHOD, RUN, apiPromise } from './base-client.js'
import { instance, wasm } from './headscale.wasm.js'
import { judge, refusing } from './judge.js'

const { call } = instance
const engine = {
  instance,
  has: (option) => option !== 'tailnet',
  settings: call((text) => wasm.headscale_settings(text)),
  send: call((settings, name, args, host) => wasm.headscale_call(settings, name, args, host)),
  make: (options) => new HeadscaleClient(options),
}
const update = call((settings, args, host, edit) => wasm.headscale_update(settings, args, host, edit))
const version = call((settings, args, host) => wasm.headscale_version(settings, args, host))

const context = call((listed) => wasm.headscale_context(listed))

const USER = ['name', 'displayName', 'email', 'pictureUrl']
const PRE_AUTH_KEY = ['user', 'reusable', 'ephemeral', 'expiration', 'aclTags']

export class HeadscaleClient extends BaseClient {
  constructor(options) {
    super(options, engine)
    const method = (...given) => this[METHOD](...given)

    this.nodes = {
      list: method('nodes.list', (query) => ({ query: { ...only(['user'], query) } })),
      get: method('nodes.get', (id) => ({ id })),
      delete: method('nodes.delete', (id) => ({ id })),
      expire: method('nodes.expire', (id, at) => ({ id, at })),
      rename: method('nodes.rename', (id, name) => ({ id, name })),
      setTags: method('nodes.setTags', (id, tags) => ({ id, body: { tags } })),
      setApprovedRoutes: method('nodes.setApprovedRoutes', (id, routes) => ({ id, body: { routes } })),
      register: method('nodes.register', (query) => ({ query: { ...only(['user', 'key'], query) } })),
    }
    this.users = {
      list: method('users.list', (query) => ({ query: { ...only(['name', 'email', 'id'], query) } })),
      create: method('users.create', (user) => ({ body: { ...only(USER, user) } })),
      rename: method('users.rename', (id, name) => ({ id, name })),
      delete: method('users.delete', (id) => ({ id })),
    }
    this.preAuthKeys = {
      list: method('preAuthKeys.list', () => ({})),
      create: method('preAuthKeys.create', (key) => ({ body: { ...only(PRE_AUTH_KEY, key) } })),
      expire: method('preAuthKeys.expire', (id) => ({ body: { id } })),
      delete: method('preAuthKeys.delete', (id) => ({ query: { id } })),
    }
    this.apiKeys = {
      list: method('apiKeys.list', () => ({})),
      create: method('apiKeys.create', (key) => ({ body: { ...only(['expiration'], key) } })),
      expire: method('apiKeys.expire', (prefix) => ({ body: { prefix } })),
      delete: method('apiKeys.delete', (prefix) => ({ prefix })),
    }
    this.policy = {
      get: method('policy.get', () => ({})),
      set: method('policy.set', (policy) => ({ body: { policy } })),
      check: method('policy.check', (policy) => ({ body: { policy } })),
      update: Object.defineProperty((edit, o) => this.#update(edit, o), OPERATION, { value: 1 }),
    }
    this.auth = {
      register: method('auth.register', (query) => ({ body: { ...only(['user', 'authId'], query) } })),
      approve: method('auth.approve', (authId) => ({ body: { authId } })),
      reject: method('auth.reject', (authId) => ({ body: { authId } })),
    }
    this.health = method('health', () => ({}))
  }

  /** Which release answers. */
  version(o) {
    return this[RUN](version, () => ({}), o, [])
  }

  /** Uses the caller's check of a policy, if there is one; otherwise the kit's, which knows the users and nodes of the server. */
  #update(edit, o) {
    const { check, ...options } = Object(o)
    const own = typeof check === 'function'
    const listed = async () => {
      const [users, nodes] = await Promise.all([this.users.list(undefined, options), this.nodes.list(undefined, options)])
      return contextFromHeadscale({ users, nodes })
    }
    const judged = own ? refusing(check) : async (text) => judge(text, await listed())
    const start = (settings, args, host) => update(settings, args, { ...host, judge: judged }, edit)
    return apiPromise(this[RUN](start, () => ({ edit: data(edit) }), own ? { ...o, check: true } : o, ['check']))
  }
}

/** What a policy does not say, from what Headscale lists. */
export const contextFromHeadscale = (listed) => JSON.parse(context(json(listed && { users: listed.users, nodes: listed.nodes })))
