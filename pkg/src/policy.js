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

/**
 * What `verb` of the wasm says to a document, given as its length in the buffer, where it is several times as quick as a text.
 * The other values become JSON first: a `toJSON` among them may ask the kit for something itself.
 */
function ask(verb, acl, ...values) {
  const texts = values.map(json)
  return verb(fill(textOf(acl)), ...texts)
}

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

/**
 * Ssh rules as they come packed: each list and each rule once, a part as where its rules start and end, a list as its parts, a device as its list.
 * Rules share what they are made of, and devices that are told the same share one list.
 */
function told({ sources, users, env, rules, parts, lists, devices }) {
  for (const rule of rules) {
    rule.from = sources[rule.from]
    rule.users = users[rule.users]
    if (rule.acceptEnv !== undefined) rule.acceptEnv = env[rule.acceptEnv]
  }
  const whole = lists.map((list) => list.flatMap((part) => rules.slice(...parts[part])))
  for (const id of Object.keys(devices)) devices[id] = whole[devices[id]]
  return devices
}

/** Packet filters as they come packed: each list of sources once. Rules share those lists. */
function filtered({ sources, devices }) {
  for (const rules of Object.values(devices)) for (const rule of rules) rule.src = sources[rule.src]
  return devices
}

const isText = (acl) => typeof acl === 'string'

export const policy = {
  check: call((acl, context) => ask(wasm.policy_check, acl, context)),
  preview: call((acl, query, context) => ask((length, ...rest) => wasm.policy_preview(length, isText(acl), ...rest), acl, query, context)),
  explain: call((acl, flow, context) => ask(wasm.policy_explain, acl, flow, context)),
  runTests: call((acl, context) => ask(wasm.policy_run_tests, acl, context)),
  filters: call((acl, context) => filtered(JSON.parse(ask(wasm.policy_filters, acl, context)))),
  ssh: call((acl, context) => told(JSON.parse(ask(wasm.policy_ssh, acl, context)))),
  access: call((acl, context) => unpacked(JSON.parse(ask(wasm.policy_access, acl, context)))),
  diffAccess: call((before, after, context) => JSON.parse(wasm.policy_diff_access(textOf(before), textOf(after), json(context)))),
  diff: call((before, after) => wasm.policy_diff(textOf(before), textOf(after))),
  toJSON: call((acl) => JSON.parse(ask(wasm.policy_to_json, acl))),
  edit: {
    addRule: call((text, rule, at) => wasm.policy_add_rule(only(text), json(rule), place(at))),
    removeRule: call((text, index) => wasm.policy_remove_rule(only(text), place(index ?? -1))),
    setGroup: call((text, name, members) => wasm.policy_set_group(only(text), json([name, given(members)]))),
    setHost: call((text, name, address) => wasm.policy_set_host(only(text), json([name, given(address)]))),
  },
}
