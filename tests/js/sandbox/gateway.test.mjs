// `createGateway` in front of a sandbox that records the requests. Must not live here: the key (`gateway-key.test.mjs`), the decisions alone
// (tested natively).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TailnetClient } from 'tailnet-kit'
import { createGateway } from 'tailnet-kit/gateway'
import { ACL, KEY, SITE, house, message } from './gate.mjs'

test('a client without a key works through it, with every operation', async () => {
  const { gateway, box } = house({ prefix: '/gate' })
  const client = new TailnetClient({
    baseURL: `${SITE}/gate`,
    apiKey: null,
    tailnet: 'mine.example',
    fetch: (input, init) => gateway(new Request(input, init)),
  })
  assert.deepEqual(
    (await client.devices.list()).map(({ id }) => id),
    ['1'],
  )
  assert.equal((await client.devices.get('1')).id, '1')
  assert.deepEqual((await client.devices.routes.set('1', ['10.0.0.0/8'])).enabledRoutes, ['10.0.0.0/8'])
  assert.deepEqual((await client.devices.routes.get('1')).enabledRoutes, ['10.0.0.0/8'])
  const acl = await client.acl.get()
  const set = await client.acl.set('// ü\n{"acls": []}', { ifMatch: acl.etag })
  assert.equal((await client.acl.get()).text, '// ü\n{"acls": []}')
  await assert.rejects(client.acl.set('{}', { ifMatch: acl.etag }), { code: 'precondition_failed' })
  assert.notEqual(set.etag, acl.etag)
  assert.deepEqual((await client.acl.preview('{"acls": []}', { user: 'a@b.example' })).matches, [])
  await client.dns.nameservers.set(['8.8.8.8'])
  assert.deepEqual((await client.dns.nameservers.get()).dns, ['8.8.8.8'])
  assert.equal((await client.dns.preferences.set({ magicDNS: false })).magicDNS, false)
  assert.equal((await client.dns.preferences.get()).magicDNS, false)
  await client.dns.searchPaths.set(['x.example'])
  assert.deepEqual((await client.dns.searchPaths.get()).searchPaths, ['x.example'])
  await client.devices.delete('1')
  assert.deepEqual(box.snapshot().tailnets['mine.example'].devices, [])
})

test('authorize sees the request and the operation, and decides', async () => {
  const asked = []
  const { ask, seen } = house({
    authorize: async (request, operation) => (asked.push([request.headers.get('x-user'), operation, await request.text()]), false),
  })
  const answer = await ask('POST', '/api/v2/domain/mine.example/acl', { headers: { 'x-user': 'ann' }, body: '{}' })
  assert.deepEqual([answer.status, asked], [401, [['ann', 'acl.set', '{}']]])
  assert.match(await message(answer), /authorized/)
  assert.deepEqual(seen, [])
})

test('a body that authorize reads still reaches the service', async () => {
  const { ask, box } = house({ authorize: async (request) => (await request.text()) === '// read\n{}' })
  assert.equal((await ask('POST', '/api/v2/tailnet/mine.example/acl', { body: '// read\n{}' })).status, 200)
  assert.equal(box.snapshot().tailnets['mine.example'].acl, '// read\n{}')
})

test('without authorize, and unless it returns true, everything is 401', async () => {
  for (const authorize of [undefined, null, () => undefined, () => 1, () => 'yes', () => ({}), async () => 0]) {
    const { ask, seen } = house({ authorize })
    assert.equal((await ask('GET', '/api/v2/tailnet/mine.example/devices')).status, 401)
    assert.deepEqual(seen, [])
  }
  assert.equal((await house({ authorize: undefined }).ask('GET', '/nothing')).status, 401)
})

