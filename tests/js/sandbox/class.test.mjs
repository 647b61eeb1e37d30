// The class `Sandbox` in process. Must not live here: what the service answers (tested natively).

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Sandbox } from 'tailnet-kit/sandbox'

const KEY = 'tskey-mine'
const headers = { authorization: `Basic ${btoa(`${KEY}:`)}` }
const tailnet = (devices) => ({ devices, acl: '{} // ü', dns: { nameservers: [], magicDNS: false, searchPaths: [] } })
const STATE = { tailnets: { 'b.example': tailnet([{ id: '1', custom: { deep: [null, 1.5] } }]), 'a.example': tailnet([]) } }
const box = (options) => new Sandbox({ tailnet: ['b.example'], apiKey: KEY, state: STATE, ...options })

test('fetch is bound and takes a string, a URL, a Request and a path', async () => {
  const { fetch, baseURL } = box()
  const url = `${baseURL}/api/v2/device/1`
  for (const input of [url, new URL(url), new Request(url, { headers }), '/api/v2/device/1']) {
    const response = await fetch(input, input instanceof Request ? undefined : { headers })
    assert.ok(response instanceof Response)
    assert.equal(response.status, 200)
    assert.deepEqual((await response.json()).custom, { deep: [null, 1.5] })
  }
})

test('bodies of every kind arrive, and text comes back byte for byte', async () => {
  const sandbox = box()
  const policy = '// ü 😀\n{"acls": [],}\n'
  const stream = () => new Blob([policy]).stream()
  for (const body of [policy, new TextEncoder().encode(policy), new Blob([policy]), stream()]) {
    const response = await sandbox.fetch('/api/v2/tailnet/-/acl', { method: 'POST', headers, body, duplex: 'half' })
    assert.equal(await response.text(), policy)
    assert.equal(response.headers.get('content-type'), 'application/hujson')
    assert.match(response.headers.get('etag'), /^".+"$/)
  }
})

test('a body that is not UTF-8 is refused', async () => {
  const response = await box().fetch('/api/v2/tailnet/-/acl', { method: 'POST', headers, body: new Uint8Array([0x7b, 0xff, 0x7d]) })
  assert.equal(response.status, 400)
  assert.match((await response.json()).message, /UTF-8/)
})

test('an aborted call rejects with the reason and changes nothing', async () => {
  const sandbox = box()
  const before = sandbox.revision
  const reason = { why: 'changed my mind' }
  const call = sandbox.fetch('/api/v2/device/1', { method: 'DELETE', headers, signal: AbortSignal.abort(reason) })
  await assert.rejects(call, (error) => error === reason)
  assert.equal(sandbox.revision, before)
})

test('snapshot and restore bring the state back as it was', async () => {
  const sandbox = box()
  assert.deepEqual(sandbox.snapshot(), STATE)
  assert.deepEqual(Object.keys(sandbox.snapshot().tailnets), ['b.example', 'a.example'])
  await sandbox.fetch('/api/v2/device/1', { method: 'DELETE', headers })
  assert.deepEqual(sandbox.snapshot().tailnets['b.example'].devices, [])
  sandbox.restore(STATE)
  assert.deepEqual(sandbox.snapshot(), STATE)
})

test('two sandboxes share nothing, and a snapshot is a copy', async () => {
  const [one, two] = [box(), box()]
  await one.fetch('/api/v2/device/1', { method: 'DELETE', headers })
  one.snapshot().tailnets['a.example'].acl = 'spoilt'
  assert.deepEqual(two.snapshot(), STATE)
  assert.equal(one.snapshot().tailnets['a.example'].acl, '{} // ü')
})

test('revision grows with changes only', async () => {
  const sandbox = box()
  const start = sandbox.revision
  await sandbox.fetch('/api/v2/device/1', { headers })
  await sandbox.fetch('/api/v2/device/9', { method: 'DELETE', headers })
  assert.equal(sandbox.revision, start)
  await sandbox.fetch('/api/v2/device/1', { method: 'DELETE', headers })
  assert.ok(sandbox.revision > start)
})

test('the sandbox uses the given clock', () => {
  const at = (now) => new Sandbox({ now: () => now }).snapshot().tailnets['example.com'].devices[1].lastSeen
  assert.equal(at(Date.UTC(2030, 0, 2, 3, 4, 5)), '2030-01-02T02:23:05+00:00')
})

test('options and states that are not valid are named', () => {
  const invalid = (words) => ({ code: 'invalid_argument', name: 'InvalidArgumentError', message: words })
  assert.throws(() => new Sandbox({ tailnet: 5 }), invalid(/tailnet/))
  assert.throws(() => new Sandbox({ tailnet: [] }), invalid(/tailnet/))
  assert.throws(() => new Sandbox({ apiKey: '' }), invalid(/apiKey/))
  assert.throws(() => new Sandbox({ state: {} }), invalid(/tailnets/))
  const sandbox = box()
  for (const state of [undefined, null, 'x', { tailnets: { a: {} } }]) {
    assert.throws(() => sandbox.restore(state), invalid(/state/))
  }
  assert.deepEqual(sandbox.snapshot(), STATE)
})

test('the key is shown nowhere', () => {
  const sandbox = box()
  for (const shown of [JSON.stringify(sandbox), inspect(sandbox, { depth: 9, showHidden: true }), JSON.stringify(sandbox.snapshot())]) {
    assert.ok(!shown.includes(KEY), shown)
  }
})

