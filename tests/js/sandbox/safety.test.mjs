// `tailnet-kit sandbox` on a machine where a browser is open: foreign pages, foreign names, odd requests, order, long answers.
// Must not live here: what HTTP allows (server.test.mjs), the state file.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { Sandbox } from 'tailnet-kit/sandbox'
import { serverOf } from '../node_modules/tailnet-kit/bin/sandbox/http.js'
import { AUTHORIZATION, raw, run, serve } from '../command.mjs'

const ACL = '/api/v2/tailnet/-/acl'
const SEARCH = '/api/v2/tailnet/-/dns/searchpaths'
const PAGE = 'https://dash.example'

let server
let named
before(async () => ([server, named] = await Promise.all([serve(), serve('--allow-origin', PAGE, '--allow-host', 'sandbox.example')])))
after(() => Promise.all([server, named].map((one) => one.kill('SIGKILL'))))

const policy = async (one = server) => (await one.call('GET', ACL)).text()

/** Sends a request unchanged, with the key unless the headers say otherwise; resolves with the status and all that came back. */
async function ask(one, line, headers = {}, body = '') {
  const all = {
    host: `127.0.0.1:${one.port}`,
    authorization: AUTHORIZATION,
    connection: 'close',
    ...(body ? { 'content-length': body.length } : {}),
    ...headers,
  }
  const fields = Object.entries(all).flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}\r\n`))
  const said = await raw(one.port, `${line} HTTP/1.1\r\n${fields.join('')}\r\n${body}`).answer
  return { status: Number(said.match(/^HTTP\/1\.1 (\d+)/)?.[1]), said }
}

test('changes of a foreign page are refused, whatever they look like', async () => {
  const before = await policy()
  const forms = ['text/plain', 'application/x-www-form-urlencoded', 'application/json', 'application/hujson']
  for (const type of forms) {
    for (const from of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1.evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status, said } = await ask(server, `POST ${ACL}`, { 'content-type': type, ...from }, '{"acls":[]}')
      assert.equal(status, 403, JSON.stringify(from))
      assert.doesNotMatch(said, /access-control-allow-origin/i)
    }
  }
  assert.equal((await ask(server, 'DELETE /api/v2/device/1', { origin: 'https://evil.example' })).status, 403)
  assert.equal(await policy(), before)
})

test("reads and preflights are for pages of loopback, of the sandbox's own host, and named ones", async () => {
  const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,if-match', authorization: undefined }
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://app.localhost', `http://127.0.0.1:${server.port}`]) {
    const read = await ask(server, `GET ${ACL}`, { origin, 'sec-fetch-site': 'cross-site' })
    assert.equal(read.status, 200, origin)
    assert.ok(read.said.includes(`access-control-allow-origin: ${origin}\r\n`))
    assert.match(read.said, /access-control-expose-headers: ETag, Retry-After, X-Tailscale-Request-Id\r\n/)
    assert.match(read.said, /vary: Origin\r\n/)
    const preflight = await ask(server, `OPTIONS ${ACL}`, { origin, ...asks })
    assert.equal(preflight.status, 204)
    assert.match(preflight.said, /access-control-allow-methods: .*POST.*PATCH.*DELETE/)
    assert.match(preflight.said, /access-control-allow-headers: authorization,if-match\r\n/)
    assert.equal((await ask(server, `POST ${SEARCH}`, { origin }, '{"searchPaths":["a.example"]}')).status, 200)
  }
  for (const [line, more] of [
    [`GET ${ACL}`, {}],
    [`OPTIONS ${ACL}`, asks],
  ]) {
    const refused = await ask(server, line, { origin: PAGE, ...more })
    assert.equal(refused.status, 403)
    assert.doesNotMatch(refused.said, /access-control-allow/i)
    assert.notEqual((await ask(named, line, { origin: PAGE, ...more })).status, 403)
  }
  assert.equal((await ask(named, `GET ${ACL}`, { origin: 'https://other.example' })).status, 403)
  assert.equal((await ask(server, `GET ${ACL}`, { 'sec-fetch-site': 'none' })).status, 200)
})

test('a foreign Host is refused unless it is named', async () => {
  for (const host of ['evil.example', `evil.example:${server.port}`, 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1', 'sandbox.example']) {
    assert.equal((await ask(server, `GET ${ACL}`, { host })).status, 403, host)
  }
  for (const host of ['localhost', `LOCALHOST:${server.port}`, '127.0.0.1', '[::1]:80', 'app.localhost']) {
    assert.equal((await ask(server, `GET ${ACL}`, { host })).status, 200, host)
  }
  assert.equal((await ask(named, `GET ${ACL}`, { host: 'sandbox.example:8080' })).status, 200)
  assert.equal((await ask(server, `GET http://evil.example${ACL}`)).status, 403)
  assert.equal((await ask(server, `GET http://localhost${ACL}`)).status, 200)
})

test('options that are not an origin or a host are refused', async () => {
  for (const args of [
    ['--allow-origin', '*'],
    ['--allow-origin', 'dash.example'],
    ['--allow-origin', `${PAGE}/`],
    ['--allow-host', 'http://a.example'],
    ['--allow-host', 'a/b'],
  ]) {
    const { code, err } = await run(['sandbox', '--port', '0', ...args])
    assert.deepEqual([code, err.split('\n').length], [2, 2], args.join(' '))
    assert.ok(err.includes(args[1]))
  }
})

test('two Host headers, or none, are 400', async () => {
  for (const host of [undefined, '', ['localhost', 'localhost']]) assert.equal((await ask(server, `GET ${ACL}`, { host })).status, 400)
})

test('dot segments in a path are never resolved', async () => {
  const targets = [
    '/api/v2/device/../tailnet/-/acl',
    '/x/../api/v2/tailnet/-/acl',
    '/./api/v2/tailnet/-/acl',
    '/api/v2/device/%2e%2e/tailnet/-/acl',
    '/api/v2/device/.%2E/tailnet/-/acl',
    '/api/v2/device/%2E/acl',
    '/api\\v2\\tailnet\\-\\acl',
    '/api/v2/tailnet/-%5cacl',
    '/api/v2/tailnet/-/acl/..',
  ]
  for (const target of targets) assert.equal((await ask(server, `GET ${target}`)).status, 404, target)
  assert.equal((await ask(server, `GET ${ACL}?x=../..`)).status, 200)
})

test('a caller without a key, or with a wrong one, is refused before the body comes', async () => {
  for (const key of ['', 'Authorization: Bearer tskey-wrong\r\n']) {
    const socket = raw(server.port, `POST ${ACL} HTTP/1.1\r\nHost: localhost\r\n${key}Content-Length: 1000\r\n\r\n`).socket
    const said = await new Promise((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())))
    socket.destroy()
    assert.match(said, /^HTTP\/1\.1 401 /)
  }
})

