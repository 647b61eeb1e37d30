// One example through every part: text, policy, prefixes, the client over the sandbox in process and over HTTP. Must not live
// here: all of any one part, which has tables of its own.

import { equal, fails, ok } from './assert.mjs'

const HUJSON = '{\n\t// who may\n\t"a": [1, 2,], /* and */ "b": "ü",\n}\n'

/** Ten lines of comment and three sections, then a rule on line 19. */
const POLICY = `// The policy of a small tailnet.
// Lines are counted from here.
{
\t// Checked whenever the policy changes.
\t"Tests": [
\t\t{"User": "alice@example.com", "Allow": ["web:80"], "Deny": ["web:22"]},
\t],
\t"Groups": {
\t\t// Who is on call.
\t\t"group:ops": ["alice@example.com", "bob@example.com"],
\t},
\t"Hosts": {
\t\t"web": "100.100.1.1",
\t\t"db": "100.100.1.2",
\t},
\t"ACLs": [
\t\t// Operations reach the web.
\t\t// On one line.
\t\t{"Action": "accept", "Users": ["group:ops"], "Ports": ["web:80,443"]},
\t\t{
\t\t\t"Action": "accept",
\t\t\t"Users": ["carol@example.com"],
\t\t\t"Ports": ["db:5432"],
\t\t},
\t],
}
`
const STATE = {
  tailnets: {
    'example.com': {
      devices: [{ id: '101', name: 'web.example.com', addresses: ['100.100.1.1'], user: 'alice@example.com' }],
      acl: POLICY,
      dns: { nameservers: ['1.1.1.1'], magicDNS: true, searchPaths: ['corp.example.com'] },
    },
  },
}
const NESTED = '['.repeat(100_000)

export const cases = (env) => [...offline(env), ...inProcess(env), ...overHTTP(env)]

const offline = ({ kit }) => [
  ['hujson.parse reads comments and trailing commas', () => equal(kit.hujson.parse(HUJSON), { a: [1, 2], b: 'ü' })],
  [
    'hujson.standardize keeps length and lines',
    () => {
      const plain = kit.hujson.standardize(HUJSON)
      equal(JSON.parse(plain), { a: [1, 2], b: 'ü' })
      equal([plain.length, plain.split('\n').length], [HUJSON.length, HUJSON.split('\n').length])
    },
  ],
  [
    'hujson.tryParse says where',
    () => {
      const refused = kit.hujson.tryParse('{\n  "a": nope\n}\n')
      const [{ code, severity, line, column, offset, length }] = refused.issues
      equal([refused.ok, code, severity, line, column, offset, length], [false, 'hujson_syntax', 'error', 2, 8, 9, 4])
      equal(kit.hujson.tryParse('[1,]\n').value, [1])
    },
  ],
  [
    'text that is not HuJSON throws HuJSONSyntaxError',
    async () => {
      const error = await fails(() => kit.hujson.parse('{"a": }'), { name: 'HuJSONSyntaxError', code: 'hujson_syntax', message: /^hujson: line 1, column 7: / })
      equal([error.issue.line, error.issue.column], [1, 7])
      ok(error instanceof kit.HuJSONSyntaxError && kit.isTailnetError(error, 'hujson_syntax'), 'the class is the exported one')
    },
  ],
  [
    '100,000 nested brackets are an error',
    async () => {
      await fails(() => kit.hujson.parse(NESTED), { code: 'hujson_syntax' })
      await fails(() => kit.hujson.format(NESTED), { code: 'hujson_syntax' })
      await fails(() => kit.policy.preview(NESTED, { user: 'alice@example.com' }), { code: 'hujson_syntax' })
      equal(kit.policy.check(NESTED).accepted, false)
      equal(kit.hujson.parse('[1]'), [1])
    },
  ],
  [
    'policy.preview counts lines as the service does',
    () => {
      const matches = [{ users: ['group:ops'], ports: ['web:80,443'], lineNumber: 19 }]
      equal(kit.policy.preview(POLICY, { user: 'alice@example.com' }).matches, matches)
      equal(
        kit.policy.preview(POLICY, { user: 'carol@example.com' }).matches.map((match) => match.lineNumber),
        [20],
      )
    },
  ],
  ['policy.preview without a user names it', () => fails(() => kit.policy.preview(POLICY, {}), { code: 'invalid_argument', message: /user/ })],
  [
    'cidr.check says what is right',
    () => {
      equal(kit.cidr.check('10.0.0.0/8'), { ok: true, cidr: '10.0.0.0/8', version: 4 })
      const { ok: fine, suggestion } = kit.cidr.check('10.1.2.3/8')
      equal([fine, suggestion], [false, '10.0.0.0/8'])
    },
  ],
]