test('an authorize or a key that fails is 500 without its words', async () => {
  const fails = () => {
    throw new Error(`could not read ${KEY}`)
  }
  for (const options of [
    { authorize: fails },
    { authorize: async () => fails() },
    { apiKey: fails },
    { apiKey: async () => '' },
    { apiKey: () => undefined },
  ]) {
    const { ask, seen } = house(options)
    const answer = await ask('GET', '/api/v2/tailnet/mine.example/devices')
    assert.equal(answer.status, 500)
    assert.ok(!(await message(answer)).includes(KEY))
    assert.deepEqual(seen, [])
  }
})

test('only devices of the tailnet are reached; they are looked up once', async () => {
  const { ask, seen } = house()
  const targets = () => seen.map(({ url }) => new URL(url).pathname)
  for (let call = 0; call < 3; call++) assert.equal((await ask('GET', '/api/v2/device/1')).status, 200)
  assert.deepEqual(targets(), ['/api/v2/tailnet/mine.example/devices', ...Array(3).fill('/api/v2/device/1')])
  seen.length = 0
  for (const id of ['2', 'nobody', '1%2F..%2F2', '%2e%2e%2ftailnet', '1%00', '1%20']) {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/routes'],
      ['POST', '/routes'],
    ]) {
      const answer = await ask(method, `/api/v2/device/${id}${path}`, method === 'POST' ? { body: '{"routes":[]}' } : {})
      assert.equal(answer.status, 404, id)
    }
  }
  assert.ok(
    targets().every((path) => path === '/api/v2/tailnet/mine.example/devices'),
    String(targets()),
  )
})

test('users, webhooks and integrations of another tailnet are not found by any operation', async () => {
  const allow = ['users.*', 'webhooks.*', 'postureIntegrations.*']
  const { ask, seen, box } = house({ allow })
  const client = (tailnet) => new TailnetClient({ baseURL: box.baseURL, apiKey: KEY, tailnet, fetch: box.fetch })
  const things = async (name) => {
    const tailnet = client(name)
    const { endpointId } = await tailnet.webhooks.create({ endpointUrl: `https://${name}/hook`, subscriptions: ['nodeCreated'] })
    const { id } = await tailnet.postureIntegrations.create({ provider: 'falcon', clientId: 'c', clientSecret: 's', cloudId: 'us-1' })
    return [`/api/v2/webhooks/${endpointId}`, `/api/v2/posture/integrations/${id}`]
  }
  for (const path of await things('mine.example')) assert.equal((await ask('GET', path)).status, 200, path)
  seen.length = 0
  for (const path of [...(await things('other.example')), '/api/v2/users/u1CNTRL']) {
    for (const method of ['GET', 'DELETE']) {
      if (path.includes('users') && method === 'DELETE') continue
      const answer = await ask(method, path)
      assert.equal(answer.status, 404, path)
      assert.equal(await message(answer), 'the tailnet has nothing with this id')
    }
  }
  assert.ok(
    seen.every(({ url }) => url.includes('/tailnet/mine.example/')),
    String(seen.map(({ url }) => url)),
  )
})

test('a device is known by its nodeId too', async () => {
  const { ask, box } = house()
  const state = box.snapshot()
  Object.assign(state.tailnets['mine.example'].devices[0], { nodeId: 'n1CNTRL' })
  Object.assign(state.tailnets['other.example'].devices[0], { nodeId: 'n2CNTRL' })
  box.restore(state)
  assert.equal((await (await ask('GET', '/api/v2/device/n1CNTRL')).json()).id, '1')
  assert.equal((await ask('GET', '/api/v2/device/n2CNTRL')).status, 404)
  assert.equal((await ask('GET', '/api/v2/device/undefined')).status, 404)
})

test('a change is made only to a device that is in the tailnet at that moment', async () => {
  const { ask, box, seen } = house()
  assert.equal((await ask('GET', '/api/v2/device/1/routes')).status, 200)
  const state = box.snapshot()
  const { 'mine.example': mine, 'other.example': other } = state.tailnets
  other.devices.push(...mine.devices.splice(0))
  box.restore(state)
  seen.length = 0
  assert.equal((await ask('POST', '/api/v2/device/1/routes', { body: '{"routes":["10.0.0.0/8"]}' })).status, 404)
  assert.equal((await ask('DELETE', '/api/v2/device/1')).status, 404)
  assert.equal((await ask('GET', '/api/v2/device/1')).status, 404, 'what is learnt then counts for reading too')
  assert.deepEqual(box.snapshot(), state)
  assert.ok(seen.every(({ method }) => method === 'GET'))
})

