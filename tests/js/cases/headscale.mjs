// The client of Headscale: the exchanges of each release, one shape for all of them, the update of a policy, a context of what is listed; and the other
// client against `/api/v2` of 0.30 (docs/headscale-api.md). Must not live here: which request a call makes in Rust (tests/client/headscale.rs), policies in the
// dialect (`policy/headscale.mjs`).

import { equal, fails, ok } from './assert.mjs'
import { releases } from './tables.mjs'

const KEY = 'hskey-api-abc-secret'
const ROOT = 'https://headscale.example.com'

/** The method of a call, with the arguments that the files beside have by name. */
const CALLS = {
  'nodes.list': (c, { query }) => c.nodes.list(query),
  'nodes.get': (c, { id }) => c.nodes.get(id),
  'nodes.delete': (c, { id }) => c.nodes.delete(id),
  'nodes.expire': (c, { id, at }) => c.nodes.expire(id, at),
  'nodes.rename': (c, { id, name }) => c.nodes.rename(id, name),
  'nodes.setTags': (c, { id, body }) => c.nodes.setTags(id, body.tags),
  'nodes.setApprovedRoutes': (c, { id, body }) => c.nodes.setApprovedRoutes(id, body.routes),
  'nodes.register': (c, { query }) => c.nodes.register(query),
  'users.list': (c, { query }) => c.users.list(query),
  'users.create': (c, { body }) => c.users.create(body),
  'users.rename': (c, { id, name }) => c.users.rename(id, name),
  'users.delete': (c, { id }) => c.users.delete(id),
  'preAuthKeys.list': (c) => c.preAuthKeys.list(),
  'preAuthKeys.create': (c, { body }) => c.preAuthKeys.create(body),
  'preAuthKeys.expire': (c, { body }) => c.preAuthKeys.expire(body.id),
  'preAuthKeys.delete': (c, { query }) => c.preAuthKeys.delete(query.id),
  'apiKeys.list': (c) => c.apiKeys.list(),
  'apiKeys.create': (c, { body }) => c.apiKeys.create(body),
  'apiKeys.expire': (c, { body }) => c.apiKeys.expire(body.prefix),
  'apiKeys.delete': (c, { prefix }) => c.apiKeys.delete(prefix),
  'policy.get': (c) => c.policy.get(),
  'policy.set': (c, { body }) => c.policy.set(body.policy),
  'policy.check': (c, { body }) => c.policy.check(body.policy),
  'auth.register': (c, { body }) => c.auth.register(body),
  'auth.approve': (c, { body }) => c.auth.approve(body.authId),
  'auth.reject': (c, { body }) => c.auth.reject(body.authId),
  health: (c) => c.health(),
}

/** A client over a function in place of a server, which is called with a Request. */
const over = (env, answer, options) =>
  new env.headscale.HeadscaleClient({
    baseURL: ROOT,
    apiKey: KEY,
    dangerouslyAllowBrowser: true,
    fetch: async (input, init) => answer(new Request(input, init)),
    ...options,
  })

const json = (body, status = 200) => Response.json(body, { status })

/** A server of a release in little: it serves a policy, users and nodes; `wrote` gets each text that is stored. */
function server(release, { policy = '{}', wrote = () => {}, meanwhile = () => {} } = {}) {
  const asked = []
  const stored = { policy, updatedAt: '2026-07-01T08:00:00Z' }
  const respond = async (request) => {
    const { pathname } = new URL(request.url)
    asked.push(`${request.method} ${pathname.replace('/api/v1', '')}`)
    const path = `${request.method} ${pathname}`
    if (path === 'GET /api/v1/openapi.yaml' && release === '0.30') return new Response('openapi: 3.1.0\ninfo:\n  version: v0.30.0\n')
    if (path === 'GET /swagger/v1/openapiv2.json' && release !== '0.30') {
      return json({ paths: { '/api/v1/policy': {}, ...(release === '0.29' && { '/api/v1/policy/check': {} }) } })
    }
    if (path === 'GET /api/v1/user') return json({ users: [{ id: '1', name: 'ann', email: 'ann@example.com' }] })
    if (path === 'GET /api/v1/node')
      return json({ nodes: [{ id: '7', name: 'box', givenName: 'box', user: { id: '1', name: 'ann' }, ipAddresses: ['100.64.0.1'] }] })
    if (path === 'GET /api/v1/policy') return json({ ...stored })
    if (path === 'POST /api/v1/policy/check') {
      meanwhile(stored)
      return json({})
    }
    if (path !== 'PUT /api/v1/policy') return json({ code: 5, message: 'Not Found', details: [] }, 404)
    stored.policy = (await request.json()).policy
    wrote(stored.policy)
    return json({ ...stored })
  }
  return { asked, respond }
}

