// What a change does, and what assertions hold. Must not live here: questions about one policy.

import { equal, fails, ok } from '../assert.mjs'
import { CONTEXT, INVALID, OBJECT, TEXT } from './documents.mjs'

export const cases = ({ kit: { hujson, policy } }) => [
  [
    'policy.review: what a change does, to whom, and by which rule',
    () => {
      const after = TEXT.replace('"ann@example.com"]}, //', '"ann@example.com", "bob@example.com"]}, //')
        .replace(
          '  "tests"',
          `  "ssh": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web"], "users": ["root"]},
  ],
  "tests"`,
        )
        .replace(', "deny": ["tag:web:22"]', '')
      const [acl, ssh] = [
        { section: 'acls', index: 0, line: 6 },
        { section: 'ssh', index: 0, line: 9 },
      ]
      const [ann, bob, web] = [
        { kind: 'user', name: 'ann@example.com' },
        { kind: 'user', name: 'bob@example.com' },
        { kind: 'tag', name: 'tag:web' },
      ]
      const { changes, summary, powers, issues, ...review } = policy.review(TEXT, after)
      const login = (party) => ({
        source: party.name,
        party,
        gained: [{ destination: 'tag:web', party: web, users: ['root'], action: 'accept', network: false, because: [ssh] }],
        lost: [],
        checked: [],
        undecided: [],
      })
      equal(review, {
        unchanged: false,
        access: [
          {
            source: 'bob@example.com',
            party: bob,
            lost: [],
            undecided: [],
            gained: [
              {
                destination: 'tag:web',
                party: web,
                ports: ['80', '443'],
                because: [acl],
                opens: [
                  { proto: 'tcp', ports: '80,443' },
                  { proto: 'udp', ports: '80,443' },
                  { proto: 'ping', ports: '*' },
                ],
              },
            ],
          },
        ],
        ssh: [login(ann), login(bob)],
        networkLogins: [],
        devices: [],
        conditions: { access: [], ssh: [] },
        postures: [],
        renamed: [],
        lockedOut: [],
        orphaned: [],
        exposed: [],
        tests: { added: [], removed: [], changed: [{ section: 'tests', index: 0, line: 11, src: 'ann@example.com', noLonger: ['tag:web:22'] }] },
        guard: null,
      })
      equal(
        issues.map(({ code, line }) => [code, line]),
        [['ssh_without_network', 9]],
      )
      equal(changes, policy.diff(TEXT, after))
      equal(review.access, policy.diffAccess(TEXT, after))
      equal(review.ssh, policy.diffSsh(TEXT, after))
      equal(powers, policy.diffPowers(TEXT, after))
      const lines = summary.split('\n')
      ok(lines[0].startsWith('**1 gains access, 2 gain SSH logins, 1 test checks less, 1 new warning'), summary)
      ok(lines.includes('- `bob@example.com` reaches `tag:web` on `80 443` — acls[0] line 6'), summary)
      ok(lines.length <= 61, summary)
    },
  ],
  [
    'policy.review: in a context, of objects and of opened documents',
    () => {
      const open = { acls: [{ action: 'accept', src: ['*'], dst: ['tag:web:22'] }], tagOwners: { 'tag:web': [] } }
      const closed = { ...open, acls: [] }
      const { exposed, lockedOut, access } = policy.review(closed, open, CONTEXT)
      equal(access, policy.diffAccess(closed, open, CONTEXT))
      equal(
        exposed.map(({ destination, to, because }) => [destination, to, because.length]),
        [['tag:web', 'everybody', 1]],
      )
      equal(lockedOut, [])
      equal(policy.review(open, closed, CONTEXT).lockedOut, [{ kind: 'user', name: 'ann@example.com' }])
      const [before, after] = [policy.open(open, CONTEXT), policy.open(closed)]
      equal(before.review(after), policy.review(open, closed, CONTEXT))
      const same = policy.review(TEXT, hujson.minimize(TEXT))
      equal([same.unchanged, same.changes, same.access, same.ssh], [true, [], [], []])
      equal(same.summary.split('\n').length, 2)
    },
  ],
  [
    'policy.diffAccess, diffSsh, diffPowers and review: the network changes, with the policy or alone',
    async () => {
      const acl = {
        tagOwners: { 'tag:web': ['ann@example.com'] },
        acls: [{ action: 'accept', src: ['ann@example.com'], dst: ['tag:web:22'] }],
        ssh: [{ action: 'accept', src: ['ann@example.com'], dst: ['tag:web'], users: ['root'] }],
      }
      const nas = { id: '9', hostname: 'nas', tags: ['tag:web'], addresses: ['100.64.0.9'] }
      const more = { devices: [...CONTEXT.devices, nas] }
      const told = (changes) => changes.map(({ source, gained, lost }) => [source, gained.map(({ destination }) => destination), lost.length])
      const [before, after] = [policy.open(acl, CONTEXT), policy.open(acl, more)]
      equal(told(policy.diffAccess(acl, acl, CONTEXT, { after: more })), [['ann@example.com', ['nas'], 0]])
      equal(told(policy.diffSsh(acl, acl, CONTEXT, { after: more })), [['ann@example.com', ['nas'], 0]])
      for (const verb of ['diffAccess', 'diffSsh', 'diffPowers']) {
        equal(before[verb](after), policy[verb](acl, acl, CONTEXT, { after: more }))
        equal(policy[verb](acl, acl, CONTEXT), [])
        // A document that was opened without a context brings none.
        equal(before[verb](policy.open(acl)), [])
        await fails(() => policy[verb](acl, acl, CONTEXT, { afer: more }), INVALID)
      }
      const review = policy.review(acl, acl, CONTEXT, { after: more })
      equal([review.unchanged, review.changes, review.access], [false, [], policy.diffAccess(acl, acl, CONTEXT, { after: more })])
      equal(before.review(after), review)
    },
  ],
  [
    'policy.review and diffs: what one of two networks leaves out is as in the other',
    async () => {
      const acl = {
        tagOwners: { 'tag:web': ['autogroup:admin'] },
        acls: [{ action: 'accept', src: ['autogroup:admin', 'group:ops@example.com'], dst: ['tag:web:22'], srcPosture: ['posture:ok'] }],
        ssh: [{ action: 'accept', src: ['autogroup:admin'], dst: ['tag:web'], users: ['root'] }],
        postures: { 'posture:ok': ["custom:tier == 'prod'"] },
      }
      const context = {
        ...CONTEXT,
        users: [{ loginName: 'ann@example.com', role: 'admin' }],
        groups: { 'group:ops@example.com': ['ann@example.com'] },
        attributes: { 1: { 'custom:tier': 'prod' } },
      }
      const before = policy.open(acl, context)
      for (const verb of ['diffAccess', 'diffSsh', 'diffPowers', 'review']) {
        const same = policy[verb](acl, acl, context)
        for (const name of Object.keys(context)) {
          const { [name]: _, ...rest } = context
          for (const after of [rest, { [name]: context[name] }, { ...context, [name]: undefined }, { ...context, [name]: null }]) {
            equal(policy[verb](acl, acl, context, { after }), same, `${verb} with ${Object.keys(after)}`)
            equal(before[verb](policy.open(acl, after)), same, `${verb} of a document with ${Object.keys(after)}`)
          }
        }
        for (const after of [7, [], 'devices']) await fails(() => policy[verb](acl, acl, context, { after }), INVALID)
      }
      // So is what the network before leaves out.
      equal(policy.review(acl, acl, {}, { after: context }).unchanged, true)
      equal(policy.open(acl).review(policy.open(acl, context)).unchanged, true)
      // An empty list says that there are none.
      equal(
        policy.review(acl, acl, context, { after: { devices: [] } }).lockedOut.filter(({ kind }) => kind === 'user'),
        [{ kind: 'user', name: 'ann@example.com' }],
      )
      const users = [{ loginName: 'ann@example.com', role: 'member' }]
      equal(policy.diffPowers(acl, acl, context, { after: { users } })[0].lost[0].what, 'tag:web')
      // A text is read in the dialect of the network before, a document in the one in which it was opened.
      const there = { acls: [{ action: 'accept', src: ['ann@'], dst: ['tag:web:22'] }], tagOwners: { 'tag:web': ['ann@'] } }
      const known = { devices: [], users: [{ loginName: 'ann', id: '1' }], dialect: 'headscale' }
      const here = { ...there, ipsets: {} }
      await fails(() => policy.review(there, here, known, { after: { devices: [] } }), { code: 'policy_refused' })
      equal(policy.open(there, known).review(policy.open(here, { devices: [] })).access, [])
    },
  ],
  [
    'policy.diffAccess and review: members who all lose each other lose everybody but themselves',
    () => {
      const users = ['ann', 'bob', 'cy'].map((name) => `${name}@example.com`)
      const devices = users.map((user, at) => ({ id: String(at), user, addresses: [`100.64.0.${at + 1}`], hostname: `d${at}` }))
      const of = (dst) => ({ acls: [{ action: 'accept', src: ['autogroup:member'], dst: [dst] }] })
      const told = (changes) => changes.map(({ source, gained, lost }) => [source, gained.length, lost.map(({ destination }) => destination)])
      const expected = users.map((user) => [user, 0, users.filter((other) => other !== user)])
      const [before, after, context] = [of('autogroup:member:*'), of('autogroup:member:22'), { devices }]
      equal(told(policy.diffAccess(before, after, context)), expected)
      equal(told(policy.review(before, after, context).access), expected)
      equal(
        told(policy.diffAccess(after, before, context)).map(([source, gained]) => [source, gained]),
        users.map((user) => [user, 2]),
      )
    },
  ],
  [
    'policy.review: arguments that are neither text nor policy',
    async () => {
      await fails(() => policy.review('{', TEXT), { code: 'hujson_syntax' })
      await fails(() => policy.review(TEXT, '{'), { code: 'hujson_syntax' })
      const unknown = TEXT.replace('"dst": ["tag:web', '"dst": ["tag:wbe')
      const refused = await fails(() => policy.review(TEXT, unknown), { code: 'policy_refused' })
      equal(refused.check, policy.check(unknown))
      equal((await fails(() => policy.review(unknown, TEXT), { code: 'policy_refused' })).check, policy.check(unknown))
      for (const verb of ['review', 'diffAccess', 'diffSsh', 'diffPowers']) {
        const said = policy.check(unknown).message
        equal((await fails(() => policy[verb](unknown, TEXT), { code: 'policy_refused' })).message, `the service would refuse the policy \`before\`: ${said}`)
        equal((await fails(() => policy[verb](TEXT, unknown), { code: 'policy_refused' })).message, `the service would refuse the policy \`after\`: ${said}`)
      }
      await fails(() => policy.review(TEXT, 7), INVALID)
      await fails(() => policy.review(TEXT, TEXT, { devices: 7 }), INVALID)
      // Failing tests are an issue, but do not prevent a review.
      const failing = TEXT.replace('"deny": ["tag:web:22"]', '"deny": ["tag:web:80"]')
      equal(
        policy.review(TEXT, failing).issues.map(({ code, line }) => [code, line]),
        [['test_failed', 8]],
      )
    },
  ],
  [
    'policy.prove: a guard file, with lines, a counterexample and what says nothing',
    async () => {
      const guard = `// Who may what.
[
  {"never": {"from": "*", "to": "tag:web", "ports": "22"}, "why": "nobody logs in"},
  {"only": {"from": "tag:web", "to": "tag:web"}},
  {"always": {"from": "group:dev", "to": "tag:wbe"}},
]`
      const { holds, results } = policy.prove(TEXT, guard, {})
      equal([holds, results.map(({ holds }) => holds)], [false, [true, false, false]])
      equal(
        results.map(({ line }) => line),
        [3, 4, 5],
      )
      equal(results[0].assertion.why, 'nobody logs in')
      const rule = { section: 'acls', index: 0, line: 6 }
      const { counterexample, because } = results[1]
      equal([counterexample, because], [{ flow: { from: 'ann@example.com', to: 'tag:web:80', proto: 'tcp' }, rule }, [rule]])
      equal(policy.explain(TEXT, counterexample.flow).verdict, 'allowed')
      ok(results[2].why.includes('did you mean `tag:web`?'), results[2].why)
      await fails(() => policy.prove(TEXT, '[{]'), { name: 'HuJSONSyntaxError' })
      const { message } = await fails(() => policy.prove(TEXT, '[\n  {"nevr": 1}]'), INVALID)
      equal(message, 'line 2, column 4: unknown key "nevr"; did you mean `never`?')
    },
  ],
  [
    'policy.prove: objects, and other policies by name',
    async () => {
      const assertions = [{ noMoreThan: 'main' }, { sameAs: OBJECT }, { never: { from: '*', to: '*', users: ['root', 'autogroup:nonroot'] } }]
      const bases = { main: TEXT, other: OBJECT }
      const { holds, results } = policy.prove(TEXT, assertions, CONTEXT, { bases })
      equal(
        [holds, results.map(({ line, holds }) => [line, holds])],
        [
          false,
          [
            [null, true],
            [null, false],
            [null, true],
          ],
        ],
      )
      equal(policy.open(TEXT, CONTEXT).prove(assertions, { bases }), { holds, results })
      const without = policy.prove(TEXT, assertions, CONTEXT).results.map(({ holds, why }) => [holds, why])
      equal(without[0], [false, 'no base is called `main`; there is none'])
      equal(
        without.slice(1).map(([holds]) => holds),
        [false, true],
      )
      const refused = policy.prove(TEXT, [{ sameAs: 'main' }], {}, { bases: { main: '{"acls": [{"action": "drop"}]}' } })
      equal(refused.holds, false)
      ok(refused.results[0].why.startsWith('the base `main`: the service would refuse this policy: '), refused.results[0].why)
      await fails(() => policy.prove(TEXT, [{ never: {} }]), INVALID)
    },
  ],
]