test('a device added after the lookup is found', async () => {
  const { ask, box } = house()
  assert.equal((await ask('GET', '/api/v2/device/9')).status, 404)
  const state = box.snapshot()
  state.tailnets['mine.example'].devices.push({ id: '9' })
  box.restore(state)
  assert.equal((await ask('GET', '/api/v2/device/9')).status, 200)
})

test('no odd path or method reaches the service', async () => {
  const { ask, seen, gateway } = house({ allow: ['devices.list', 'acl.get'] })
  const paths = [
    '/api/v2/tailnet/other.example/devices',
    '/api/v2/domain/other.example/acl',
    '/api/v2/tailnet/--/devices',
    '/api/v2/tailnet/MINE.example/acl',
    '/api/v2/tailnet/mine.example%2f..%2fother.example/acl',
    '/api/v2/tailnet/mine.example/../other.example/acl',
    '/api/v2/tailnet/mine.example/%2e%2e/other.example/acl',
    '/api/v2//tailnet/mine.example/acl',
    '//api/v2/tailnet/other.example/acl',
    '/api/v2/tailnet/mine.example/acl/',
    '/API/v2/tailnet/mine.example/acl',
    '/https://sandbox.invalid/api/v2/tailnet/other.example/acl',
    '/api/v2/tailnet/mine.example/keys',
    '/api/v2/tailnet/mine.example/acl%3f',
    '/api\\v2\\tailnet\\other.example\\acl',
    '/api/v2/tailnet/mine.example%00/acl',
    '/api/v2/tailnet//acl',
    '/api/v2/oauth/token',
    '/',
    '/api/v2/device/1',
  ]
  const override = {
    'x-http-method-override': 'POST',
    'x-original-url': '/api/v2/tailnet/other.example/acl',
    'x-rewrite-url': '/api/v2/device/2',
    host: 'other',
  }
  for (const path of paths) {
    const answer = await ask('GET', path, { headers: override })
    assert.ok([403, 404].includes(answer.status), `${path}: ${answer.status}`)
    assert.ok(await message(answer))
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
    const answer = await ask(method, '/api/v2/tailnet/mine.example/acl', { headers: override })
    assert.equal(answer.status, method === 'POST' ? 403 : 405, method)
  }
  const absolute = await gateway(new Request('https://sandbox.invalid/api/v2/tailnet/other.example/acl'))
  assert.equal(absolute.status, 403)
  assert.deepEqual(seen, [])
  const fine = await ask('GET', '/api/v2/tailnet/mine.example/acl?tailnet=other.example&user=x%26tailnet%3Dother', { headers: override })
  assert.equal(fine.status, 200)
  assert.deepEqual(
    seen.map(({ url, method }) => [method, url]),
    [['GET', 'https://sandbox.invalid/api/v2/tailnet/mine.example/acl?user=x%26tailnet%3Dother']],
  )
})

test('oversized bodies are 413, announced or not, and read no further', async () => {
  const { ask, gateway, seen } = house()
  const path = '/api/v2/tailnet/mine.example/acl'
  assert.equal((await ask('POST', path, { body: '{}', headers: { 'content-length': '9999999' } })).status, 413)
  let pulled = 0
  const endless = new ReadableStream({ pull: (to) => (pulled++, to.enqueue(new Uint8Array(65_536))) })
  const answer = await gateway(new Request(`${SITE}${path}`, { method: 'POST', body: endless, duplex: 'half' }))
  assert.equal(answer.status, 413)
  assert.ok(pulled < 200, `${pulled} pieces were read`)
  assert.deepEqual(seen, [])
})

