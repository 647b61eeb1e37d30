// A sandbox behind Mock Service Worker, with the library itself. Must not live here: what the sandbox answers.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TailnetClient } from 'tailnet-kit'
import { HeadscaleSandbox, Sandbox } from 'tailnet-kit/sandbox'
import { linked } from './tools.mjs'

linked('msw')
const { setupServer } = await import('msw/node')
const { handlers } = await import('tailnet-kit/msw')

const sandbox = new Sandbox()
const server = setupServer(...handlers(sandbox, { baseURL: 'https://api.example.com' }), ...handlers(sandbox, { baseURL: 'http://127.0.0.1:9/deep/' }))
server.listen({ onUnhandledRequest: 'error' })
after(() => server.close())

const client = (baseURL, apiKey = 'tskey-sandbox') => new TailnetClient({ baseURL, apiKey, tailnet: 'example.com' })

for (const baseURL of ['https://api.example.com', 'http://127.0.0.1:9/deep']) {
  test(`a dashboard reads and writes at ${baseURL}, through the global fetch`, async () => {
    const { devices } = client(baseURL)
    const [device] = await devices.list()
    await devices.setTags(device.id, ['tag:db'])
    assert.deepEqual((await devices.get(device.id)).tags, ['tag:db'])
    assert.equal(sandbox.snapshot().tailnets !== undefined || sandbox.revision > 0, true)
  })
}

test('errors are those of the service', async () => {
  await assert.rejects(client('https://api.example.com', 'tskey-wrong').devices.list(), { name: 'AuthenticationError', status: 401 })
  await assert.rejects(client('https://api.example.com').devices.get('no-such-device'), { name: 'NotFoundError' })
})

test('another host is not answered', async () => {
  await assert.rejects(fetch('https://api.example.community/api/v2/tailnet/example.com/devices'))
})

test('without a base URL it is that of the sandbox', async () => {
  const own = new Sandbox()
  const other = setupServer(...handlers(own))
  server.close()
  other.listen({ onUnhandledRequest: 'error' })
  const found = await client(own.baseURL).users.list()
  other.close()
  server.listen({ onUnhandledRequest: 'error' })
  assert.ok(found.length > 0)
})

test('a sandbox of Headscale is answered for too', async () => {
  const headscale = new HeadscaleSandbox()
  const other = setupServer(...handlers(headscale, { baseURL: 'https://headscale.example.com' }))
  server.close()
  other.listen({ onUnhandledRequest: 'error' })
  const response = await fetch('https://headscale.example.com/api/v1/user', { headers: { authorization: `Bearer ${headscale.apiKey}` } })
  other.close()
  server.listen({ onUnhandledRequest: 'error' })
  assert.deepEqual(
    (await response.json()).users.map(({ name }) => name),
    ['ann', 'ben', 'cleo'],
  )
})

test('what is no sandbox, no URL or no option is refused', () => {
  assert.throws(() => handlers(undefined), { code: 'invalid_argument' })
  assert.throws(() => handlers({}), { code: 'invalid_argument' })
  assert.throws(() => handlers(sandbox, { baseURL: 'example.com' }), { code: 'invalid_argument' })
  assert.throws(() => handlers(sandbox, { baseUrl: 'https://api.example.com' }), { code: 'invalid_argument', message: /baseUrl/ })
})
