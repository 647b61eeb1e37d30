// Policies: what a workbench asks at each pause in typing, what a careless engine would be slow at, and how the time grows. Must not live here: the
// documents.

import stripJsonComments from 'strip-json-comments'
import { policy } from 'tailnet-kit'
import { growth } from '../lib/growth.mjs'
import { devices as makeDevices, policy as makePolicy } from '../lib/policies.mjs'
import * as shapes from '../lib/shapes.mjs'
import { ratio } from '../lib/suite.mjs'

const USER = { user: 'user7@example.com' }

export default ({ quick }) => {
  const rules = quick ? 1_000 : 10_000
  return [
    asking(rules),
    reviewing(quick ? [100, 200] : [250, 500, 1_000, 3_000]),
    filtering(quick ? [100, 200] : [250, 500, 1_000]),
    growth('policy, how the time grows', costs, { quick, unread }),
  ]
}

/** Refuses to measure an early way out: the document must be one the service accepts. */
function acceptedPolicy(rules) {
  const text = makePolicy(rules)
  const { accepted, message } = policy.check(text)
  if (!accepted) throw new Error(`the policy of this measurement is refused: ${message}`)
  return text
}

const asking = (rules) => {
  const prepare = (work) => () => {
    const text = acceptedPolicy(rules)
    const plain = stripJsonComments(text, { trailingCommas: true })
    return { value: ratio, candidates: { baseline: () => JSON.parse(plain), 'tailnet-kit': () => work(unread(text)) } }
  }
  const row = (input, goals, work) => {
    const target = goals && { node: { atMost: goals[0] }, chromium: { atMost: goals[1] } }
    return { input, target, prepare: prepare(work) }
  }
  return {
    title: `policy, ${rules.toLocaleString('en')} rules, text in: ratio to JSON.parse of it (less is better)`,
    unit: 'question',
    columns: ['tailnet-kit'],
    rows: [
      row('preview', [1.5, 2.5], (text) => policy.preview(text, USER)),
      row('check', [2.5, 4], (text) => policy.check(text)),
      row('explain', null, (text) => policy.explain(text, { from: USER, to: '10.1.2.3:443' })),
      row('access', null, (text) => policy.access(text)),
      row('five verbs', null, (text) => fiveVerbs(text)),
      row('toJSON', null, (text) => policy.toJSON(text)),
    ],
  }
}

/** What a workbench asks of one text: it should be read once. */
function fiveVerbs(text) {
  policy.check(text)
  policy.preview(text, USER)
  policy.explain(text, { from: USER, to: '10.1.2.3:443' })
  policy.runTests(text)
  return policy.diffAccess(text, text)
}

let asked = 0
/** The text as nobody has asked of it before: what an engine remembers of the last one is of no use. */
const unread = (text) => `${text}${' '.repeat(asked++ % 64)}\n`

/** A pull request that changes one rule: the verdict on both texts is part of the review. */
const reviewing = (sizes) => ({
  title: 'policy.review of one changed rule, as many devices as rules: ratio to policy.check of the text (less is better)',
  unit: 'size',
  columns: ['tailnet-kit'],
  rows: sizes.map((size) => ({
    input: `${size.toLocaleString('en')} × ${size.toLocaleString('en')}`,
    target: size === 1_000 ? { node: { atMost: 12 }, chromium: { atMost: 12 } } : undefined,
    prepare() {
      const { text, context } = shapes.network(size)
      const later = shapes.network(size, true).text
      return {
        value: ratio,
        candidates: {
          baseline: () => policy.check(unread(text), context),
          'tailnet-kit': () => policy.review(unread(text), unread(later), context),
        },
      }
    },
  })),
})

const filtering = (sizes) => ({
  title: 'policy.filters, as many devices as rules: milliseconds (less is better)',
  unit: 'size',
  columns: ['tailnet-kit'],
  rows: sizes.map((size) => ({
    input: `${size.toLocaleString('en')} × ${size.toLocaleString('en')}`,
    target: size === 1_000 ? { node: { atMost: 1_000 } } : undefined,
    prepare() {
      const text = acceptedPolicy(size)
      const context = { devices: makeDevices(size) }
      return { value: (ms) => ms, candidates: { 'tailnet-kit': () => policy.filters(unread(text), context) } }
    },
  })),
})

const explain = (from, to) => (text, context) => policy.explain(text, { from, to }, context)
const check = (text, context) => policy.check(text, context)
const filters = (text, context) => policy.filters(text, context)

