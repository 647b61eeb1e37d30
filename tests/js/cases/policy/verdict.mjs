// The verdict on a policy: what is accepted, issues with their places, tests, what is thrown. Must not live here: questions, edits.

import { equal, fails, ok } from '../assert.mjs'
import { CONTEXT, INVALID, OBJECT, TEXT } from './documents.mjs'

export const cases = ({ kit: { hujson, policy } }) => [
  [
    'policy.check: an accepted document',
    () => {
      const { accepted, message, tests } = policy.check(TEXT)
      equal([accepted, message], [true, null])
      equal(tests, { passed: true, results: [{ section: 'tests', index: 0, line: 8, src: 'ann@example.com', passed: true, errors: [] }] })
    },
  ],
  [
    'policy: values of the context whose toJSON calls the kit',
    () => {
      const [first, second] = CONTEXT.devices
      const context = { devices: [{ toJSON: () => ({ ...first, note: hujson.minimize(`[${'1,'.repeat(2000)}]`) }) }, second] }
      const query = { toJSON: () => ({ user: hujson.parse('"ann@example.com" // asked\n') }) }
      equal(policy.preview(TEXT, query, context), policy.preview(TEXT, { user: 'ann@example.com' }, CONTEXT))
      equal(policy.check(TEXT, context), policy.check(TEXT, CONTEXT))
    },
  ],
  [
    'policy.check: a refusal has the words of the service and a place',
    () => {
      const text = TEXT.replace('tag:web:80,443', 'tag:wbe:80')
      const { accepted, message, issues, tests } = policy.check(text)
      equal([accepted, message, tests.passed], [false, 'dst="tag:wbe": tag not found: "tag:wbe"', false])
      const issue = issues.find(({ code }) => code === 'unknown_tag')
      equal(issue, {
        severity: 'error',
        code: 'unknown_tag',
        message,
        origin: 'recorded',
        hint: 'did you mean `tag:web`?',
        pointer: '/acls/0/dst/0',
        line: 6,
        column: 56,
        offset: text.indexOf('"tag:wbe:80"'),
        length: 12,
      })
    },
  ],
  [
    'policy.check: a syntax error is one issue',
    () => {
      const { accepted, message, issues } = policy.check('{\n  "acls": [}\n}')
      equal([accepted, issues.length, issues[0].code, issues[0].line, 'pointer' in issues[0]], [false, 1, 'hujson_syntax', 2, false])
      ok(message.startsWith('hujson: line 2, column '), message)
    },
  ],
  [
    'policy.check: objects as well as texts',
    () => {
      equal(policy.check(OBJECT).accepted, true)
      equal(policy.check({ acls: [{ action: 'drop' }] }).message, 'action="drop" is not supported')
    },
  ],
  [
    'policy.runTests: undecided is neither passed nor failed',
    () => {
      const text =
        '{"acls": [{"action": "accept", "src": ["100.64.0.1"], "dst": ["10.0.0.1:80"]}], "tests": [{"src": "ann@example.com", "accept": ["10.0.0.1:80"]}]}'
      const passed = (context) => policy.runTests(text, context).results[0].passed
      equal([passed(), passed(CONTEXT), policy.runTests(text).passed], [null, true, true])
      equal(policy.runTests(text, { devices: [] }).results[0].errors.length, 1)
    },
  ],
  [
    'policy.diff and policy.toJSON',
    async () => {
      equal(policy.diff(TEXT, TEXT.replace('// People.', '')), [])
      equal(policy.diff(TEXT, TEXT.replace('"ann@example.com"]}, //', '"ann@example.com", "bob@example.com"]}, //')), [
        { pointer: '/groups/group:dev', kind: 'changed', before: ['ann@example.com'], after: ['ann@example.com', 'bob@example.com'] },
      ])
      equal(policy.toJSON(TEXT).acls, [{ action: 'accept', users: ['group:dev'], ports: ['tag:web:80,443'] }])
      for (const text of ['null', '[]', '"{}"']) await fails(() => policy.toJSON(text), { code: 'invalid_argument', message: /object/ })
    },
  ],
  [
    'policy: what is thrown',
    async () => {
      const refused = await fails(() => policy.preview('{"acls": [{"action": "drop"}]}', { user: 'a@b.c' }), {
        name: 'PolicyRefusedError',
        code: 'policy_refused',
      })
      equal([refused.check.accepted, refused.check.message], [false, 'action="drop" is not supported'])
      const syntax = await fails(() => policy.explain('{', { from: { ip: '10.0.0.1' }, to: '10.0.0.2:1' }), {
        name: 'HuJSONSyntaxError',
        code: 'hujson_syntax',
      })
      equal(syntax.issue.line, 1)
      const calls = [
        () => policy.check(7),
        () => policy.check(null),
        () => policy.check('{}', { devices: [{ user: 'x' }] }),
        () => policy.preview('{}', {}),
        () => policy.preview('{}', { ipPort: '10.0.0.1' }),
        () => policy.preview('{}', { user: 'a', ipPort: '10.0.0.1:1' }),
        () => policy.preview('{}', { tag: 'a', host: 'b' }),
        () => policy.explain('{}', { from: {}, to: '10.0.0.1:1' }),
        () => policy.explain('{}', { from: { user: 'a@b.c' }, to: 'x' }),
        () => policy.edit.removeRule(TEXT, 9),
        () => policy.edit.removeRule(TEXT),
        () => policy.edit.addRule(TEXT, 7),
        () => policy.edit.setGroup(TEXT, 'group:dev'),
        () => policy.edit.addRule(OBJECT, {}),
        () => policy.edit.addRule('{"acls": {"a": 1}}', {}),
        () => policy.edit.setGroup('{}', 'group:', []),
        () => policy.edit.add(TEXT, 'rules', {}),
        () => policy.edit.replace(TEXT, 'acls', 0),
        () => policy.edit.move(TEXT, 'acls', 0, 99),
        () => policy.edit.enable(TEXT, 0),
        () => policy.edit.setOption('{}', 'acls', []),
        () =>
          policy.edit.apply('ab', [
            { from: 0, to: 2, insert: '' },
            { from: 1, to: 2, insert: '' },
          ]),
        () => policy.edit.apply('ab', [{ from: 0, to: 9, insert: '' }]),
        // A value that cannot be read is not plain data either, whichever of its traps throws.
        () =>
          policy.check(
            new Proxy(
              {},
              {
                get() {
                  throw new Error('trap')
                },
              },
            ),
          ),
        () =>
          policy.check({
            get acls() {
              throw new Error('trap')
            },
          }),
      ]
      for (const call of calls) await fails(call, INVALID)
    },
  ],
  [
    'policy: wrong tests in a document do not prevent answers',
    async () => {
      const failing = TEXT.replace('"deny": ["tag:web:22"]', '"deny": ["tag:web:80"]')
      const unfit = '{"grants": [], "sshTests": [{"src": "ann@example.com", "dst": ["10.0.0.0/8"], "accept": ["root"]}]}'
      for (const text of [failing, unfit]) {
        equal(policy.check(text).accepted, false)
        const asks = [
          () => policy.preview(text, 'ann@example.com'),
          () => policy.explain(text, { from: 'ann@example.com', to: '10.0.0.1:80' }),
          () => policy.access(text),
          () => policy.diffAccess(text, '{}'),
          () => policy.diffAccess('{}', text),
          () => policy.diffSsh(text, '{}'),
          () => policy.diffSsh('{}', text),
          () => policy.filters(text, CONTEXT),
          () => policy.ssh(text, CONTEXT),
        ]
        for (const ask of asks) ok(ask(), 'an answer')
      }
      equal(policy.preview(failing, 'ann@example.com').matches.length, 1)
      const unknown = failing.replace('"dst": ["tag:web', '"dst": ["tag:wbe')
      const { check } = await fails(() => policy.access(unknown), { code: 'policy_refused' })
      equal(check, policy.check(unknown))
    },
  ],
  [
    'policy.check: 10,000 rules',
    () => {
      const rule = (n) => `{"action": "accept", "src": ["u${n}@example.com"], "dst": ["10.${n >> 8}.${n & 255}.0/24:443"]},`
      const text = `{"acls": [${Array.from({ length: 10_000 }, (_, n) => rule(n)).join('\n')}]}`
      equal(policy.check(text).accepted, true)
      equal(policy.preview(text, { user: 'u9999@example.com' }).matches[0].lineNumber, 10_000)
    },
  ],
]