test('answers of the service pass with their status, body and three headers', async () => {
  const service = {
    status: 200,
    body: '{"a":1}',
    headers: { 'content-type': 'application/json', etag: '"7"', 'retry-after': '3', 'set-cookie': 'a=b', server: 'x' },
  }
  for (const status of [200, 400, 401, 404, 412, 429, 500, 501, 503]) {
    const { ask } = house({ fetch: async () => new Response(service.body, { ...service, status }) })
    const answer = await ask('GET', '/api/v2/tailnet/mine.example/acl')
    assert.deepEqual([answer.status, await answer.text()], [status, service.body])
    const { etag, 'retry-after': retry, 'content-type': type, ...others } = Object.fromEntries(answer.headers)
    assert.deepEqual([etag, retry, type], ['"7"', '3', 'application/json'])
    assert.deepEqual(Object.keys(others).sort(), ['cache-control', 'x-content-type-options'])
  }
})

test('a service that is gone, redirects or lies is 502, without its words', async () => {
  const services = [
    async () => Promise.reject(new TypeError(`connect to 10.0.0.1 with ${KEY} failed`)),
    async () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } }),
    async () => Response.error(),
    () => {
      throw new Error('no')
    },
  ]
  for (const fetch of services) {
    for (const path of ['/api/v2/tailnet/mine.example/acl', '/api/v2/device/1']) {
      const answer = await house({ fetch }).ask('GET', path)
      assert.equal(answer.status, 502)
      assert.doesNotMatch(await message(answer), /10\.0\.0\.1|secret|evil/)
    }
  }
  const lies = await house({ fetch: async () => new Response('<html>') }).ask('GET', '/api/v2/device/1')
  assert.equal(lies.status, 502)
})

test('preflights are answered for the given origins only, before authorize', async () => {
  const { ask, seen } = house({ origins: ['https://page.example'], authorize: () => assert.fail('asked for a preflight') })
  const preflight = (origin) =>
    ask('OPTIONS', '/api/v2/tailnet/mine.example/acl', {
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'if-match' },
    })
  const open = await preflight('https://page.example')
  assert.deepEqual([open.status, open.headers.get('access-control-allow-origin'), await open.text()], [204, 'https://page.example', ''])
  const closed = await preflight('https://evil.example')
  assert.deepEqual([closed.status, closed.headers.get('access-control-allow-origin')], [204, null])
  assert.deepEqual(seen, [])
})

test('options that are not valid throw an invalid_argument that names them', () => {
  const bad = {
    baseURL: [undefined, '', 'api.example.com', 'http://api.example.com', 'https://u:p@api.example.com', 'https://api.example.com?x=1'],
    tailnet: [undefined, '', '..'],
    apiKey: [undefined, null, '', ' ', 'a\nb'],
    allow: [['devices.lst'], ['devices.wirte'], ['*']],
    authorise: [() => true],
    alow: [['devices.list']],
    origin: ['https://page.example'],
    authorize: ['everybody', 7],
    authorizeTimeout: [-1, '10'],
    maxResponseBytes: [-1, 1.5],
    fetch: [{}],
    origins: [['*']],
    prefix: ['gate'],
  }
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) assert.throws(() => house({ [name]: value }), { code: 'invalid_argument', message: new RegExp(name) }, `${name}: ${value}`)
  }
  for (const options of [[], [null], [{ tailnet: 1n }]]) assert.throws(() => createGateway(...options), { code: 'invalid_argument' })
})

test('no answer of the service is read further than maxResponseBytes', async () => {
  for (const [path, status] of [
    [ACL, 500],
    ['/api/v2/device/1', 200],
    ['/api/v2/device/1', 403],
  ]) {
    const [fetch, pulled] = endless({ status })
    const answer = await house({ fetch, maxResponseBytes: 1 << 20 }).ask('GET', path)
    assert.deepEqual([answer.status, pulled() < 40], [502, true], `${path} ${status}: ${pulled()} pieces were read`)
    await message(answer)
  }
  const announced = new Response('{}', { headers: { 'content-length': '2000000' } })
  assert.equal((await house({ fetch: async () => announced, maxResponseBytes: 1 << 20 }).ask('GET', ACL)).status, 502)
})