const inProcess = ({ kit, sandbox }) => {
  const box = () => new sandbox.Sandbox({ state: STATE, apiKey: 'tskey-test' })
  const client = (options = {}) => {
    const { baseURL, fetch } = box()
    return new kit.TailnetClient({ baseURL, fetch, apiKey: 'tskey-test', tailnet: 'example.com', dangerouslyAllowBrowser: true, ...options })
  }
  return [
    [
      'the client reads devices of the sandbox',
      async () => {
        const devices = await client().devices.list()
        equal(
          devices.map(({ id, name }) => [id, name]),
          [['101', 'web.example.com']],
        )
        equal((await client().devices.get('101')).addresses, ['100.100.1.1'])
      },
    ],
    [
      'the client reads the ACL byte for byte, and previews it',
      async () => {
        const acl = await client().acl.get()
        equal([acl.format, acl.text, typeof acl.etag], ['hujson', POLICY, 'string'])
        equal(
          (await client().acl.preview(POLICY, { user: 'bob@example.com' })).matches.map((match) => match.lineNumber),
          [19],
        )
      },
    ],
    [
      'the client sets nameservers',
      async () => {
        const one = client()
        equal((await one.dns.nameservers.set(['8.8.8.8', '9.9.9.9'])).dns, ['8.8.8.8', '9.9.9.9'])
        equal(await one.dns.nameservers.get(), { dns: ['8.8.8.8', '9.9.9.9'] })
        equal(await one.dns.nameservers.set([]), { dns: [], magicDNS: false })
      },
    ],
    [
      'refusals have class, code and status',
      async () => {
        await fails(() => client().devices.get('nobody'), { name: 'NotFoundError', code: 'not_found', status: 404 })
        await fails(() => client({ apiKey: 'wrong' }).devices.list(), { name: 'AuthenticationError', code: 'authentication', status: 401 })
      },
    ],
    [
      'a missing argument is named',
      async () => {
        await fails(() => client({ tailnet: undefined }).devices.list(), { code: 'invalid_argument', message: /tailnet/ })
        await fails(() => client().acl.preview(POLICY, {}), { code: 'invalid_argument', message: /user/ })
        await fails(() => client({ baseURL: undefined }), { code: 'invalid_argument', message: /baseURL/ })
      },
    ],
  ]
}

const overHTTP = ({ kit, baseURL }) => [
  [
    'the client works over HTTP',
    async () => {
      ok(baseURL?.startsWith('http://'), 'the command gave a base URL')
      const client = new kit.TailnetClient({ baseURL, apiKey: 'tskey-sandbox', tailnet: 'example.com', dangerouslyAllowBrowser: true })
      const [first, ...others] = await client.devices.list()
      ok(others.length > 0, 'the default tailnet has devices')
      equal((await client.devices.get(first.id)).id, first.id)
      const acl = await client.acl.get()
      equal(kit.policy.check(acl.text).accepted, true)
      ok(Array.isArray((await client.dns.nameservers.get()).dns), 'nameservers are a list')
      await fails(() => client.devices.get('nobody'), { code: 'not_found', status: 404 })
    },
  ],
]
