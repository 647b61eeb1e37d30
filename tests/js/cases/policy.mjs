// Policies as JavaScript sees them: shapes, positions, what is thrown. Must not live here: the tables of documents
// (tests/policy), the laws (tests/policy_laws).

import { equal, fails, ok } from './assert.mjs'

const TEXT = `{
  // People.
  "groups": {"group:dev": ["ann@example.com"]}, // the first
  "tagOwners": {"tag:web": []},
  "acls": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:80,443"]},
  ],
  "tests": [{"src": "ann@example.com", "accept": ["tag:web:80"], "deny": ["tag:web:22"]}],
}
`

const OBJECT = { acls: [{ action: 'accept', Users: ['ann@example.com'], Ports: ['*:*'] }] }

const CONTEXT = {
  devices: [
    { id: '1', user: 'ann@example.com', addresses: ['100.64.0.1'] },
    { id: '2', user: 'ann@example.com', tags: ['tag:web'], addresses: ['100.64.0.2'], clientConnectivity: null },
  ],
}

const INVALID = { name: 'InvalidArgumentError', code: 'invalid_argument' }

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
    'policy: values of the context may ask the kit for their own JSON',
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
    'policy.preview: by user, as the service counts lines',
    () => {
      equal(policy.preview(TEXT, { user: 'ann@example.com' }), {
        user: 'ann@example.com',
        matches: [{ users: ['group:dev'], ports: ['tag:web:80,443'], lineNumber: 6 }],
        unknown: [],
        unresolved: [],
      })
      equal(policy.preview(TEXT, { user: 'bob@example.com' }).matches, [])
    },
  ],
  [
    'policy.preview: an object has no lines',
    () => {
      equal(policy.preview(OBJECT, { user: 'ann@example.com' }).matches, [{ users: ['ann@example.com'], ports: ['*:*'], lineNumber: null }])
    },
  ],
  [
    'policy.preview: by address and port, unknown until the devices are known',
    () => {
      const query = { ipPort: '100.64.0.2:443' }
      equal(policy.preview(TEXT, query), { user: query.ipPort, matches: [], unknown: [{ section: 'acls', index: 0, line: 6 }], unresolved: [] })
      equal(policy.preview(TEXT, query, CONTEXT).matches.length, 1)
    },
  ],
  [
    'policy.preview: by tag and by host, on either side of a rule',
    () => {
      equal(
        policy.preview(TEXT, { tag: 'tag:web' }).matches.map(({ lineNumber }) => lineNumber),
        [6],
      )
      equal(policy.preview(TEXT, { tag: 'tag:db' }).matches, [])
      const acls = [{ action: 'accept', src: ['ann@example.com'], dst: ['box:22'] }]
      equal(
        policy.preview({ hosts: { box: '10.0.0.1' }, acls }, { host: 'box' }).matches.map(({ ports }) => ports),
        [['box:22']],
      )
    },
  ],
  [
    'policy.preview: through what and under which conditions',
    () => {
      const document = {
        tagOwners: { 'tag:router': [] },
        postures: { 'posture:new': ["node:os == 'macos'"], 'posture:other': ['node:os IS SET'] },
        grants: [{ src: ['ann@example.com'], dst: ['10.0.0.0/8'], ip: ['443'], via: ['tag:router'], srcPosture: ['posture:new'] }],
      }
      equal(policy.preview(document, { user: 'ann@example.com' }), {
        user: 'ann@example.com',
        matches: [{ users: ['ann@example.com'], ports: ['10.0.0.0/8:443'], lineNumber: null, via: ['tag:router'], postures: ['posture:new'] }],
        unknown: [],
        unresolved: [],
        postures: { 'posture:new': ["node:os == 'macos'"] },
      })
    },
  ],
  [
    'policy.explain: because of rules, or the nearest misses',
    () => {
      equal(policy.explain(TEXT, { from: { user: 'ann@example.com' }, to: 'tag:web:443' }), {
        verdict: 'allowed',
        because: [{ section: 'acls', index: 0, line: 6 }],
        nearMisses: [],
        unresolved: [],
        delivered: [{ kind: 'unknown', why: 'no devices are known' }],
        sourceHasNoDevice: false,
      })
      const { verdict, nearMisses } = policy.explain(TEXT, { from: { group: 'group:dev' }, to: 'tag:web:22' })
      equal([verdict, nearMisses], ['denied', [{ rule: { section: 'acls', index: 0, line: 6 }, why: 'wrong port: the rule opens 80,443, not 22' }]])
    },
  ],
  [
    'policy.access: each pair with its ports and rules',
    () => {
      const text = TEXT.replace('  "tests"', '  "grants": [{"src": ["ann@example.com"], "dst": ["tag:web", "*"], "ip": ["tcp:22"]}],\n  "tests"').replace(
        ', "deny": ["tag:web:22"]',
        '',
      )
      const [acl, grant] = [
        { section: 'acls', index: 0, line: 6 },
        { section: 'grants', index: 0, line: 8 },
      ]
      const [ann, web, any] = [
        { kind: 'user', name: 'ann@example.com' },
        { kind: 'tag', name: 'tag:web' },
        { kind: 'any', name: '*' },
      ]
      const ssh = {
        ports: ['tcp:22'],
        opens: [
          { proto: 'tcp', ports: '22' },
          { proto: 'ping', ports: '*' },
        ],
        because: [grant],
      }
      equal(policy.access(text), {
        by: 'name',
        sources: ['ann@example.com', 'tag:web'],
        destinations: ['ann@example.com', 'tag:web', '*'],
        parties: { sources: [ann, web], destinations: [ann, web, any] },
        cells: [
          { source: 0, destination: 0, ...ssh, wider: '*' },
          {
            source: 0,
            destination: 1,
            ports: ['80', '443', 'tcp:22'],
            opens: [
              { proto: 'tcp', ports: '22,80,443' },
              { proto: 'udp', ports: '80,443' },
              { proto: 'ping', ports: '*' },
            ],
            because: [acl, grant],
          },
          { source: 0, destination: 2, ...ssh },
        ],
        unknown: [],
      })
      const [{ ports, because }] = policy.access({}).cells
      equal([ports, because], [['*'], []])
      const nothing = policy.access({ grants: [] })
      equal([nothing.sources, nothing.destinations, nothing.cells, nothing.unknown], [[], [], [], []])
    },
  ],
  [
    'policy.access: by device, only where devices are known',
    async () => {
      const { by, sources, parties, cells } = policy.access(TEXT, CONTEXT, { by: 'device' })
      equal(
        [by, sources.length, parties.sources.map(({ kind, id }) => [kind, id])],
        [
          'device',
          2,
          [
            ['device', '1'],
            ['device', '2'],
          ],
        ],
      )
      equal(
        cells.map(({ source, destination, ports }) => [source, destination, ports]),
        [[0, 1, ['80', '443']]],
      )
      await fails(() => policy.access(TEXT, undefined, { by: 'device' }), INVALID)
      await fails(() => policy.access(TEXT, CONTEXT, { by: 'rule' }), INVALID)
    },
  ],
  [
    'policy.nodeAttrs, visiblePeers and approvedRoutes: by device id',
    () => {
      const text = `{
      "tagOwners": {"tag:web": []},
      "acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web:80"]}],
      "autoApprovers": {"routes": {"10.0.0.0/8": ["tag:web"]}},
      "nodeAttrs": [{"target": ["tag:web"], "attr": ["funnel"], "app": {"example.com/cap": [{"a": 1}]}}],
    }`
      const [ann, web] = CONTEXT.devices
      const devices = [web, { ...ann, id: '10' }, { id: '3', user: 'bob@example.com', addresses: ['100.64.0.3'], advertisedRoutes: ['10.1.0.0/16'] }]
      devices[0] = { ...web, advertisedRoutes: ['10.2.0.0/16', '192.168.0.0/24'] }
      const none = { attrs: [], app: {}, ipPool: [] }
      equal(policy.nodeAttrs(text, { devices }), { 2: { attrs: ['funnel'], app: { 'example.com/cap': [{ a: 1 }] }, ipPool: [] }, 10: none, 3: none })
      equal(policy.visiblePeers(text, { devices }), { 2: ['10'], 10: ['2'], 3: [] })
      equal(policy.visiblePeers('{}', { devices }), { 2: ['10', '3'], 10: ['2', '3'], 3: ['10', '2'] })
      equal(policy.approvedRoutes(text, { devices }), {
        2: { approved: ['10.2.0.0/16'], waiting: ['192.168.0.0/24'] },
        10: { approved: [], waiting: [] },
        3: { approved: [], waiting: ['10.1.0.0/16'] },
      })
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
    'policy.edit changes entries of every list, and comments them out and back',
    () => {
      const { edit } = policy
      const text = '{\n\t"tests": [\n\t\t{"src": "é@example.com"}, // é\n\t\t{"src": "b@example.com"}\n\t]\n}\n'
      const off = edit.disable(text, 'tests', 0)
      equal(off, text.replace('{"src": "é', '// {"src": "é'))
      const [place] = edit.disabled(off)
      equal(place, { section: 'tests', line: 3, offset: 16, length: 33 })
      equal(edit.enable(off, place.offset), text)
      equal(
        hujson.parse(edit.move(text, 'tests', 0, 1)).tests.map(({ src }) => src),
        ['b@example.com', 'é@example.com'],
      )
      equal(edit.replace(text, 'tests', 1, { src: 'c@example.com' }), text.replace('b@', 'c@'))
      equal(hujson.parse(edit.remove(text, 'tests', 0)).tests.length, 1)
      equal(hujson.parse(edit.add('{}', 'nodeAttrs', { target: ['*'] })).nodeAttrs, [{ target: ['*'] }])
    },
  ],
  [
    'policy.edit sets what has a name',
    () => {
      const { edit } = policy
      const parse = (text) => hujson.parse(text)
      equal(parse(edit.setTagOwners('{}', 'web', ['group:ops'])), { tagOwners: { 'tag:web': ['group:ops'] } })
      equal(parse(edit.setIpset('{}', 'a', ['add 10.0.0.0/8'])), { ipsets: { 'ipset:a': ['add 10.0.0.0/8'] } })
      equal(parse(edit.setPosture('{}', 'a', ["node:os == 'linux'"])), { postures: { 'posture:a': ["node:os == 'linux'"] } })
      equal(parse(edit.setDefaultSrcPosture('{}', ['posture:a'])), { defaultSrcPosture: ['posture:a'] })
      equal(parse(edit.setAutoApprovers('{}', { exitNode: true }, ['tag:exit'])), { autoApprovers: { exitNode: ['tag:exit'] } })
      equal(parse(edit.setAutoApprovers('{}', { route: '10.0.0.0/8' }, ['tag:exit'])), { autoApprovers: { routes: { '10.0.0.0/8': ['tag:exit'] } } })
      equal(parse(edit.setAutoApprovers('{}', { service: 'svc:a' }, ['tag:exit'])), { autoApprovers: { services: { 'svc:a': ['tag:exit'] } } })
      equal(parse(edit.setAttrConfig('{}', 'custom:tier', { type: 'string' })), { attrConfig: { 'custom:tier': { type: 'string' } } })
      equal(parse(edit.setOption(edit.setOption('{}', 'disableIPv4', true), 'disableIPv4', null)), {})
    },
  ],
  [
    'policy.edit.changes and apply lead from one text to the other',
    () => {
      const { edit } = policy
      const [before, after] = ['{\n// 😀\n"a": 1,\n"b": 2\n}', '{\n// 😀!\n"a": 1,\n"b": 22,\n"c": 3\n}']
      const edits = edit.changes(before, after)
      equal(edits[0], { from: 7, to: 7, insert: '!' })
      equal(edit.apply(before, edits), after)
      equal(edit.apply(before, [...edits].reverse()), after)
      equal(edit.changes(after, after), [])
    },
  ],
  [
    'policy.edit keeps comments',
    () => {
      const rule = { action: 'accept', src: ['bob@example.com'], dst: ['tag:web:22'] }
      const added = policy.edit.addRule(TEXT, rule)
      equal(hujson.parse(added).acls[1], rule)
      ok(added.includes('// People.') && added.includes('// the first'), added)
      equal(policy.edit.removeRule(added, 1), TEXT)
      equal(hujson.parse(policy.edit.setHost(TEXT, 'box', '10.0.0.1')).hosts, { box: '10.0.0.1' })
      equal(policy.edit.setGroup(TEXT, 'group:none', null), TEXT)
      equal(hujson.parse(policy.edit.setGroup(TEXT, 'group:dev', [])).groups, { 'group:dev': [] })
    },
  ],
  [
    'policy.edit.rename',
    async () => {
      const text = '{"groups": {"group:a": []}, /* group:a */ "acls": [{"action": "accept", "src": ["group:a"], "dst": ["*:*"]}]}'
      equal(policy.edit.rename(text, 'group:a', 'group:b'), text.replaceAll('"group:a"', '"group:b"'))
      await fails(() => policy.edit.rename(text, 'group:c', 'group:b'), { code: 'invalid_argument', message: /no `group:c`/ })
      await fails(() => policy.edit.rename('{', 'group:a', 'group:b'), { code: 'hujson_syntax' })
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
        // What cannot be read is no plain data either, whichever of its traps says so.
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
    'policy: names lead to devices, or are said to lead nowhere',
    async () => {
      const devices = [
        { id: '1', nodeId: 'n1', name: 'laptop.tail1.ts.net', hostname: 'Anns-MacBook', user: 'ann@example.com', addresses: ['100.64.0.1'] },
        { id: '2', name: 'web-a.tail1.ts.net', hostname: 'web', tags: ['tag:web'], addresses: ['100.64.0.2'] },
        { id: '3', name: 'web-b.tail1.ts.net', hostname: 'web', tags: ['tag:web'], addresses: ['100.64.0.3'] },
      ]
      const verdict = (from, to) => policy.explain(TEXT, { from, to }, { devices }).verdict
      for (const name of ['laptop.tail1.ts.net', 'laptop', 'anns-macbook', '1', 'n1']) equal([name, verdict({ device: name }, 'web-a:80')], [name, 'allowed'])
      equal(verdict('laptop', 'web-b:80'), 'allowed')
      equal(
        policy.preview(TEXT, { device: 'web-a' }, { devices }).matches.map(({ lineNumber }) => lineNumber),
        [6],
      )
      const two = 'several devices are called `web`: web-a.tail1.ts.net (id 2), web-b.tail1.ts.net (id 3)'
      await fails(() => verdict('laptop', 'web:80'), { ...INVALID, message: two })
      await fails(() => policy.preview(TEXT, { device: 'web' }, { devices }), { ...INVALID, message: two })
      await fails(() => policy.preview(TEXT, { device: 'lapptop' }, { devices }), {
        ...INVALID,
        message: 'no device is called `lapptop`; did you mean `laptop`?',
      })
      await fails(() => policy.preview(TEXT, { device: 'laptop' }), INVALID)
      await fails(() => policy.preview(TEXT, '10.0.0.0/99'), { ...INVALID, message: '`10.0.0.0/99`: the prefix length of IPv4 is at most 32' })
      const { unresolved, hint } = policy.preview(TEXT, { group: 'group:devv' })
      equal([unresolved, hint], [['group:devv'], 'did you mean `group:dev`?'])
    },
  ],
  [
    'policy.explain: a source has the posture attributes that the flow says',
    async () => {
      const text = `{
      "postures": {"posture:new": ["node:os == 'macos'"]},
      "acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["10.0.0.1:22"], "srcPosture": ["posture:new"]}],
    }`
      const verdict = (srcPostureAttrs) => policy.explain(text, { from: 'ann@example.com', to: '10.0.0.1:22', srcPostureAttrs }).verdict
      equal([verdict(), verdict({ 'node:os': 'macos' }), verdict({ 'node:os': 'linux' })], ['denied', 'allowed', 'denied'])
      await fails(() => verdict({ 'node:os': ['macos'] }), INVALID)
    },
  ],
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
      const { changes, summary, ...review } = policy.review(TEXT, after)
      const login = (party) => ({
        source: party.name,
        party,
        gained: [{ destination: 'tag:web', party: web, users: ['root'], action: 'accept', because: [ssh] }],
        lost: [],
      })
      equal(review, {
        unchanged: false,
        issues: [],
        access: [
          {
            source: 'bob@example.com',
            party: bob,
            lost: [],
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
        lockedOut: [],
        exposed: [],
        tests: { added: [], removed: [{ section: 'tests', index: 0, line: 8, src: 'ann@example.com' }] },
        guard: null,
      })
      equal(changes, policy.diff(TEXT, after))
      equal(review.access, policy.diffAccess(TEXT, after))
      const lines = summary.split('\n')
      ok(lines[0].startsWith('**1 gains access, 2 gain SSH logins, 1 test removed'), summary)
      ok(lines.includes('- `bob@example.com` reaches `tag:web` `80 443` — acls[0] line 6'), summary)
      ok(lines.length <= 61, summary)
    },
  ],
  [
    'policy.review: in a context, of objects and of documents that were opened',
    () => {
      const open = { acls: [{ action: 'accept', src: ['*'], dst: ['tag:web:22'] }], tagOwners: { 'tag:web': [] } }
      const closed = { ...open, acls: [] }
      const { exposed, lockedOut, access } = policy.review(closed, open, { context: CONTEXT })
      equal(access, policy.diffAccess(closed, open, CONTEXT))
      equal(
        exposed.map(({ destination, to, because }) => [destination, to, because.length]),
        [['tag:web', 'everybody', 1]],
      )
      equal(lockedOut, [])
      equal(policy.review(open, closed, { context: CONTEXT }).lockedOut, [{ kind: 'user', name: 'ann@example.com' }])
      const [before, after] = [policy.open(open, CONTEXT), policy.open(closed)]
      equal(before.review(after), policy.review(open, closed, { context: CONTEXT }))
      const same = policy.review(TEXT, hujson.minimize(TEXT))
      equal([same.unchanged, same.changes, same.access, same.ssh], [true, [], [], []])
      equal(same.summary.split('\n').length, 2)
    },
  ],
  [
    'policy.review: neither text nor policy',
    async () => {
      await fails(() => policy.review('{', TEXT), { code: 'hujson_syntax' })
      await fails(() => policy.review(TEXT, '{'), { code: 'hujson_syntax' })
      const unknown = TEXT.replace('"dst": ["tag:web', '"dst": ["tag:wbe')
      const refused = await fails(() => policy.review(TEXT, unknown), { code: 'policy_refused' })
      equal(refused.check, policy.check(unknown))
      equal((await fails(() => policy.review(unknown, TEXT), { code: 'policy_refused' })).check, policy.check(unknown))
      await fails(() => policy.review(TEXT, 7), INVALID)
      await fails(() => policy.review(TEXT, TEXT, { context: { devices: 7 } }), INVALID)
      // Failing tests close nothing: they are an issue.
      const failing = TEXT.replace('"deny": ["tag:web:22"]', '"deny": ["tag:web:80"]')
      equal(
        policy.review(TEXT, failing).issues.map(({ code, line }) => [code, line]),
        [['test_failed', 8]],
      )
    },
  ],
  [
    'policy: what is wrong with the tests of a document closes nothing',
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
    'policy.prove: a guard file, with lines, a counterexample and what is open',
    async () => {
      const guard = `// Who may what.
[
  {"never": {"from": "*", "to": "tag:web", "ports": "22"}, "why": "nobody logs in"},
  {"only": {"from": "tag:web", "to": "tag:web"}},
  {"always": {"from": "group:dev", "to": "tag:wbe"}},
]`
      const { holds, results } = policy.prove(TEXT, guard, {})
      equal([holds, results.map(({ holds }) => holds)], [false, [true, false, null]])
      equal(
        results.map(({ line }) => line),
        [3, 4, 5],
      )
      equal(results[0].assertion.why, 'nobody logs in')
      const rule = { section: 'acls', index: 0, line: 6 }
      const { counterexample, because } = results[1]
      equal([counterexample, because], [{ from: 'ann@example.com', to: 'tag:web', protocol: 'tcp', port: 80, rule }, [rule]])
      equal(
        policy.explain(TEXT, { from: counterexample.from, to: `${counterexample.to}:${counterexample.port}`, proto: counterexample.protocol }).verdict,
        'allowed',
      )
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
      const { message } = await fails(() => policy.prove(TEXT, assertions), INVALID)
      equal(message, 'assertion 1: no base is called `main`; there is none')
      await fails(() => policy.prove(TEXT, [{ sameAs: 'main' }], {}, { bases: { main: '{"acls": [{"action": "drop"}]}' } }), { code: 'policy_refused' })
      await fails(() => policy.prove(TEXT, [{ never: {} }]), INVALID)
    },
  ],
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
        equal(document.diff(policy.open({})), policy.diff(acl, {}))
        equal(document.review(policy.open({})), policy.review(acl, {}, { context: CONTEXT }))
        for (const verb of ['runTests', 'filters', 'ssh', 'nodeAttrs', 'visiblePeers', 'approvedRoutes', 'access'])
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
    'policy.open: another text or context, and text that is no policy',
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
