// Policies: what a workbench asks at each pause in typing, and the filters of a whole network. Must not live here: the documents.

import stripJsonComments from 'strip-json-comments'
import { policy } from 'tailnet-kit'
import { devices as makeDevices, policy as makePolicy } from '../lib/policies.mjs'
import { ratio } from '../lib/suite.mjs'

const USER = { user: 'user7@example.com' }

export default ({ quick }) => {
  const rules = quick ? 1_000 : 10_000
  return [asking(rules), filtering(quick ? [100, 200] : [250, 500, 1_000])]
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
    return { value: ratio, candidates: { baseline: () => JSON.parse(plain), 'tailnet-kit': () => work(text) } }
  }
  const row = (input, atMost, work) => ({ input, target: atMost && { node: { atMost }, chromium: { atMost } }, prepare: prepare(work) })
  return {
    title: `policy, ${rules.toLocaleString('en')} rules, text in: ratio to JSON.parse of it (less is better)`,
    unit: 'question',
    columns: ['tailnet-kit'],
    rows: [
      row('preview', 2.5, (text) => policy.preview(text, USER)),
      row('check', 6, (text) => policy.check(text)),
      row('explain', null, (text) => policy.explain(text, { from: USER, to: '10.1.2.3:443' })),
      row('access', null, (text) => policy.access(text)),
      row('toJSON', null, (text) => policy.toJSON(text)),
    ],
  }
}

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
      return { value: (ms) => ms, candidates: { 'tailnet-kit': () => policy.filters(text, context) } }
    },
  })),
})
