// Headscale in process, in every runtime. Must not live here: what it answers in detail (tested natively), HTTP (`sandbox/headscale.test.mjs`).

import { equal, fails, ok } from './assert.mjs'

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5)

const STATE = {
  users: [{ id: '1', name: 'alice', createdAt: '', displayName: '', email: '', providerId: '', provider: '', profilePicUrl: '' }],
  nodes: [{ id: '7', name: 'box', givenName: 'box', ipAddresses: ['100.64.0.7'], user: { id: '1', name: 'alice' }, tags: [], online: true }],
  policy: '// ü\n{}',
}

/** Asks with the key; the status, and the body as JSON where it is some. */
const asking =
  ({ fetch, apiKey }) =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const response = await fetch(`/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) })
    const text = await response.text()
    return [response.status, text.startsWith('{') ? JSON.parse(text) : text]
  }

export const cases = ({ sandbox: { HeadscaleSandbox } }) => [
  [
    'Headscale in process begins with a team',
    async () => {
      const box = new HeadscaleSandbox()
      const ask = asking(box)
      const [status, { nodes }] = await ask('GET', '/node')
      equal([status, nodes.map(({ givenName }) => givenName)], [200, ['ann-laptop', 'ben-laptop', 'cleo-laptop', 'git-1', 'build-1', 'backup-1']])
      const [, { policy }] = await ask('GET', '/policy')
      equal(await ask('POST', '/policy/check', { policy }), [200, {}])
      ok(URL.canParse(box.baseURL), 'a base URL')
    },
  ],
  [
    'it begins with the state, the key and the clock that it is given',
    async () => {
      const box = new HeadscaleSandbox({ apiKey: 'hskey-api-own-secret', state: STATE, now: () => NOW })
      const ask = asking(box)
      equal(box.apiKey, 'hskey-api-own-secret')
      equal(await ask('GET', '/policy'), [200, { policy: STATE.policy, updatedAt: '2026-01-02T03:04:05Z' }])
      const [, { node }] = await ask('POST', '/node/7/expire')
      equal([node.user.name, node.expiry], ['alice', '2026-01-02T03:04:05Z'])
    },
  ],
  [
    'a policy that it refuses is refused in the form of the release',
    async () => {
      const policy = '{"groups": {"group:a": ["bob"]}}'
      const reason =
        'parsing policy: parsing policy from bytes: json: cannot unmarshal JSON object into Go v2.Groups within "/groups": username must contain @, got: "bob"'
      const newer = asking(new HeadscaleSandbox({ state: STATE }))
      equal(await newer('PUT', '/policy', { policy }), [400, { title: 'Bad Request', status: 400, detail: 'setting policy', errors: [{ message: reason }] }])
      const older = asking(new HeadscaleSandbox({ state: STATE, errors: '0.29' }))
      equal(await older('PUT', '/policy', { policy }), [500, { code: 2, message: `setting policy: ${reason}`, details: [] }])
      equal((await older('GET', '/policy'))[1].policy, STATE.policy)
    },
  ],
  [
    'without its key nothing is answered but that it lives',
    async () => {
      const refused = async (errors) => {
        const { fetch, baseURL } = new HeadscaleSandbox({ errors })
        const response = await fetch(new URL('/api/v1/user', baseURL), { headers: { authorization: 'Bearer hskey-api-no-key' } })
        return [response.status, response.headers.get('content-type'), await response.text()]
      }
      const problem = '{"title":"Unauthorized","status":401,"detail":"unauthorized"}'
      const [status, type, body] = await refused('0.30')
      equal([status, type, JSON.parse(body)], [401, 'application/problem+json', JSON.parse(problem)])
      equal(await refused('0.29'), [401, 'text/plain; charset=utf-8', 'Unauthorized'])
      equal(await (await new HeadscaleSandbox().fetch('/health')).json(), { status: 'pass' })
    },
  ],
  [
    'its fetch is that of a service: HEAD has no body, and an aborted call changes nothing',
    async () => {
      const { fetch, apiKey } = new HeadscaleSandbox({ state: STATE })
      const headers = { authorization: `Bearer ${apiKey}` }
      const head = await fetch('/api/v1/node', { method: 'HEAD', headers })
      equal([head.status, await head.text()], [200, ''])
      await fails(() => fetch('/api/v1/node/7', { method: 'DELETE', headers, signal: AbortSignal.abort(new TypeError('no')) }), { message: 'no' })
      equal((await fetch('/api/v1/node/7', { headers })).status, 200)
    },
  ],
  [
    'its snapshot is what another begins with',
    async () => {
      const box = new HeadscaleSandbox({ state: STATE })
      const ask = asking(box)
      await ask('POST', '/user', { name: 'bob' })
      await ask('POST', '/node/7/rename/crate')
      const again = new HeadscaleSandbox({ state: box.snapshot() }).snapshot()
      equal([again.users.map(({ name }) => name), again.nodes.map(({ givenName }) => givenName), again.policy], [['alice', 'bob'], ['crate'], STATE.policy])
      equal(new HeadscaleSandbox({ state: { ...STATE, policy: '' } }).snapshot().policy, '')
    },
  ],
  [
    'options that it does not know are named',
    async () => {
      await fails(() => new HeadscaleSandbox({ apikey: 'x' }), { code: 'invalid_argument', message: /apikey/ })
      await fails(() => new HeadscaleSandbox({ errors: '0.28' }), { code: 'invalid_argument', message: /errors/ })
      await fails(() => new HeadscaleSandbox({ state: { users: [], nodes: [] } }), { code: 'invalid_argument', message: /policy/ })
      await fails(() => new HeadscaleSandbox({ now: 7 }), { code: 'invalid_argument', message: /now/ })
    },
  ],
]