test('ten thousand sandboxes are freed', async () => {
  const size = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external
  const rounds = async () => {
    for (let round = 0; round < 10; round++) {
      for (let made = 0; made < 1000; made++) box()
      await new Promise(setImmediate)
    }
  }
  await rounds()
  const before = size()
  await rounds()
  assert.ok(size() < before + 64 * 1024 * 1024, `${before} bytes became ${size()}`)
})

test('null is taken for no options, and options of a wrong type are refused', () => {
  assert.equal(new Sandbox(null).baseURL, box().baseURL)
  const cyclic = {}
  cyclic.tailnets = cyclic
  for (const options of [{ now: 7 }, { state: cyclic }, { state: { tailnets: 1n } }]) assert.throws(() => new Sandbox(options), { code: 'invalid_argument' })
  assert.throws(() => box().restore(Promise.resolve(STATE)), { code: 'invalid_argument' })
})

test('a machine joins by a key that the API made, and a token expires with time', async () => {
  const sandbox = box()
  const asked = { method: 'POST', headers, body: JSON.stringify({ capabilities: { devices: {} } }) }
  const { key } = await (await sandbox.fetch('/api/v2/tailnet/-/keys', asked)).json()
  const device = sandbox.join({ key, hostname: 'Web_01' })
  assert.equal(device.name, 'web-01.b.example')
  assert.throws(() => sandbox.join({ key, hostname: 'web' }), { code: 'invalid_argument', message: /used up/ })
  const bearer = { authorization: `Bearer ${sandbox.token({ scopes: ['devices:core:read'], expiresIn: 60 })}` }
  const status = async () => (await sandbox.fetch('/api/v2/tailnet/-/devices', { headers: bearer })).status
  assert.equal(await status(), 200)
  sandbox.advance(60_000)
  assert.equal(await status(), 401)
  assert.throws(() => sandbox.advance(-1), { code: 'invalid_argument' })
})

/** Makes a webhook; returns its secret and a function that calls the sandbox. */
async function hooked(sandbox, endpointUrl) {
  const ask = (method, path, body) => sandbox.fetch(`/api/v2/${path}`, { method, headers, body: body && JSON.stringify(body) })
  const made = await ask('POST', 'tailnet/-/webhooks', { endpointUrl, subscriptions: ['categoryTailnetManagement'] })
  return { ask, ...(await made.json()) }
}

test('a delivery is a signed request to the given function, and is kept', async () => {
  const seen = []
  const deliver = async (request) => {
    seen.push([request.method, request.url, request.headers.get('content-type'), request.headers.get('tailscale-webhook-signature'), await request.text()])
    return new Response(null, { status: 204 })
  }
  const sandbox = box({ deliver, now: () => Date.UTC(2030, 0, 2, 3, 4, 5) })
  const { ask, secret, endpointId } = await hooked(sandbox, 'https://hooks.example/net')
  await ask('DELETE', 'device/1')
  await sandbox.settled()
  const [[method, url, type, signature, body]] = seen
  assert.deepEqual([seen.length, method, url, type], [1, 'POST', 'https://hooks.example/net', 'application/json'])
  const digits = createHmac('sha256', secret).update(`1893553445.${body}`).digest('hex')
  assert.equal(signature, `t=1893553445,v1=${digits}`)
  const events = JSON.parse(body)
  assert.deepEqual(
    events.map(({ type, tailnet, data }) => [type, tailnet, data.nodeID]),
    [['nodeDeleted', 'b.example', '1']],
  )
  assert.deepEqual(sandbox.deliveries, [{ endpointId, endpointUrl: url, at: '2030-01-02T03:04:05Z', signature, body, events, status: 204 }])
  assert.throws(() => box({ deliver: 'x' }), { code: 'invalid_argument', message: /deliver/ })
})

test('by default only webhooks on this machine get deliveries, others are only kept, and failures have no effect', async () => {
  const got = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    got.push([request.method, request.url, JSON.parse(body)[0].type])
    response.writeHead(201).end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sandbox = box()
  const { ask, endpointId } = await hooked(sandbox, `http://127.0.0.1:${server.address().port}/hook`)
  await hooked(sandbox, 'https://hooks.example')
  await ask('DELETE', 'device/1')
  await sandbox.settled()
  server.close()
  server.closeAllConnections()
  assert.deepEqual(got, [['POST', '/hook', 'nodeDeleted']])
  assert.deepEqual(
    sandbox.deliveries.map(({ status }) => status),
    [201, null],
  )
  await ask('POST', `webhooks/${endpointId}/test`)
  await sandbox.settled()
  assert.equal(sandbox.deliveries[2].status, null, 'nobody listens any more')
  const broken = box({
    deliver: () => {
      throw new Error('mine')
    },
  })
  const hook = await hooked(broken, 'https://hooks.example')
  assert.equal((await hook.ask('DELETE', 'device/1')).status, 200)
  await broken.settled()
  assert.equal(broken.deliveries[0].status, null)
})

test('advanced time and machines that join cause deliveries too', async () => {
  const sandbox = box({ deliver: () => {} })
  await hooked(sandbox, 'https://hooks.example')
  sandbox.join({ user: 'ann@b.example', hostname: 'web' })
  sandbox.advance(181 * 86_400_000)
  await sandbox.settled()
  assert.deepEqual(
    sandbox.deliveries.flatMap(({ events }) => events.map(({ type }) => type)),
    ['userCreated', 'nodeCreated', 'nodeKeyExpiringInOneDay', 'nodeKeyExpired'],
  )
})
