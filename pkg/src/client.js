// The class `TailnetClient`: the methods of its namespaces. Must not live here: options, promises and abort signals (`base-client.js`), paths, checks,
// retries, errors.

import { mark as data, only, plain } from '../../common/arguments.js'
import { toError } from '../../common/errors.js'
import { OPERATION } from '../../common/operations.js'
import { BaseClient, METHOD, RUN } from './base-client.js'
import { instance, wasm } from './client.wasm.js'
import { judge, refusing } from './judge.js'

const { call } = instance
const engine = {
  instance,
  has: () => true,
  check: call((settings) => wasm.client_check(settings)),
  send: call((settings, name, args, host) => wasm.client_call(settings, name, args, host)),
  make: (options) => new TailnetClient(options),
}
const update = call((settings, args, host, edit) => wasm.client_update(settings, args, host, edit))

/** Which part of a log. */
const LOGGED = ['start', 'end', 'actor', 'target', 'event']

export class TailnetClient extends BaseClient {
  constructor(options) {
    super(options, engine)
    const method = (...given) => this[METHOD](...given)

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
    this.deviceInvites = {
      list: method('deviceInvites.list', (id) => ({ id })),
      create: method('deviceInvites.create', (id, body) => ({ id, body })),
      get: method('deviceInvites.get', (id) => ({ id })),
      delete: method('deviceInvites.delete', (id) => ({ id })),
      resend: method('deviceInvites.resend', (id) => ({ id })),
      accept: method('deviceInvites.accept', (invite) => ({ body: { invite } })),
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
    this.userInvites = {
      list: method('userInvites.list', () => ({})),
      create: method('userInvites.create', (body) => ({ body })),
      get: method('userInvites.get', (id) => ({ id })),
      delete: method('userInvites.delete', (id) => ({ id })),
      resend: method('userInvites.resend', (id) => ({ id })),
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
      streaming: {
        get: method('logs.streaming.get', (logType) => ({ logType })),
        set: method('logs.streaming.set', (logType, body) => ({ logType, body })),
        delete: method('logs.streaming.delete', (logType) => ({ logType })),
        status: method('logs.streaming.status', (logType) => ({ logType })),
        awsExternalId: method('logs.streaming.awsExternalId', (params) => ({ body: { ...only(['reusable'], params) } })),
        validateAws: method('logs.streaming.validateAws', (id, role) => ({ id, body: { ...role } })),
      },
    }
  }

  /** Uses the caller's check of a policy, if there is one; otherwise it loads the kit's. */
  #update(edit, o) {
    const { check } = Object(o)
    const own = typeof check === 'function'
    const start = (settings, args, host) => update(settings, args, { ...host, judge: own ? refusing(check) : judge }, edit)
    return this[RUN](start, () => ({ edit: data(edit) }), own ? { ...o, check: true } : o, ['attempts', 'check'])
  }
}

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
