// The class `TailnetClient`, and the methods of the policy. Must not live here: the other methods (`methods.js`, made of the table of operations), options,
// promises and abort signals (`base-client.js`), paths, checks, retries, errors.

import { mark as data, only, plain } from '../../common/arguments.js'
import { toError } from '../../common/errors.js'
import { OPERATION } from '../../common/operations.js'
import { BaseClient, METHOD, RUN } from './base-client.js'
import { instance, wasm } from './client.wasm.js'
import { judge, refusing } from './judge.js'
import { namespaces } from './methods.js'

const { call } = instance
const engine = {
  instance,
  has: () => true,
  settings: call((text) => wasm.client_settings(text)),
  send: call((settings, name, args, host) => wasm.client_call(settings, name, args, host)),
  make: (options) => new TailnetClient(options),
}
const update = call((settings, args, host, edit) => wasm.client_update(settings, args, host, edit))

export class TailnetClient extends BaseClient {
  constructor(options) {
    super(options, engine)
    const method = (...given) => this[METHOD](...given)

    Object.assign(this, namespaces(method))
    this.acl = {
      get: method('acl.get', (params) => ({ ...only(['format'], params) })),
      getDetails: method('acl.get', () => ({ details: true })),
      set: method('acl.set', (acl, how) => ({ ...guarded(only(['ifMatch', 'overwrite', 'format'], how)), ...policy(acl) })),
      update: Object.defineProperty((edit, o) => this.#update(edit, o), OPERATION, { value: 1 }),
      preview: method('acl.preview', (acl, params) => ({ ...only(['user', 'ipPort'], params), ...policy(acl) })),
      validate: method('acl.validate', (acl) => policy(acl)),
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