test('HEAD is GET without a body, in process too', async () => {
  const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => server.call(method, ACL)))
  assert.equal(head.status, 200)
  for (const name of ['etag', 'content-type', 'content-length']) assert.equal(head.headers.get(name), get.headers.get(name), name)
  const { said } = await ask(server, `HEAD ${ACL}`)
  assert.ok(said.endsWith('\r\n\r\n'))
  const { status, body } = await new Sandbox().fetch(ACL, { method: 'HEAD', headers: { authorization: AUTHORIZATION } })
  assert.deepEqual([status, body], [200, null])
})

test('a method that a path does not have is 405', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
    const { status, said } = await ask(server, `${method} ${SEARCH}`)
    assert.equal(status, 405, method)
    assert.match(said, /allow: GET, HEAD, POST\r\n/i)
  }
  assert.equal((await ask(server, 'HEAD /api/v2/device/1/authorized')).status, 405)
})

test('a compressed body is 415, in process too', async () => {
  const before = await policy()
  for (const encoding of ['gzip', 'br', 'GZIP']) assert.equal((await ask(server, `POST ${ACL}`, { 'content-encoding': encoding }, '{}')).status, 415)
  assert.equal(await policy(), before)
  assert.equal((await ask(server, `POST ${ACL}`, { 'content-encoding': 'identity' }, before)).status, 200)
  const headers = { authorization: AUTHORIZATION, 'content-encoding': 'gzip' }
  assert.equal((await new Sandbox().fetch(ACL, { method: 'POST', headers, body: '{}' })).status, 415)
})

test('the class keeps foreign pages and hosts out as the server does', async () => {
  const headers = { authorization: AUTHORIZATION }
  const open = new Sandbox({ origins: [PAGE] })
  const status = async (box, url, more) => (await box.fetch(url, { headers: { ...headers, ...more } })).status
  assert.equal(await status(open, `https://any.example${ACL}`), 200)
  assert.equal(await status(open, `https://any.example${ACL}`, { origin: 'https://any.example' }), 200)
  assert.equal(await status(open, `https://any.example${ACL}`, { origin: 'https://evil.example' }), 403)
  assert.equal((await open.fetch(ACL, { headers: { ...headers, origin: PAGE } })).headers.get('access-control-allow-origin'), PAGE)
  const closed = new Sandbox({ hosts: ['sandbox.example'] })
  assert.equal(await status(closed, `https://evil.example${ACL}`), 403)
  assert.equal(await status(closed, `https://sandbox.example${ACL}`), 200)
  assert.equal(await status(closed, `${closed.baseURL}${ACL}`), 200)
  for (const options of [{ origins: PAGE }, { origins: ['*'] }, { hosts: [7] }]) assert.throws(() => new Sandbox(options), { code: 'invalid_argument' })
})

test('requests of one connection are answered in their order, each after the one before it', async () => {
  for (let round = 0; round < 20; round++) {
    const body = `{"searchPaths":["p${round}.example"]}`
    const head = (line, more) => `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZATION}\r\n${more}\r\n`
    const { answer } = raw(server.port, head(`POST ${SEARCH}`, `Content-Length: ${body.length}\r\n`) + body + head(`GET ${SEARCH}`, 'Connection: close\r\n'))
    const bodies = (await answer).match(/\{"searchPaths":.*?\}/g)
    assert.deepEqual(bodies, [body, body])
  }
})

test('a time limit that passes while the loop is busy ends no connection', async () => {
  const limits = { request: 300, idle: 600, beat: 50 }
  const busy = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)
  const later = () => new Promise((resolve) => setTimeout(resolve, 700))
  const done = { status: 200, headers: [], body: 'done' }
  const change = async ({ target, body }) => {
    if (target === '/busy') busy()
    await later()
    return { ...done, body: `${target} ${body.length}` }
  }
  const rules = { refused: () => undefined }
  const one = serverOf({ read: () => done, change }, rules, limits)
  await new Promise((resolve) => one.listen(0, '127.0.0.1', resolve))
  const { port } = one.address()
  const head = (path, length) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`
  const half = raw(port, `${head('/half', 4)}ab`)
  const kept = connect(port, '127.0.0.1')
  await new Promise((resolve) => setTimeout(resolve, 100))
  const long = raw(port, `${head('/busy', 2)}{}`)
  one.once('request', () => half.socket.write('cd'))
  assert.match(await long.answer, /200 OK[^]*\/busy 2$/)
  assert.match(await half.answer, /200 OK[^]*\/half 4$/)
  kept.destroy()
  one.close()
})
