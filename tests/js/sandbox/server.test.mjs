// `tailnet-kit sandbox`: where it listens, what it does with bad and slow senders, how it stops.
// Must not live here: the state file (state.test.mjs), foreign pages and odd requests (safety.test.mjs), what the service answers (tested natively).

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { TailnetClient, oauth } from 'tailnet-kit'
import { AUTHORIZATION, connects, raw, run, serve } from '../command.mjs'

let server
before(async () => (server = await serve('--tailnet', 'one.example', '--tailnet', 'bob@gmail.com')))
after(() => server.kill('SIGKILL'))

const alive = async () => assert.equal((await server.call('GET', '/api/v2/tailnet/-/devices')).status, 200)

test('it prints the base URL and a curl line that works', async () => {
  assert.match(server.base, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.match(server.curl, /^curl -u tskey-sandbox: http:.*\/tailnet\/one\.example\/devices$/)
  const [program, ...args] = server.curl.split(' ')
  assert.ok(JSON.parse(execFileSync(program, ['-s', ...args])).devices.length > 0)
})

test("several tailnets are served, the first is the key's own", async () => {
  for (const name of ['one.example', 'bob@gmail.com', 'bob%40gmail.com', '-']) {
    assert.equal((await server.call('GET', `/api/v2/tailnet/${name}/acl`)).status, 200, name)
  }
  assert.equal((await server.call('GET', '/api/v2/tailnet/example.com/acl')).status, 404)
  const own = await server.call('GET', '/api/v2/tailnet/-/devices')
  assert.match((await own.json()).devices[0].name, /\.one\.example$/)
})

test('chunked bodies and bodies of a GET are fine', async () => {
  const body = new ReadableStream({
    start: (to) => (to.enqueue(new TextEncoder().encode('{"dns":')), to.enqueue(new TextEncoder().encode('null}')), to.close()),
  })
  const set = await fetch(`${server.base}/api/v2/tailnet/-/dns/nameservers`, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { authorization: AUTHORIZATION },
  })
  assert.deepEqual(await set.json(), { dns: [], magicDNS: false })
  const get = raw(
    server.port,
    `GET /api/v2/tailnet/-/dns/nameservers HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZATION}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
  )
  assert.match(await get.answer, /^HTTP\/1\.1 200 [^]*\{"dns":\[\]\}$/)
})

test('an OAuth client gets a token, with its secret in the body and no other key', async () => {
  const { base: baseURL } = server
  const admin = new TailnetClient({ baseURL, apiKey: 'tskey-sandbox', tailnet: '-' })
  const { key } = await admin.keys.create({ keyType: 'client', scopes: ['dns:read'] })
  const client = new TailnetClient({ baseURL, apiKey: oauth({ clientSecret: key }), tailnet: '-' })
  assert.deepEqual((await client.dns.nameservers.get()).dns, (await admin.dns.nameservers.get()).dns)
  await assert.rejects(oauth({ clientSecret: 'tskey-client-none-x', baseURL })(), { code: 'authentication' })
})

test('bodies over 4 MiB are 413, announced or not; one of exactly 4 MiB is read', async () => {
  const limit = 4 * 1024 * 1024
  const post = (body, more) => server.call('POST', '/api/v2/tailnet/-/acl', { body, ...more })
  const fits = await post(`{}${' '.repeat(limit - 2)}`)
  assert.equal(fits.status, 200)
  const long = 'x'.repeat(limit + 1)
  const answers = [
    await post(long),
    await fetch(`${server.base}/api/v2/tailnet/-/acl`, {
      method: 'POST',
      body: new Blob([long]).stream(),
      duplex: 'half',
      headers: { authorization: AUTHORIZATION },
    }),
  ]
  for (const answer of answers) {
    assert.equal(answer.status, 413)
    assert.match((await answer.json()).message, /4194304/)
  }
  await alive()
})

test('bytes that are not HTTP get an answer or a closed connection, and the next caller is served', async () => {
  const rubbish = [
    'HELLO\r\n\r\n',
    '\0\x01\x02\x03\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzz\r\n',
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nnothex\r\n',
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
    'CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n',
  ]
  for (const bytes of rubbish) {
    const { answer, socket } = raw(server.port, bytes)
    socket.end()
    const said = await answer
    assert.ok(said === '' || /^HTTP\/1\.1 4\d\d /.test(said), JSON.stringify([bytes.slice(0, 60), said]))
    await alive()
  }
  const odd = [
    'GET *',
    'GET http://evil.example/api/v2/tailnet/-/acl',
    'GET //evil/api',
    'TRACE /api/v2/tailnet/-/acl',
    'GET /api/v2/tailnet/%zz/acl',
    'GET http://[/',
  ]
  for (const line of odd) {
    const said = await raw(server.port, `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`).answer
    assert.match(said, /^HTTP\/1\.1 4\d\d [^]*\{"message":"[^"]/, line)
    await alive()
  }
})

test('whatever HTTP allows is answered as JSON: HTTP/1.0, an unknown expectation, several requests at once', async () => {
  const target = '/api/v2/tailnet/-/dns/searchpaths'
  const head = (line, more = '') => `${line}\r\nAuthorization: ${AUTHORIZATION}\r\n${more}`
  assert.match(await raw(server.port, head(`GET ${target} HTTP/1.0`, '\r\n')).answer, /^HTTP\/1\.1 200 [^]*\{"searchPaths":\[/)
  const expecting = await raw(server.port, head(`GET ${target} HTTP/1.1\r\nHost: localhost`, 'Expect: wonders\r\nConnection: close\r\n\r\n')).answer
  assert.match(expecting, /^HTTP\/1\.1 417 [^]*content-type: application\/json[^]*\{"message":"[^"]/i)
  const one = head(`GET ${target} HTTP/1.1\r\nHost: localhost`, '\r\n')
  const last = head(`GET ${target} HTTP/1.1\r\nHost: localhost`, 'Connection: close\r\n\r\n')
  const several = await raw(server.port, one.repeat(4) + last).answer
  assert.equal(several.match(/HTTP\/1\.1 200 /g).length, 5)
})

test('a client that expects 100-continue gets it, or is refused before it sends the body', async () => {
  const head = (length) =>
    `POST /api/v2/tailnet/-/acl HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZATION}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`
  const { socket, answer } = raw(server.port, head(2))
  socket.once('data', () => socket.write('{}'))
  assert.match(await answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  assert.match(await raw(server.port, head(5_000_000)).answer, /^HTTP\/1\.1 413 /)
})

test('a caller who hangs up in the middle disturbs nobody', async () => {
  for (let round = 0; round < 20; round++) {
    const { socket } = raw(
      server.port,
      `POST /api/v2/tailnet/-/acl HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZATION}\r\nContent-Length: 1000\r\n\r\n{"acls":`,
    )
    await once(socket, 'connect')
    socket.destroy()
  }
  await alive()
  assert.equal(server.said().err, '')
})

test('slow senders are disconnected', async () => {
  const began = performance.now()
  const half = raw(server.port, 'GET /api/v2/tailnet/-/acl HTTP/1.1\r\nHost:')
  const drip = raw(server.port, `POST /api/v2/tailnet/-/acl HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZATION}\r\nContent-Length: 100000\r\n\r\n`)
  const drops = setInterval(() => drip.socket.write(' '), 200)
  const [first, second] = await Promise.all([half.answer, drip.answer])
  clearInterval(drops)
  assert.ok(performance.now() - began < 20_000)
  assert.match(first, /^HTTP\/1\.1 408 /)
  assert.match(second, /^HTTP\/1\.1 408 /)
  await alive()
})

test('the curl line can be pasted, whatever the tailnet and the key are', async () => {
  const one = await serve('--tailnet', "o'neil & söhne/a b", '--api-key', "it's $HOME")
  const shell = execFileSync('sh', ['-c', one.curl.replace(/^curl/, 'curl -s')])
  assert.equal(JSON.parse(shell).devices.length, 12)
  await one.kill('SIGTERM')
  const { code, err } = await run(['sandbox', '--port', '0', '--api-key', 'a:b'])
  assert.deepEqual([code, err.split('\n').length], [2, 2])
  assert.match(err, /colon/)
})

test('a port in use is reported in one line', async () => {
  const { code, out, err } = await run(['sandbox', '--port', String(server.port)])
  assert.deepEqual([code, out, err.split('\n').length], [2, '', 2])
  assert.match(err, new RegExp(`port ${server.port} is already in use`))
})

test('it listens on other addresses than loopback only with --host, and says so', async () => {
  for (const args of [['--port', '0.0.0.0:0'], ['0.0.0.0'], ['--host', ''], ['--port', '70000'], ['--port', ''], ['--nonsense']]) {
    const { code, out, err } = await run(['sandbox', ...args])
    assert.deepEqual([code, out, err.split('\n').length], [2, '', 2], args.join(' '))
  }
  assert.match((await run(['sandbox', '--port', '0.0.0.0:0'])).err, /--host/)
  const open = await serve('--host', '0.0.0.0')
  assert.match(open.base, /^http:\/\/0\.0\.0\.0:/)
  assert.equal((await open.kill('SIGTERM')).code, 0)
  assert.match(open.said().out, /reached from other machines/)
})

test('after SIGTERM it finishes running requests, then ends with 0', async () => {
  const one = await serve()
  const body = '{"dns":["8.8.8.8"]}'
  const head = `POST /api/v2/tailnet/-/dns/nameservers HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${AUTHORIZATION}\r\nContent-Length: ${body.length}\r\n\r\n`
  const { socket, answer } = raw(one.port, `${head}${body.slice(0, 7)}`)
  await one.call('GET', '/api/v2/tailnet/-/acl')
  const ended = one.kill('SIGTERM')
  while (await connects(one.port)) await new Promise(setImmediate)
  socket.write(body.slice(7))
  assert.match(await answer, /^HTTP\/1\.1 200 [^]*"magicDNS":true\}$/)
  assert.deepEqual(await ended, { code: 0, signal: null, err: '' })
})

test('a webhook on this machine gets a delivery for a change over HTTP', async () => {
  const told = createServer()
  await new Promise((resolve) => told.listen(0, '127.0.0.1', resolve))
  const received = once(told, 'request')
  const hook = { endpointUrl: `http://127.0.0.1:${told.address().port}/hook`, subscriptions: ['policyUpdate'] }
  const made = await server.call('POST', '/api/v2/tailnet/-/webhooks', { body: JSON.stringify(hook) })
  const changed = await server.call('POST', '/api/v2/tailnet/-/acl', { body: '{} // told\n' })
  const [request, response] = changed.status === 200 ? await received : []
  let body = ''
  for await (const chunk of request ?? []) body += chunk
  response?.writeHead(204).end()
  told.close()
  assert.deepEqual([made.status, changed.status], [200, 200])
  const [{ type, data }] = JSON.parse(body)
  assert.deepEqual([request.method, request.url, type, data.newPolicy], ['POST', '/hook', 'policyUpdate', '{} // told\n'])
  assert.match(request.headers['tailscale-webhook-signature'], /^t=\d+,v1=[0-9a-f]{64}$/)
})
