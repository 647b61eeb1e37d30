// The namespace `policy`. Must not live here: any judgement of a policy.

import * as wasm from '../wasm/tailnet_kit_bg.js'
import { call } from './instance.js'

const invalid = (message) => { throw { code: 'invalid_argument', message } }

/** A value as JSON text; what JSON cannot say is `null`. */
function json(value) {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (cause) {
    return invalid(`not a plain object: ${cause.message}`)
  }
}

/** A document as text: an object goes in as its JSON. */
function textOf(acl) {
  if (typeof acl === 'string') return acl
  return typeof acl === 'object' && acl !== null ? json(acl) : invalid('a policy is a text or an object')
}

const isText = (acl) => typeof acl === 'string'

export const policy = {
  check: call((acl, context) => wasm.policy_check(textOf(acl), json(context))),
  preview: call((acl, query, context) => wasm.policy_preview(textOf(acl), isText(acl), json(query), json(context))),
  explain: call((acl, flow, context) => wasm.policy_explain(textOf(acl), json(flow), json(context))),
  runTests: call((acl, context) => wasm.policy_run_tests(textOf(acl), json(context))),
  filters: call((acl, context) => JSON.parse(wasm.policy_filters(textOf(acl), json(context)))),
  ssh: call((acl, context) => JSON.parse(wasm.policy_ssh(textOf(acl), json(context)))),
  access: call((acl, context) => JSON.parse(wasm.policy_access(textOf(acl), json(context)))),
  diffAccess: call((before, after, context) => JSON.parse(wasm.policy_diff_access(textOf(before), textOf(after), json(context)))),
  diff: call((before, after) => wasm.policy_diff(textOf(before), textOf(after))),
  toJSON: call((acl) => JSON.parse(wasm.policy_to_json(textOf(acl)))),
}