const ACCEPTED = '// who\n{"acls": [{"action": "accept", "src": ["ann@"], "dst": ["ann@:22"]}]}'

export const cases = (env) => [...exchanges(env), ...shapes(env), ...versions(env), ...updates(env), ...contexts(env), ...refusals(env), ...v2(env)]

const exchanges = (env) =>
  Object.entries(releases).flatMap(([release, calls]) =>
    calls.map(({ method, args, messages, error }) => [
      `headscale ${release} ${method} ${JSON.stringify(args)}`,
      async () => {
        const left = [...messages]
        const client = over(env, async (request) => {
          const { answer, ...wanted } = left.shift()
          equal([request.method, request.url.slice(ROOT.length), request.headers.get('authorization')], [wanted.method, wanted.target, `Bearer ${KEY}`])
          const sent = await request.text()
          equal(sent && JSON.parse(sent), wanted.body && JSON.parse(wanted.body))
          return new Response(answer.body, { status: answer.status, headers: answer.headers })
        })
        const call = () => CALLS[method](client, args)
        if (error === null) await call()
        else {
          const [code] = error.split(': ', 1)
          await fails(call, { code, message: error.slice(code.length + 2) })
        }
        equal(left.length, 0)
      },
    ]),
  )

const shapes = (env) => [
  [
    'headscale: what is missing or null in an old release is an empty list, and the year 1 is no time',
    async () => {
      const NODE = { id: '1', name: 'laptop', lastSeen: '0001-01-01T00:00:00Z', expiry: '0001-01-01T00:00:00Z', tags: null, ipAddresses: ['100.64.0.1'] }
      const [node] = await over(env, () => json({ nodes: [NODE] })).nodes.list()
      const { lastSeen, expiry, tags, ipAddresses, availableRoutes } = node
      equal([lastSeen, expiry, tags, ipAddresses, availableRoutes], [null, null, [], ['100.64.0.1'], []])
      equal(await over(env, () => json({})).users.list(), [])
      equal(await over(env, () => json({ policy: '// kept\n{}', updatedAt: '0001-01-01T00:00:00Z' })).policy.get(), { text: '// kept\n{}', updatedAt: null })
      equal(await over(env, () => json({ apiKey: 'hskey-api-x-y' })).apiKeys.create(), 'hskey-api-x-y')
      equal(await over(env, () => json({ databaseConnectivity: true })).health(), { databaseConnectivity: true })
      equal(await over(env, () => json({})).nodes.delete('1'), undefined)
    },
  ],
  [
    'headscale: an answer that is not what was asked for is no answer',
    async () => {
      for (const [body, at] of [
        [{ nodes: {} }, 'nodes'],
        [{ nodes: [{ id: 7, name: 'x' }] }, 'nodes[0].id'],
        [{ nodes: [null] }, 'nodes[0]'],
      ]) {
        const error = await fails(() => over(env, () => json(body)).nodes.list(), { name: 'APIResponseError' })
        ok(error.message.includes(at), error.message)
      }
    },
  ],
  [
    'headscale: times are given as text or as Date',
    async () => {
      const bodies = []
      const client = over(env, async (request) => {
        bodies.push(await request.json())
        return json({ node: { id: '1', name: 'x' }, preAuthKey: { id: '1', key: 'k' } })
      })
      await client.nodes.expire('1', new Date(0))
      await client.preAuthKeys.create({ user: '1', expiration: new Date(0) })
      equal(bodies, [{ expiry: '1970-01-01T00:00:00.000Z' }, { user: '1', expiration: '1970-01-01T00:00:00.000Z' }])
    },
  ],
  [
    'headscale: the response is there beside the data, of an update too',
    async () => {
      const { respond } = server('0.30')
      const { data, response } = await over(env, respond).users.list().withResponse()
      equal([data[0].name, response.status], ['ann', 200])
      const updated = await over(env, respond)
        .policy.update(() => ACCEPTED)
        .withResponse()
      equal([updated.data.text, updated.response.status], [ACCEPTED, 200])
    },
  ],
]