/** A service whose answers do not end, and how many pieces of 64 KiB were read of them. */
function endless(init) {
  let pulled = 0
  const body = () => new ReadableStream({ pull: (to) => (pulled++, to.enqueue(new Uint8Array(65_536).fill(120))) })
  return [async () => new Response(body(), init), () => pulled]
}

test('a success passes as it comes: nothing is read before it is asked for, and it breaks off beyond maxResponseBytes', async () => {
  const [fetch, pulled] = endless()
  const answer = await house({ fetch, maxResponseBytes: 1 << 20 }).ask('GET', ACL)
  assert.equal(answer.status, 200)
  const before = pulled()
  assert.ok(before < 4, `${before} pieces were read`)
  const reader = answer.body.getReader()
  assert.equal((await reader.read()).value.length, 65_536)
  assert.ok(pulled() <= before + 2, `${pulled()} pieces were read`)
  await assert.rejects(async () => {
    while (!(await reader.read()).done);
  })
  assert.ok(pulled() < 20, `${pulled()} pieces were read`)
})

test('a page that comes in small pieces is passed on before its end, and its source is left when the reader leaves', async () => {
  let source
  let left = false
  const body = new ReadableStream({ start: (to) => (source = to), cancel: () => (left = true) })
  const pieces = ['{"devices": [', '{"id": "1"}', ']}']
  source.enqueue(new TextEncoder().encode(pieces[0]))
  const answer = await house({ fetch: async () => new Response(body) }).ask('GET', ACL)
  const reader = answer.body.getReader()
  const text = async () => new TextDecoder().decode((await reader.read()).value)
  assert.equal(await text(), pieces[0])
  source.enqueue(new TextEncoder().encode(pieces[1]))
  assert.equal(await text(), pieces[1])
  await reader.cancel()
  assert.equal(left, true)
})

test('authorize is called before anything else is looked at', async () => {
  const asked = []
  const { gateway, ask, seen } = house({ allow: ['devices.list'], authorize: (_, operation) => (asked.push(operation), false) })
  const requests = [
    ['GET', '/api/v2/tailnet/mine.example/devices', 'devices.list'],
    ['GET', '/api/v2/tailnet/other.example/devices', 'devices.list'],
    ['GET', ACL, 'acl.get'],
    ['POST', ACL, 'acl.set'],
    ['DELETE', ACL, 'unknown'],
    ['GET', '/nothing', 'unknown'],
    ['POST', '/api/v2/device/2/routes', 'devices.routes.set'],
  ]
  for (const [method, path, operation] of requests) {
    const answer = await ask(method, path, method === 'POST' ? { body: '{}', headers: { origin: 'https://evil.example', 'content-length': '99999999' } } : {})
    assert.deepEqual([answer.status, asked.pop()], [401, operation], `${method} ${path}`)
  }
  let pulled = 0
  const endless = new ReadableStream({ pull: (to) => (pulled++, to.enqueue(new Uint8Array(65_536))) })
  assert.equal((await gateway(new Request(`${SITE}${ACL}`, { method: 'POST', body: endless, duplex: 'half' }))).status, 401)
  assert.ok(pulled < 4, `${pulled} pieces were read`)
  assert.deepEqual(seen, [])
})