/** Each cost: its name, the size at which its goal counts (`ms`, or `ratio` to JSON.parse), the shape, the question. */
const costs = [
  { name: 'explain of a group, rules × members', size: 1_000, goal: { ms: 20 }, shape: shapes.oneGroup, work: explain({ group: 'group:all' }, '10.0.9.7:10') },
  { name: 'tests of a group, rules × members', size: 1_000, goal: { ms: 20 }, shape: shapes.groupTests, work: (text) => policy.runTests(text) },
  { name: 'tests × 10 rules × devices', size: 8_000, goal: { ms: 1_000 }, shape: shapes.testedRules, work: (text, context) => policy.runTests(text, context) },
  { name: 'check, one destination', size: 10_000, goal: { ratio: 5 }, shape: shapes.sharedDestination, work: check },
  { name: 'check, one source', size: 10_000, shape: shapes.sharedSource, work: check },
  { name: 'check, nested prefixes', size: 10_000, shape: shapes.nested, work: check },
  { name: 'check, one rule of n × n', size: 4_000, goal: { ms: 100 }, shape: shapes.oneRule, work: check },
  { name: 'check, chain of ipsets', size: 400, shape: shapes.ipsetChain, work: check },
  { name: 'check, ipsets beside one another', size: 1_000, shape: shapes.ipsets, work: check },
  { name: 'diffAccess, one rule changed', size: 4_000, goal: { ms: 300 }, shape: shapes.network, work: changed },
  {
    name: 'diffAccess, nothing changed',
    size: 4_000,
    goal: { ms: 300 },
    shape: shapes.network,
    work: (text, context) => policy.diffAccess(text, `${text}\n`, context),
  },
  {
    name: 'diffAccess, everything to nothing',
    size: 4_000,
    goal: { ms: 300 },
    shape: shapes.everything,
    work: (text, context) => policy.diffAccess(text, shapes.nothing, context),
  },
  { name: 'review, one rule changed', size: 2_000, shape: shapes.network, work: (text, context, size) => policy.review(text, other(size), context) },
  { name: 'review, a group in every rule', size: 1_000, shape: shapes.oneGroup, work: shortened },
  { name: 'review, nested prefixes', size: 500, shape: shapes.nested, work: shortened },
  { name: 'review, sets within sets', size: 200, shape: shapes.ipsetChain, work: shortened },
  { name: 'diffSsh, everything to nothing', size: 1_000, shape: shapes.sshByLocalpart, work: (text, context) => policy.diffSsh(text, shapes.nothing, context) },
  { name: 'logins by localpart', size: 1_000, shape: shapes.sshByLocalpart, work: (text, context) => policy.logins(text, context) },
  { name: 'ssh by localpart', size: 1_000, goal: { ms: 300 }, shape: shapes.sshByLocalpart, work: (text, context) => policy.ssh(text, context) },
  { name: 'filters, routers × prefixes', size: 2_000, shape: shapes.routers, work: filters },
  { name: 'filters, many tags a device', size: 1_000, shape: shapes.manyTags, work: filters },
  { name: 'explain, nested prefixes', size: 10_000, shape: shapes.nested, work: explain(USER, '10.1.2.3:443') },
  { name: 'explain, one source', size: 10_000, shape: shapes.sharedSource, work: explain({ user: shapes.user(0) }, '10.1.2.3:443') },
  { name: 'preview, many groups of a user', size: 4_000, shape: shapes.manyGroups, work: (text) => policy.preview(text, { user: shapes.user(0) }) },
  { name: 'preview, a grown organisation', size: 10_000, shape: (size) => ({ text: makePolicy(size) }), work: (text) => policy.preview(text, USER) },
  { name: 'access, a grown organisation', size: 2_000, shape: (size) => ({ text: makePolicy(size) }), work: (text) => policy.access(text) },
  { name: 'access, one source', size: 2_000, shape: shapes.sharedSource, work: (text) => policy.access(text) },
]

/** The second text is made once for each first one. */
function changed(text, context, size) {
  return policy.diffAccess(text, other(size), context)
}

/** The second text lacks the first rule. */
function shortened(text, context) {
  return policy.review(text, text.replace(/("acls": \[\n).*\n/, '$1'), context)
}

const others = new Map()
function other(size) {
  if (!others.has(size)) others.set(size, shapes.network(size, true).text)
  return unread(others.get(size))
}