const versions = (env) => [
  [
    'headscale: which release answers is seen by what it serves',
    async () => {
      for (const [release, version] of [
        ['0.28', null],
        ['0.29', null],
        ['0.30', 'v0.30.0'],
      ]) {
        equal(await over(env, server(release).respond).version(), { version, api: release })
      }
    },
  ],
  [
    'headscale: what a release does not have is not sent, and the release is asked for once',
    async () => {
      const { asked, respond } = server('0.28')
      const client = over(env, respond)
      for (const call of [(c) => c.policy.check('{}'), (c) => c.auth.approve('a'), (c) => c.nodes.expire('7', null)]) {
        await fails(() => call(client), { name: 'NotImplementedError', code: 'not_implemented' })
      }
      equal(asked, ['GET /openapi.yaml', 'GET /swagger/v1/openapiv2.json'])
    },
  ],
]

const updates = (env) => [
  [
    'headscale: an update is judged here with users and nodes, checked there, written and read again',
    async () => {
      for (const release of ['0.29', '0.30']) {
        const written = []
        const { asked, respond } = server(release, { wrote: (text) => written.push(text) })
        const policy = await over(env, respond).policy.update((text) => (text === '{}' ? ACCEPTED : text))
        equal([policy.text, policy.updatedAt, written], [ACCEPTED, '2026-07-01T08:00:00Z', [ACCEPTED]])
        const calls = asked.filter((line) => !/openapi/.test(line))
        equal(calls.sort(), ['GET /node', 'GET /policy', 'GET /policy', 'GET /policy', 'GET /user', 'POST /policy/check', 'PUT /policy'])
      }
    },
  ],
  [
    'headscale: what the server would refuse is refused here, and nothing is written',
    async () => {
      const { asked, respond } = server('0.30')
      const refused = '{"acls": [{"action": "accept", "src": ["group:none"], "dst": ["*:*"]}]}'
      const error = await fails(() => over(env, respond).policy.update(() => refused), { name: 'PolicyRefusedError', code: 'policy_refused' })
      equal([error.check.accepted, error.check.message], [false, 'group not defined in policy: "group:none"'])
      equal(
        asked.filter((line) => /^(PUT|POST)/.test(line)),
        [],
      )
      const own = (text) => ({ accepted: text === refused, message: 'no' })
      equal((await over(env, respond).policy.update(() => refused, { check: own })).text, refused)
      await fails(() => over(env, respond).policy.update(() => '{}', { check: own }), { code: 'policy_refused', message: /no$/ })
    },
  ],
  [
    'headscale: what somebody else writes meanwhile is a conflict',
    async () => {
      const { asked, respond } = server('0.30', { meanwhile: (stored) => Object.assign(stored, { policy: '{ }' }) })
      await fails(() => over(env, respond).policy.update(() => ACCEPTED), { name: 'ConflictError', code: 'conflict' })
      ok(!asked.includes('PUT /policy'), 'nothing is written')
    },
  ],
  [
    'headscale: policies of 0.28 are written without a verdict alone',
    async () => {
      const update = (options) => over(env, server('0.28').respond).policy.update(() => ACCEPTED, options)
      await fails(() => update(), { name: 'NotImplementedError', code: 'not_implemented' })
      equal((await update({ check: false })).text, ACCEPTED)
    },
  ],
  [
    'headscale: an edit may take its time, and its error is the error of the update',
    async () => {
      const { respond } = server('0.30')
      equal((await over(env, respond).policy.update(async () => ACCEPTED)).text, ACCEPTED)
      await fails(
        () =>
          over(env, respond).policy.update(() => {
            throw new Error('mine')
          }),
        { message: 'mine' },
      )
      await fails(() => over(env, respond).policy.update('{}'), { code: 'invalid_argument', message: /`edit`/ })
      await fails(() => over(env, respond).policy.update(() => 7), { code: 'invalid_argument', message: /`edit`/ })
    },
  ],
]