test('authorize has a time limit, and its request is aborted when the caller leaves', async () => {
  const slow = () => new Promise(() => {})
  const began = Date.now()
  const { ask, seen } = house({ authorize: slow, authorizeTimeout: 50 })
  assert.equal((await ask('GET', ACL)).status, 503)
  assert.ok(Date.now() - began < 9000, 'it is not the limit of ten seconds that a gateway has by itself')
  const controller = new AbortController()
  let shown
  const { gateway } = house({ authorize: (request) => ((shown = request.signal), slow()) })
  const answer = gateway(new Request(`${SITE}${ACL}`, { signal: controller.signal }))
  setTimeout(() => controller.abort(), 20)
  assert.equal((await answer).status, 503)
  assert.equal(shown.aborted, true)
  const hasty = house({
    authorize: () => {
      throw new Error('at once')
    },
  }).gateway(new Request(`${SITE}${ACL}`, { signal: AbortSignal.abort() }))
  assert.equal((await hasty).status, 503, 'and nothing is left to be rejected')
  assert.deepEqual(seen, [])
})

test('it ends when the caller leaves, whatever hangs', async () => {
  const hang = () => new Promise(() => {})
  const silent = (status) => async () => new Response(new ReadableStream({}), { status })
  const heeds = (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  for (const [what, options] of Object.entries({
    'the service, which heeds the signal': { fetch: heeds },
    'the service, which does not': { fetch: hang },
    'the key': { apiKey: hang },
    'the body of a success': { fetch: silent(200) },
    'the body of a failure': { fetch: silent(500) },
  })) {
    for (const path of [ACL, '/api/v2/device/1']) {
      const controller = new AbortController()
      const answer = house(options).gateway(new Request(`${SITE}${path}`, { signal: controller.signal }))
      setTimeout(() => controller.abort(), 20)
      assert.equal((await answer).status, 502, `${what}, ${path}`)
    }
  }
  const controller = new AbortController()
  const body = new ReadableStream({})
  const answer = house().gateway(new Request(`${SITE}${ACL}`, { method: 'POST', body, duplex: 'half', signal: controller.signal }))
  setTimeout(() => controller.abort(), 20)
  assert.equal((await answer).status, 502, "the caller's own body")
})

test("a hyphen is the gateway's own tailnet", async () => {
  const { ask, seen, gateway } = house()
  const client = new TailnetClient({ baseURL: SITE, apiKey: null, tailnet: '-', fetch: (input, init) => gateway(new Request(input, init)) })
  assert.deepEqual(
    (await client.devices.list()).map(({ id }) => id),
    ['1'],
  )
  assert.equal((await ask('GET', '/api/v2/domain/-/acl')).status, 200)
  assert.ok(
    seen.every(({ url }) => url.includes('/tailnet/mine.example/')),
    JSON.stringify(seen),
  )
})

test('groups let through what they name', async () => {
  const { ask } = house({ allow: ['keys.*', 'devices.read'] })
  const status = async (method, path, body) => (await ask(method, path, body === undefined ? {} : { body })).status
  assert.equal(await status('POST', '/api/v2/tailnet/mine.example/keys', '{"capabilities":{"devices":{"create":{}}}}'), 200)
  assert.equal(await status('GET', '/api/v2/device/1/routes'), 200)
  assert.equal(await status('POST', '/api/v2/device/1/routes', '{"routes":[]}'), 403)
  assert.equal(await status('GET', ACL), 403)
})

test('options may be a function, which is called at the first request', async () => {
  const { box } = house()
  let asked = 0
  const secrets = {}
  const gateway = createGateway(async () => {
    asked++
    return { baseURL: box.baseURL, apiKey: secrets.key, tailnet: 'mine.example', authorize: () => true, fetch: box.fetch }
  })
  const ask = () => gateway(new Request(`${SITE}${ACL}`))
  assert.equal(asked, 0)
  const failed = await ask()
  assert.deepEqual([failed.status, await message(failed)], [500, 'the gateway failed'])
  assert.equal(failed.headers.get('cache-control'), 'no-store')
  secrets.key = KEY
  assert.deepEqual(
    (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(asked, 2)
  assert.throws(() => createGateway({ ...secrets }), { code: 'invalid_argument' })
  const throws = createGateway(() => {
    throw new Error(`no ${KEY}`)
  })
  const answer = await throws(new Request(`${SITE}${ACL}`))
  assert.deepEqual([answer.status, await message(answer)], [500, 'the gateway failed'])
})
