// What only Node can see of the client: what is left behind after many calls, rejections nobody handles, how a request
// looks to another fetch. Must not live here: cases for every runtime (`cases/client`).

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { TailnetClient } from 'tailnet-kit'

const KEY = 'tskey-very-secret'
const answer = () => Response.json({ id: '1' })
const client = (options) => new TailnetClient({ baseURL: 'https://api.example.com', apiKey: KEY, tailnet: 'example.com', fetch: async () => answer(), ...options })

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('10,000 calls leave no listener, no timer and no memory behind', async () => {
  const { signal } = new AbortController()
  const one = client()
  const round = async (calls) => {
    for (let done = 0; done < calls; done += 100) {
      await Promise.all(Array.from({ length: 100 }, () => one.devices.get('1', {}, { signal })))
    }
    globalThis.gc?.()
    return process.memoryUsage().heapUsed
  }
  const before = timers()
  const early = await round(2000)
  const late = await round(8000)
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  assert.equal(timers(), before)
  assert.ok(late < early + 32e6, `the heap grew from ${early} to ${late}`)
})

test('a call that fails early or late leaves nothing behind either', async () => {
  const { signal } = new AbortController()
  const before = timers()
  const broken = client({ fetch: async () => { throw new TypeError('unplugged') }, maxRetries: 0 })
  const silent = client({ fetch: () => new Promise(() => {}), timeout: 5, maxRetries: 0 })
  const failures = [broken, silent].flatMap((one) => Array.from({ length: 50 }, () => one.devices.get('1', {}, { signal }).then(() => 'ok', ({ code }) => code)))
  assert.deepEqual([...new Set(await Promise.all(failures))], ['connection', 'timeout'])
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  assert.equal(timers(), before)
})

test('no rejection is unhandled, and none is hidden', async () => {
  const unhandled = []
  const note = (error) => unhandled.push(error.code)
  process.on('unhandledRejection', note)
  try {
    const one = client({ fetch: async () => new Response('', { status: 404 }) })
    await one.devices.get('1').catch(() => {})
    await one.devices.get('1').withResponse().catch(() => {})
    await new Promise(setImmediate)
    assert.deepEqual(unhandled, [])
    one.devices.get('1')
    while (unhandled.length === 0) await new Promise(setImmediate)
    assert.deepEqual(unhandled, ['not_found'])
  } finally {
    process.off('unhandledRejection', note)
  }
})

test('a server gets the key, nothing that can be printed does', async () => {
  const server = createServer(({ headers }, response) => response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ message: headers.authorization })))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const one = client({ fetch: undefined, baseURL: `http://127.0.0.1:${server.address().port}` })
  const error = await one.devices.get('1').catch((thrown) => thrown)
  server.close()
  assert.equal(error.code, 'authentication')
  const encoded = Buffer.from(`${KEY}:`).toString('base64')
  for (const text of [inspect(one, { depth: 9, showHidden: true, getters: true }), inspect(error, { depth: 9, showHidden: true }), JSON.stringify([one, error])]) {
    assert.ok(!text.includes(KEY) && !text.includes(encoded), text)
  }
})