const contexts = (env) => [
  [
    'headscale: a context is made of what the server lists, and judges its policy',
    async () => {
      const { contextFromHeadscale } = env.headscale
      const client = over(env, server('0.30').respond)
      const context = contextFromHeadscale({ users: await client.users.list(), nodes: await client.nodes.list() })
      equal(context.dialect, 'headscale')
      equal(context.users, [{ loginName: 'ann', id: '1', email: 'ann@example.com' }])
      equal(env.kit.policy.check(ACCEPTED, context).accepted, true)
      equal(env.kit.policy.preview(ACCEPTED, 'ann@', context).matches.length, 1)
      for (const listed of [undefined, {}, { users: [] }, { users: [], nodes: {} }, { users: [7], nodes: [] }]) {
        await fails(() => contextFromHeadscale(listed), { name: 'InvalidArgumentError', code: 'invalid_argument' })
      }
    },
  ],
  [
    'headscale: tags of releases before 0.28, and routes that are announced and approved',
    () => {
      const node = (more) => ({ id: '7', name: 'box', givenName: 'box-1', user: { id: '1', name: 'ann' }, ipAddresses: ['100.64.0.7'], ...more })
      const routed = node({ tags: [], availableRoutes: ['10.0.0.0/8', '10.1.0.0/16'], approvedRoutes: ['10.1.0.0/16', '10.2.0.0/16'] })
      const nodes = [node({ forcedTags: ['tag:a'], validTags: ['tag:b'], invalidTags: ['tag:c'] }), routed]
      const { devices } = env.headscale.contextFromHeadscale({ users: [], nodes })
      equal([devices[0].tags, devices[0].user, devices[1].user], [['tag:a', 'tag:b'], undefined, '1'])
      equal([devices[1].advertisedRoutes, devices[1].enabledRoutes], [['10.0.0.0/8', '10.1.0.0/16'], ['10.1.0.0/16']])
    },
  ],
]

const refusals = (env) => [
  [
    'headscale: arguments are refused before anything is sent',
    async () => {
      const client = over(env, () => {
        throw new Error('sent')
      })
      for (const [call, message] of [
        [(c) => c.nodes.get(''), /`id`/],
        [(c) => c.nodes.get('..'), /`id`/],
        [(c) => c.nodes.list({ tag: 'x' }), /`tag` is not one of user/],
        [(c) => c.nodes.setApprovedRoutes('1', ['10.0.0.1/8']), /`routes\[0\]`/],
        [(c) => c.nodes.expire('1', 7), /`at`/],
        [(c) => c.nodes.expire('1', new Date(Number.NaN)), /not a valid time/],
        [(c) => c.users.create({ mail: 'x' }), /`mail` is not one of/],
        [(c) => c.users.list({}, { tailnet: 'x' }), /`tailnet` is not one of/],
        [(c) => c.preAuthKeys.delete(), /`id`/],
        [(c) => c.request('GET', 'api/v1/node'), /`path`/],
      ]) {
        await fails(() => call(client), { name: 'InvalidArgumentError', code: 'invalid_argument', message })
      }
      await fails(() => over(env, () => {}, { tailnet: '-' }), { code: 'invalid_argument', message: /`tailnet` is not one of/ })
    },
  ],
  [
    'headscale: a server that has decided something is not asked again, one that fails is',
    async () => {
      const times = async (status, body, options) => {
        let calls = 0
        const client = over(env, () => {
          calls += 1
          return json(body, status)
        })
        const error = await fails(() => client.users.rename('9', 'bob', { maxRetries: 1, ...options }), {})
        return [calls, error.name]
      }
      equal(await times(500, { code: 2, message: 'user not found', details: [] }), [1, 'NotFoundError'])
      equal(await times(503, { message: 'down' }), [2, 'InternalServerError'])
    },
  ],
  [
    'headscale: other options and calls of any path',
    async () => {
      const seen = []
      const client = over(env, (request) => {
        seen.push([request.method, new URL(request.url).pathname])
        return json({ changes: ['a'] })
      })
      const other = client.withOptions({ baseURL: `${ROOT}/behind` })
      equal(await other.request('POST', '/api/v1/node/backfillips', { query: { confirmed: 'true' } }), { changes: ['a'] })
      equal(seen, [['POST', '/behind/api/v1/node/backfillips']])
      client.close()
      await fails(() => client.health(), { name: 'APIUserAbortError' })
    },
  ],
]

