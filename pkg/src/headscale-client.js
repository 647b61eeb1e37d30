// The class `HeadscaleClient`, and the calls that are no plain operation. Must not live here: the others (`headscale-methods.js`, made of their table),
// options, promises and abort signals (`base-client.js`), paths, checks, what differs between releases.

import { mark as data, json } from '../../common/arguments.js'
import { OPERATION } from '../../common/operations.js'
import { BaseClient, METHOD, RUN, apiPromise } from './base-client.js'
import { namespaces } from './headscale-methods.js'
import { instance, wasm } from './headscale.wasm.js'
import { judge, refusing } from './judge.js'

const { call } = instance
const engine = {
  instance,
  has: (option) => option !== 'tailnet',
  settings: /* @__PURE__ */ call((text) => wasm.headscale_settings(text)),
  send: /* @__PURE__ */ call((settings, name, args, host) => wasm.headscale_call(settings, name, args, host)),
  make: (options) => new HeadscaleClient(options),
}
const update = /* @__PURE__ */ call((settings, args, host, edit) => wasm.headscale_update(settings, args, host, edit))
const version = /* @__PURE__ */ call((settings, args, host) => wasm.headscale_version(settings, args, host))

const context = /* @__PURE__ */ call((listed) => wasm.headscale_context(listed))

export class HeadscaleClient extends BaseClient {
  constructor(options) {
    super(options, engine)
    const method = (...given) => this[METHOD](...given)

    Object.assign(this, namespaces(method))
    this.policy.update = Object.defineProperty((edit, o) => this.#update(edit, o), OPERATION, { value: 1 })
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
