// The namespace `policy`. Must not live here: any judgement of a policy.

import * as wasm from '../wasm/tailnet_kit_bg.js'
import { invalid, json } from './arguments.js'
import { call } from './instance.js'
import { fill } from './text.js'

/** A document as text: an object goes in as its JSON. */
function textOf(acl) {
  if (typeof acl === 'string') return acl
  return typeof acl === 'object' && acl !== null ? json(acl) : invalid('a policy is a text or an object')
}

/** A document in the buffer of the wasm, where it is several times as quick as a text; its length there. */
const put = (acl) => fill(textOf(acl))

/** Edits keep comments, which only a text has. */
const only = (text) => (typeof text === 'string' ? text : invalid('an edit takes a text'))

/** A place in a list; none is the end of it. */
const place = (at) => (at === undefined || (Number.isInteger(at) && at >= 0 && at < 2 ** 32) ? at : invalid(`${at} is no place in a list`))

/** `null` takes an entry out; leaving it away is more likely a slip. */
const given = (value) => (value === undefined ? invalid('the last argument is a value, or null to remove') : value)

/** A matrix as it comes packed: each list of ports and each rule once, a cell as a run of numbers. Cells share those lists. */
function unpacked({ sources, destinations, ports, rules, cells: numbers }) {
  const cells = []
  for (let at = 0; at < numbers.length; ) {
    const end = at + 4 + numbers[at + 3]
    const because = []
    for (let rule = at + 4; rule < end; rule++) because.push(rules[numbers[rule]])
    cells.push({ source: numbers[at], destination: numbers[at + 1], ports: ports[numbers[at + 2]], because })
    at = end
  }
  return { sources, destinations, cells }
}

const isText = (acl) => typeof acl === 'string'

export const policy = {
  check: call((acl, context) => wasm.policy_check(put(acl), json(context))),
  preview: call((acl, query, context) => wasm.policy_preview(put(acl), isText(acl), json(query), json(context))),
  explain: call((acl, flow, context) => wasm.policy_explain(put(acl), json(flow), json(context))),
  runTests: call((acl, context) => wasm.policy_run_tests(put(acl), json(context))),
  filters: call((acl, context) => JSON.parse(wasm.policy_filters(put(acl), json(context)))),
  ssh: call((acl, context) => JSON.parse(wasm.policy_ssh(put(acl), json(context)))),
  access: call((acl, context) => unpacked(JSON.parse(wasm.policy_access(put(acl), json(context))))),
  diffAccess: call((before, after, context) => JSON.parse(wasm.policy_diff_access(textOf(before), textOf(after), json(context)))),
  diff: call((before, after) => wasm.policy_diff(textOf(before), textOf(after))),
  toJSON: call((acl) => JSON.parse(wasm.policy_to_json(put(acl)))),
  edit: {
    addRule: call((text, rule, at) => wasm.policy_add_rule(only(text), json(rule), place(at))),
    removeRule: call((text, index) => wasm.policy_remove_rule(only(text), place(index ?? -1))),
    setGroup: call((text, name, members) => wasm.policy_set_group(only(text), json([name, given(members)]))),
    setHost: call((text, name, address) => wasm.policy_set_host(only(text), json([name, given(address)]))),
  },
}