/** `/api/v2` of 0.30 in little, whose only tailnet is `-`: errors are `{message, data, status}`. */
function v2Server() {
  const asked = []
  const stored = { text: '// ours\n{"acls": []}', etag: '"1"' }
  const policy = (body = stored.text, type = 'application/hujson') => new Response(body, { headers: { 'content-type': type, etag: stored.etag } })
  const respond = async (request) => {
    const { pathname } = new URL(request.url)
    const path = `${request.method} ${pathname}`
    asked.push(`${path} ${request.headers.get('authorization')?.split(' ')[0] ?? ''}`.trim())
    if (path === 'POST /api/v2/oauth/token') {
      const form = new URLSearchParams(await request.text())
      asked.push(`${form.get('client_id')} ${form.get('grant_type')}`)
      return json({ access_token: 'hskey-oauthtok-t1', token_type: 'Bearer', expires_in: 3600, scope: 'devices' })
    }
    if (path === 'GET /api/v2/tailnet/-/acl') return request.headers.get('accept') === 'application/json' ? policy('{"acls":[]}', 'application/json') : policy()
    if (path === 'POST /api/v2/tailnet/-/acl') {
      if (request.headers.get('if-match') !== stored.etag) return json({ message: 'precondition failed, invalid old hash', data: null, status: 412 }, 412)
      Object.assign(stored, { text: await request.text(), etag: '"2"' })
      return policy()
    }
    if (path === 'GET /api/v2/tailnet/-/devices') return json({ devices: [{ id: '7', name: 'box', addresses: ['100.64.0.7'] }] })
    if (path === 'POST /api/v2/device/7/tags') return json({})
    if (path === 'GET /api/v2/tailnet/-/keys') return json({ keys: [{ id: 'k1' }] })
    if (path === 'GET /api/v2/tailnet/-/users') return json({ users: [{ id: '1', loginName: 'ann@example.com' }] })
    return json({ message: 'not found', data: null, status: 404 }, 404)
  }
  return { asked, respond, stored }
}

const tailnetClient = (env, respond, options) =>
  new env.kit.TailnetClient({
    baseURL: ROOT,
    tailnet: '-',
    apiKey: KEY,
    dangerouslyAllowBrowser: true,
    fetch: async (input, init) => respond(new Request(input, init)),
    ...options,
  })

const v2 = (env) => [
  [
    'headscale /api/v2: TailnetClient reads and writes it as the tailnet `-`',
    async () => {
      const { asked, respond, stored } = v2Server()
      const client = tailnetClient(env, respond)
      equal((await client.devices.list())[0].id, '7')
      await client.devices.setTags('7', ['tag:db'])
      equal(
        (await client.keys.list()).map(({ id }) => id),
        ['k1'],
      )
      equal((await client.users.list())[0].loginName, 'ann@example.com')
      const { text, etag } = await client.acl.get()
      equal([text, etag, (await client.acl.get({ format: 'json' })).policy], [stored.text, '"1"', { acls: [] }])
      equal((await client.acl.set('// mine\n{}', { ifMatch: etag })).etag, '"2"')
      await fails(() => client.acl.set('{}', { ifMatch: etag }), {
        name: 'PreconditionFailedError',
        code: 'precondition_failed',
        message: 'precondition failed, invalid old hash',
      })
      ok(
        asked.every((line) => line.includes(' /api/v2/') && line.endsWith(' Basic')),
        asked.join('; '),
      )
    },
  ],
  [
    'headscale /api/v2: what is not served there is not found',
    async () => {
      const client = tailnetClient(env, v2Server().respond)
      for (const call of [(c) => c.webhooks.list(), (c) => c.dns.nameservers.get(), (c) => c.contacts.get()]) {
        await fails(() => call(client), { name: 'NotFoundError', code: 'not_found', message: 'not found' })
      }
    },
  ],
  [
    'headscale /api/v2: oauth takes the id of the client from its secret',
    async () => {
      const { asked, respond } = v2Server()
      const apiKey = env.kit.oauth({ clientSecret: 'hskey-client-abc-secret', scopes: ['devices'] })
      equal((await tailnetClient(env, respond, { apiKey }).devices.list()).length, 1)
      equal(asked, ['POST /api/v2/oauth/token', 'abc client_credentials', 'GET /api/v2/tailnet/-/devices Basic'])
    },
  ],
]
