// Questions about a policy: who reaches what, why, and what devices receive. Must not live here: verdicts.

import { equal, fails } from '../assert.mjs'
import { CONTEXT, INVALID, OBJECT, TEXT } from './documents.mjs'

export const cases = ({ kit: { policy } }) => [
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
    'policy.preview: via routers and under which conditions',
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
        arrives: null,
      })
      const { verdict, nearMisses } = policy.explain(TEXT, { from: { group: 'group:dev' }, to: 'tag:web:22' })
      equal([verdict, nearMisses], ['denied', [{ rule: { section: 'acls', index: 0, line: 6 }, why: 'wrong port: the rule opens ports 80 and 443, not 22' }]])
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
          { source: 0, destination: 2, ...ssh, because: [acl, grant] },
          {
            source: 0,
            destination: 2,
            ports: ['80', '443'],
            opens: [
              { proto: 'tcp', ports: '80,443' },
              { proto: 'udp', ports: '80,443' },
            ],
            because: [acl],
            part: { to: ['tag:web'] },
            wider: 'tag:web',
          },
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
    'policy.access: only the rows and columns of some names',
    async () => {
      const { sources, destinations, cells } = policy.access(TEXT, undefined, { from: 'group:dev', to: ['tag:web'] })
      equal([sources, destinations, cells.map(({ ports }) => ports)], [['ann@example.com'], ['tag:web'], [['80', '443']]])
      equal(
        policy.access(TEXT, CONTEXT, { by: 'device', to: 'tag:web' }).parties.destinations.map(({ id }) => id),
        ['2'],
      )
      equal(policy.open(TEXT).access({ to: 'tag:web' }), policy.access(TEXT, undefined, { to: 'tag:web' }))
      const { message } = await fails(() => policy.access(TEXT, CONTEXT, { from: 'tag:wbe' }), INVALID)
      equal(message, 'no source of the matrix is called `tag:wbe`; did you mean `tag:web`?')
      for (const wrong of [7, [7], { user: 'ann@example.com' }]) await fails(() => policy.access(TEXT, CONTEXT, { from: wrong }), INVALID)
    },
  ],
  [
    'policy: answers by device, only where devices are known',
    async () => {
      for (const verb of ['filters', 'ssh', 'nodeAttrs', 'visiblePeers', 'approvedRoutes']) {
        for (const context of [undefined, {}, { users: [] }]) await fails(() => policy[verb](TEXT, context), INVALID)
        await fails(() => policy.open(TEXT)[verb](), INVALID)
        equal([verb, policy[verb](TEXT, { devices: [] })], [verb, {}])
      }
    },
  ],
  [
    'policy.explain: members of synced groups and attributes of devices are those of the context',
    () => {
      const flow = { from: 'ann@example.com', to: '10.0.0.1:22' }
      const rule = { action: 'accept', src: ['group:eng@example.com'], dst: ['10.0.0.1:22'] }
      const verdicts = (acl, contexts) => contexts.map((context) => policy.explain(acl, flow, context).verdict)
      const groups = { 'group:eng@example.com': ['ann@example.com'] }
      equal(verdicts({ acls: [rule] }, [undefined, { groups }, { groups: {} }]), ['unknown', 'allowed', 'denied'])
      const postures = { 'posture:mac': ["node:os == 'macos'"] }
      const { devices } = CONTEXT
      const known = (os) => ({ devices, attributes: { 1: { 'node:os': os } } })
      const needing = { postures, acls: [{ ...rule, src: ['ann@example.com'], srcPosture: ['posture:mac'] }] }
      equal(verdicts(needing, [known('macos'), known('linux')]), ['allowed', 'denied'])
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
    'policy.powers and diffPowers: what somebody may do besides reaching',
    async () => {
      const policyOf = (...owners) => ({
        tagOwners: { 'tag:prod': owners, 'tag:db': [] },
        acls: [{ action: 'accept', src: ['tag:prod'], dst: ['tag:db:22'] }],
      })
      const [ann, both] = [policyOf('ann@example.com'), policyOf('ann@example.com', 'bob@example.com')]
      const [power, other] = policy.powers(both)
      equal([power.who, power.kind, power.what, power.pointer], ['ann@example.com', 'tag', 'tag:prod', '/tagOwners/tag:prod'])
      equal(
        power.opens.map(({ destination, ports }) => [destination, ports]),
        [['tag:db', ['22']]],
      )
      equal(other.opens, power.opens)
      const [change] = policy.diffPowers(ann, both)
      equal([change.who, change.gained, change.lost, change.undecided], ['bob@example.com', [other], [], []])
      equal(policy.diffPowers(both, ann)[0].lost, [other])
      equal(policy.open(ann).diffPowers(policy.open(both)), [change])
      equal(policy.open(both).powers(), [power, other])
      equal(policy.diffPowers(ann, ann, undefined, { after: { users: [] } }), [])
      await fails(() => policy.diffPowers(ann, both, undefined, { afterwards: {} }), INVALID)
      await fails(() => policy.diffPowers(ann, both, undefined, { after: { people: [] } }), INVALID)
    },
  ],
  [
    'policy: names mean devices, or are reported as unresolved',
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
    'policy.explain: a source has the posture attributes that the flow gives',
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
]
