// Policies that are read once for many questions. Must not live here: what the answers are.

import { equal, fails, ok } from '../assert.mjs'
import { CONTEXT, INVALID, OBJECT, TEXT } from './documents.mjs'

export const cases = ({ kit: { hujson, policy } }) => [
  [
    'policy.open: the same answers, for a text and for an object',
    async () => {
      for (const acl of [TEXT, OBJECT]) {
        const document = policy.open(acl, CONTEXT)
        const flow = { from: 'ann@example.com', to: '100.64.0.2:80' }
        equal(document.check(), policy.check(acl, CONTEXT))
        equal(document.preview('ann@example.com'), policy.preview(acl, 'ann@example.com', CONTEXT))
        equal(document.explain(flow), policy.explain(acl, flow, CONTEXT))
        equal(document.diffAccess('{}'), policy.diffAccess(acl, '{}', CONTEXT))
        equal(document.diffAccess(policy.open('{}')), policy.diffAccess(acl, '{}', CONTEXT))
        equal(document.diffSsh('{}'), policy.diffSsh(acl, '{}', CONTEXT))
        equal(document.diff(policy.open({})), policy.diff(acl, {}))
        equal(document.review(policy.open({})), policy.review(acl, {}, CONTEXT))
        for (const verb of ['runTests', 'filters', 'ssh', 'nodeAttrs', 'visiblePeers', 'approvedRoutes', 'access', 'logins', 'powers'])
          equal([verb, document[verb]()], [verb, policy[verb](acl, CONTEXT)])
        equal(document.toJSON(), policy.toJSON(document.text))
        equal(document.context, CONTEXT)
        ok(Object.isFrozen(document) && Object.isFrozen(document.context.devices[0]), 'it never changes')
      }
      equal(policy.open(TEXT).text, TEXT)
      equal(policy.open(OBJECT).text, hujson.stringify(OBJECT))
      equal(policy.open(TEXT).context, {})
    },
  ],
  [
    'policy.open: another text or context, and text that is not a policy',
    async () => {
      const document = policy.open(TEXT)
      const query = { ipPort: '100.64.0.2:443' }
      equal(document.with({ context: CONTEXT }).preview(query), policy.preview(TEXT, query, CONTEXT))
      const other = document.with({ context: CONTEXT }).with({ acl: OBJECT })
      equal(other.preview(query), policy.preview(OBJECT, query, CONTEXT))
      equal(document.preview(query), policy.preview(TEXT, query))
      const broken = policy.open('{')
      equal(broken.check().accepted, false)
      await fails(() => broken.access(), { code: 'hujson_syntax' })
      await fails(() => policy.open('{"acls": [{"action": "drop"}]}').access(), { code: 'policy_refused' })
      for (const wrong of [7, null, undefined]) await fails(() => policy.open(wrong), INVALID)
    },
  ],
  [
    'policy: answers do not depend on what was asked before',
    () => {
      const texts = Array.from({ length: 7 }, (_, n) => TEXT.replace('80,443', `80,${443 + n}`))
      const contexts = [undefined, CONTEXT, { devices: [] }]
      const ask = (text, context) => [
        policy.check(text, context),
        policy.preview(text, 'ann@example.com', context),
        policy.runTests(text, context),
        policy.access(text, context),
      ]
      const pairs = texts.flatMap((text) => contexts.map((context) => [text, context]))
      const first = pairs.map((pair) => ask(...pair))
      equal(
        [...pairs]
          .reverse()
          .map((pair) => ask(...pair))
          .reverse(),
        first,
      )
      equal(
        pairs.map((pair) => [ask(...pair), ask(...pair)][1]),
        first,
      )
      equal(
        texts.map((text) => policy.preview(text, 'ann@example.com').matches[0].ports),
        texts.map((_, n) => [`tag:web:80,${443 + n}`]),
      )
    },
  ],
]
