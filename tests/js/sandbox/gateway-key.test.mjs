// The key of the gateway: where it goes, how it is renewed, and that no answer has it. Must not live here: other answers (`gateway.test.mjs`).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { TailnetClient, oauth } from 'tailnet-kit'
import { createGateway } from 'tailnet-kit/gateway'
import { Sandbox } from 'tailnet-kit/sandbox'
import { ACL, KEY, SITE, house } from './gate.mjs'

const spelled = (each) => [...KEY].map((letter) => each(letter.charCodeAt(0), letter)).join('')
/** Texts with the key, each in another spelling that a service might use. */
const SPELLINGS = {
  plain: KEY,
  basic: btoa(`${KEY}:`),
  'base64 in the midst of a text': btoa(`{"key":"${KEY}"}`),
  'base64 one further': btoa(`x{"key":"${KEY}"}`),
  'base64 two further, for URLs': btoa(`xx{"key":"${KEY}"}`).replaceAll('+', '-').replaceAll('/', '_'),
  escapes: spelled((code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'escapes twice': spelled((code) => `\\\\u${code.toString(16).padStart(4, '0')}`),
  percent: spelled((code) => `%${code.toString(16)}`),
  hexadecimal: spelled((code) => code.toString(16)),
}
const utf16 = (text, swapped) => Uint8Array.from([...text].flatMap((letter) => (swapped ? [0, letter.charCodeAt(0)] : [letter.charCodeAt(0), 0])))

test("the key goes to the service and nowhere else; the caller's own secrets are not sent on", async () => {
  const { ask, seen, gateway } = house()
  const headers = { authorization: 'Bearer mine', cookie: 'session=1', 'x-custom': 'y', accept: 'application/json' }
  const response = await ask('GET', '/api/v2/tailnet/mine.example/acl', { headers })
  assert.equal(response.status, 200)
  const [{ headers: sent, redirect }] = seen
  assert.deepEqual(Object.fromEntries(new Headers(sent)), { accept: 'application/json', authorization: `Basic ${btoa(`${KEY}:`)}` })
  assert.equal(redirect, 'manual')
  const shown = [inspect(gateway, { showHidden: true }), JSON.stringify([...response.headers]), await response.text()]
  assert.ok(!shown.join().includes(KEY) && !shown.join().includes(btoa(KEY).slice(0, 8)))
})

test('a function returns the key for each request', async () => {
  let calls = 0
  const { ask } = house({ apiKey: async () => (calls++, KEY) })
  for (let call = 0; call < 3; call++) assert.equal((await ask('GET', '/api/v2/tailnet/mine.example/devices')).status, 200)
  assert.equal(calls, 3)
})

test('the key is removed where a refusal repeats it', async () => {
  for (const path of ['/api/v2/tailnet/mine.example/acl', '/api/v2/device/1']) {
    const echo = (_, { headers }) => new Response(`{"message": "no ${new Headers(headers).get('authorization')} (${KEY})"}`, { status: 401 })
    const response = await house({ fetch: echo }).ask('GET', path)
    assert.deepEqual([response.status, await response.text()], [401, '{"message": "no Basic [redacted] ([redacted])"}'])
  }
})

test('the key passes in no success, no failure and no header, however it is spelled', async () => {
  const bodies = { ...SPELLINGS, 'UTF-16': utf16(`{"a":"${KEY}"}`), 'UTF-16, the other way': utf16(`{"a":"${KEY}"}`, true) }
  for (const [name, body] of Object.entries(bodies)) {
    for (const status of [200, 400, 500]) {
      const response = await house({ fetch: async () => new Response(body, { status }) }).ask('GET', ACL)
      const redacted = status !== 200 && ['plain', 'basic'].includes(name)
      assert.equal(response.status, redacted ? status : 502, `${name} with ${status}`)
      const text = await response.text()
      assert.ok(!text.includes(KEY) && !text.includes(btoa(KEY).slice(0, 8)), name)
    }
  }
  for (const [name, value] of Object.entries(SPELLINGS)) {
    const headers = { etag: `"${value}"`, 'retry-after': value, 'content-type': `text/${value}`, 'x-other': value }
    const response = await house({ fetch: async () => new Response('{}', { headers }) }).ask('GET', ACL)
    assert.deepEqual([response.status, ...['etag', 'retry-after', 'content-type'].map((header) => response.headers.get(header))], [200, null, null, null], name)
  }
})

test('the key does not pass where pieces of a long answer meet', async () => {
  for (const at of [0, (1 << 18) - 3, (1 << 18) + (1 << 14) - 3, 700_000]) {
    const body = 'x'.repeat(at) + SPELLINGS.escapes + 'y'.repeat(400_000)
    assert.equal((await house({ fetch: async () => new Response(body) }).ask('GET', ACL)).status, 502, String(at))
  }
  const escapes = new TextEncoder().encode(`${'x'.repeat(9000)}${SPELLINGS.escapes}${'y'.repeat(9000)}`)
  for (const size of [1000, 4096, 9005]) {
    let at = 0
    const pull = (to) => (at < escapes.length ? to.enqueue(escapes.subarray(at, (at += size))) : to.close())
    const answer = await house({ fetch: async () => new Response(new ReadableStream({ pull })) }).ask('GET', ACL)
    const passed = []
    await assert.rejects(async () => {
      for await (const piece of answer.body) passed.push(Buffer.from(piece))
    }, `pieces of ${size}`)
    assert.match(Buffer.concat(passed).toString(), /^x+$/, 'no part of it has passed')
  }
  const long = 'z'.repeat(1_000_000)
  assert.equal(await (await house({ fetch: async () => new Response(long) }).ask('GET', ACL)).text(), long)
})

test('after a 401 the key function is called again, with the refused key', async () => {
  const told = []
  const apiKey = (request) => (told.push(request), request.rejected === 'stale' ? KEY : 'stale')
  const { ask, box } = house({ apiKey })
  assert.equal((await ask('POST', ACL, { body: '// kept\n{}' })).status, 200)
  assert.equal(box.snapshot().tailnets['mine.example'].acl, '// kept\n{}')
  assert.deepEqual(
    told.map(({ baseURL, rejected }) => [baseURL, rejected]),
    [
      [box.baseURL, undefined],
      [box.baseURL, 'stale'],
    ],
  )
  assert.ok(told.every(({ fetch, signal }) => typeof fetch === 'function' && signal instanceof AbortSignal))
  told.length = 0
  assert.equal((await ask('GET', '/api/v2/device/1')).status, 200, 'the look-up of devices asks too')
  const same = []
  assert.equal((await house({ apiKey: ({ rejected }) => (same.push(rejected), 'stale') }).ask('GET', ACL)).status, 401)
  assert.deepEqual(same, [undefined, 'stale'])
})

test('tokens of an OAuth client serve as the key', async () => {
  const box = new Sandbox({ tailnet: ['mine.example'] })
  const admin = new TailnetClient({ baseURL: box.baseURL, fetch: box.fetch, apiKey: 'tskey-sandbox', tailnet: 'mine.example' })
  const { key } = await admin.keys.create({ keyType: 'client', scopes: ['policy_file:read'] })
  const gateway = createGateway({
    baseURL: box.baseURL,
    fetch: box.fetch,
    tailnet: 'mine.example',
    apiKey: oauth({ clientSecret: key }),
    authorize: () => true,
  })
  const ask = async () => (await gateway(new Request(`${SITE}${ACL}`))).status
  assert.equal(await ask(), 200)
  box.advance(2 * 3_600_000)
  assert.equal(await ask(), 200)
})
