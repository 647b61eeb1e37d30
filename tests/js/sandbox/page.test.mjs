// A real browser with a foreign page open, on the machine where `tailnet-kit sandbox` runs. Must not live here: single requests
// (safety.test.mjs).

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { KEY, folder, serve } from '../command.mjs'

const ACL = '/api/v2/tailnet/-/acl'
const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => path && existsSync(path))
/** A foreign name that resolves to this machine, as its owner can make it do. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-popup-blocking',
  '--host-resolver-rules=MAP evil.example 127.0.0.1',
]

let server
before(async () => (server = await serve()))
after(() => server.kill('SIGKILL'))

/** Opens a page of `host` that runs `script`, an async function of the sandbox's port; resolves with its result. */
async function inPage(host, script) {
  let told
  const outcome = new Promise((resolve) => (told = resolve))
  const pages = createServer(async (request, response) => {
    if (request.method === 'POST') told(JSON.parse(Buffer.concat(await request.toArray()).toString()))
    const run = `(${script})(${server.port}, '${KEY}').catch(String).then((said) => fetch('/', { method: 'POST', body: JSON.stringify(said ?? null) }))`
    response.setHeader('content-type', 'text/html').end(`<!doctype html><body><script>${run}</script>`)
  })
  await new Promise((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const browser = spawn(CHROMIUM, [...FLAGS, `--user-data-dir=${folder()}`, '--remote-debugging-port=0', `http://${host}:${pages.address().port}/`], {
    stdio: 'ignore',
  })
  try {
    return await Promise.race([outcome, wait(120_000, undefined, { ref: false }).then(() => 'the page said nothing')])
  } finally {
    const closed = once(browser, 'close')
    browser.kill('SIGKILL')
    await closed
    pages.close()
    pages.closeAllConnections()
  }
}

test('a foreign page changes nothing, by fetch, by form or by its own name for this machine, even where the browser has kept the key', async () => {
  const before = await (await server.call('GET', ACL)).text()
  const outcome = await inPage('evil.example', async function (port, key) {
    const acl = '/api/v2/tailnet/-/acl'
    const here = `http://127.0.0.1:${port}${acl}`
    const authorization = `Basic ${btoa(`${key}:`)}`
    const sent = (url, init) =>
      fetch(url, init).then(
        (answer) => (answer.type === 'opaque' ? 'opaque' : answer.status),
        () => 'blocked',
      )
    window.open(`http://${key}:@127.0.0.1:${port}${acl}`)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const form = document.body.appendChild(document.createElement('form'))
    Object.assign(form, { method: 'post', action: here, enctype: 'text/plain', target: '_blank' })
    Object.assign(form.appendChild(document.createElement('input')), { name: '{"acls":[], "hosts": {"a', value: '": "10.0.0.1"}}' })
    form.submit()
    await new Promise((resolve) => setTimeout(resolve, 1500))
    return [
      await sent(here, { method: 'POST', headers: { authorization }, body: '{}' }),
      await sent(here, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }),
      await sent(here, { headers: { authorization } }),
      await sent(`http://evil.example:${port}${acl}`, { method: 'POST', headers: { authorization }, body: '{}' }),
    ]
  })
  assert.deepEqual(outcome, ['blocked', 'opaque', 'blocked', 'blocked'])
  assert.equal(await (await server.call('GET', ACL)).text(), before)
})

test('a page of this machine reads and changes', async () => {
  const outcome = await inPage('localhost', async function (port, key) {
    const authorization = `Basic ${btoa(`${key}:`)}`
    const url = `http://127.0.0.1:${port}/api/v2/tailnet/-/dns/searchpaths`
    const set = await fetch(url, { method: 'POST', headers: { authorization }, body: '{"searchPaths":["page.example"]}' })
    const read = await fetch(`http://127.0.0.1:${port}/api/v2/tailnet/-/acl`, { headers: { authorization } })
    return [set.status, await set.json(), read.status, read.headers.has('etag')]
  })
  assert.deepEqual(outcome, [200, { searchPaths: ['page.example'] }, 200, true])
})
