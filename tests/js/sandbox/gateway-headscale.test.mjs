// `createGateway` in front of a server of Headscale, which records the requests. Must not live here: the decisions alone (tested natively), what holds of
// every gateway (`gateway.test.mjs`).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TailnetClient } from 'tailnet-kit'
import { createGateway } from 'tailnet-kit/gateway'
import { HeadscaleClient } from 'tailnet-kit/headscale'

const KEY = 'hskey-api-abc-secret'
const SITE = 'https://edge.example'

/** A gateway, clients of it without a key, and the requests that reached the server of release 0.30. */
function house(options) {
  const seen = []
  const answers = {
    '/api/v1/openapi.yaml': () => new Response('openapi: 3.1.0\ninfo:\n  version: v0.30.1\n'),
    '/api/v1/node': () => Response.json({ nodes: [{ id: '7', name: 'box', user: { id: '1', name: 'ann' } }] }),
    '/api/v1/user': () => Response.json({ users: [{ id: '1', name: 'ann' }] }),
    '/api/v1/policy': async (request) => Response.json({ policy: request.method === 'PUT' ? (await request.json()).policy : '{}', updatedAt: null }),
    '/api/v1/policy/check': () => Response.json({ title: 'Bad Request', status: 400, detail: `no, ${KEY}` }, { status: 400 }),
    '/api/v2/tailnet/-/devices': () => Response.json({ devices: [{ id: '7' }] }),
  }
  const fetch = async (url, init) => {
    const request = new Request(url, init)
    const { pathname } = new URL(url)
    seen.push([request.method, pathname, request.headers.get('authorization')])
    return answers[pathname]?.(request) ?? Response.json({ title: 'Not Found', status: 404, detail: 'no' }, { status: 404 })
  }
  const gateway = createGateway({
    baseURL: 'https://headscale.example.com',
    apiKey: KEY,
    tailnet: '-',
    service: 'headscale',
    prefix: '/gate',
    authorize: () => true,
    fetch,
    ...options,
  })
  const own = { baseURL: `${SITE}/gate`, apiKey: null, fetch: async (input, init) => gateway(new Request(input, init)) }
  return { client: new HeadscaleClient(own), tailnet: new TailnetClient({ ...own, tailnet: '-' }), seen, gateway }
}

test('a client without a key reads nodes, users and policy through it', async () => {
  const { client, seen } = house()
  assert.equal((await client.nodes.list({ user: 'ann' }))[0].id, '7')
  assert.equal((await client.users.list())[0].name, 'ann')
  assert.equal((await client.policy.get()).text, '{}')
  assert.deepEqual(await client.version(), { version: 'v0.30.1', api: '0.30' })
  await assert.rejects(client.policy.set('{}'), { code: 'permission_denied' })
  await assert.rejects(client.apiKeys.list(), { code: 'permission_denied' })
  assert.ok(seen.every(([, , authorization]) => authorization === `Bearer ${KEY}`))
  assert.deepEqual(
    seen.map(([method, path]) => `${method} ${path}`),
    ['GET /api/v1/node', 'GET /api/v1/user', 'GET /api/v1/policy', 'GET /api/v1/openapi.yaml'],
  )
})

test('what the server says passes, the key in it does not', async () => {
  const { client } = house()
  const refused = await client.policy.check('{}').catch((error) => error)
  assert.equal(refused.code, 'bad_request')
  assert.match(refused.message, /^no, /)
  assert.ok(!refused.message.includes('secret'))
})

test('its policy is written where that is allowed, and /api/v2 has its own names', async () => {
  const { client, tailnet } = house({ allow: ['policy.*', 'devices.list'] })
  assert.equal((await client.policy.set('// mine\n{}')).text, '// mine\n{}')
  assert.deepEqual(
    (await tailnet.devices.list()).map(({ id }) => id),
    ['7'],
  )
  await assert.rejects(tailnet.keys.list(), { code: 'permission_denied' })
})

test('authorize gets the operation by its name', async () => {
  const asked = []
  const { client, gateway } = house({ authorize: (_, operation) => asked.push(operation) < 0 })
  for (const call of [client.nodes.setTags('7', ['tag:a']), client.policy.get(), client.version()]) await assert.rejects(call, { code: 'authentication' })
  await gateway(new Request(`${SITE}/gate/api/v1/routes`))
  assert.deepEqual(asked, ['nodes.setTags', 'policy.get', 'health', 'unknown'])
})

test('a misspelt service or operation is refused at once', () => {
  for (const [options, message] of [
    [{ service: 'heedscale' }, /`service`/],
    [{ tailnet: 'example.com' }, /`tailnet`/],
    [{ allow: ['node.list'] }, /`allow`/],
    [{ service: 'tailscale', allow: ['nodes.list'] }, /`allow`/],
  ]) {
    assert.throws(() => house(options), { code: 'invalid_argument', message })
  }
})
