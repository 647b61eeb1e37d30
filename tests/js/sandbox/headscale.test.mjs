// `tailnet-kit sandbox --headscale`: Headscale over HTTP. Must not live here: the gate before it (safety.test.mjs), what it answers in detail
// (tested natively).

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { run, serve } from '../command.mjs'

const KEY = 'hskey-api-sandbox-secret'
const authorization = `Bearer ${KEY}`

test('it prints the base URL and a curl line that works', async () => {
  const server = await serve('--headscale')
  assert.match(server.base, /^http:\/\/127\.0\.0\.1:\d+$/)
  const [, header, url] = /^curl -H '(.+)' (\S+)$/.exec(server.curl)
  assert.equal(header, `Authorization: ${authorization}`)
  assert.equal(JSON.parse(execFileSync('curl', ['-s', '-H', header, url])).nodes.length, 6)
  await server.kill('SIGTERM')
})

test('what is written is read, and a refused policy is not written', async () => {
  const server = await serve('--headscale')
  const call = (method, path, body) => server.call(method, `/api/v1${path}`, { body: body && JSON.stringify(body), headers: { authorization } })
  const { policy } = await (await call('GET', '/policy')).json()
  const refused = await call('PUT', '/policy', { policy: '{"acls": {}}' })
  assert.equal(refused.status, 400)
  assert.equal(refused.headers.get('content-type'), 'application/problem+json')
  assert.match((await refused.json()).errors[0].message, /^parsing policy: .*into Go \[\]v2\.ACL within "\/acls"$/)
  assert.equal((await (await call('GET', '/policy')).json()).policy, policy)
  assert.equal((await call('PUT', '/policy', { policy: `// new\n${policy}` })).status, 200)
  assert.equal((await (await call('GET', '/policy')).json()).policy, `// new\n${policy}`)
  const { node } = await (await call('POST', '/node/4/rename/forge')).json()
  assert.equal(node.givenName, 'forge')
  assert.equal((await (await call('GET', '/node/4')).json()).node.givenName, 'forge')
  assert.equal((await server.call('GET', '/api/v1/node')).status, 401)
  await server.kill('SIGTERM')
})

test('it refuses in the form of 0.29, with a key of its own', async () => {
  const server = await serve('--headscale', '--errors', '0.29', '--api-key', 'abc.def')
  const ask = (key) => server.call('GET', '/api/v1/node/99', { headers: { authorization: `Bearer ${key}` } })
  const [wrong, missing] = [await ask('no'), await ask('abc.def')]
  assert.deepEqual([wrong.status, await wrong.text()], [401, 'Unauthorized'])
  assert.deepEqual([missing.status, await missing.json()], [404, { code: 5, message: 'node not found', details: [] }])
  await server.kill('SIGTERM')
})

test('options that do not fit are refused in one line', async () => {
  for (const [args, said] of [
    [['--headscale', '--state', 'x.json'], /--state is not of Headscale/],
    [['--headscale', '--tailnet', 'a.example'], /--tailnet is not of Headscale/],
    [['--headscale', '--errors', '0.28'], /--errors takes 0\.29 or 0\.30, not `0\.28`/],
    [['--errors', '0.29'], /add --headscale/],
  ]) {
    const { code, err } = await run(['sandbox', '--port', '0', ...args])
    assert.equal(code, 2)
    assert.match(err, said)
  }
})
