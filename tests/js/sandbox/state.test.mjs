// `--state FILE`: an answered change is on the disk, whatever happens next. Must not live here: HTTP.

import assert from 'node:assert/strict'
import { appendFileSync, chmodSync, copyFileSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { file, folder, run, serve } from '../command.mjs'

const SEARCH = '/api/v2/tailnet/example.com/dns/searchpaths'
/** The state in a file that no server uses, which is plain JSON. */
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const setPath = (server, name) => server.call('POST', SEARCH, { body: JSON.stringify({ searchPaths: [name] }) })
/** The state that a new server reads from the file as it is now. */
async function held(path, ...args) {
  const copy = join(folder(), 'copy.json')
  copyFileSync(path, copy)
  const server = await serve('--state', copy, ...args)
  const found = await getPath(server)
  await server.kill('SIGKILL')
  return found
}

const getPath = async (server) => (await (await server.call('GET', SEARCH)).json()).searchPaths[0]

test('a new file is made at the start, and each change is in it before the answer', async () => {
  const path = join(folder(), 'state.json')
  const server = await serve('--state', path)
  assert.deepEqual(Object.keys(read(path).tailnets), ['example.com', 'alice@gmail.com'])
  for (let round = 0; round < 20; round++) {
    assert.equal((await setPath(server, `p${round}.example`)).status, 200)
    if (round % 10 === 0) assert.equal(await held(path), `p${round}.example`)
  }
  await server.kill('SIGTERM')
  assert.deepEqual(read(path).tailnets['example.com'].dns.searchPaths, ['p19.example'])
  assert.deepEqual(readdirSync(dirname(path)), ['state.json'])
})

test('a restart goes on where the last server stopped; --tailnet adds missing tailnets', async () => {
  const path = join(folder(), 'state.json')
  const first = await serve('--state', path, '--tailnet', 'one.example')
  const acl = '// mine\n{"acls": [],}\n'
  await first.call('POST', '/api/v2/tailnet/one.example/acl', { body: acl })
  await first.kill('SIGTERM')
  const second = await serve('--state', path, '--tailnet', 'two.example')
  assert.equal(await (await second.call('GET', '/api/v2/tailnet/one.example/acl')).text(), acl)
  assert.equal((await second.call('GET', '/api/v2/tailnet/two.example/devices')).status, 200)
  assert.equal((await second.call('GET', '/api/v2/tailnet/example.com/devices')).status, 404)
  const never = await second.call('POST', '/api/v2/tailnet/one.example/acl', { body: '{}', headers: { 'if-match': '"ts-default"' } })
  assert.equal(never.status, 412, 'the policy was changed, before the restart')
  await second.kill('SIGTERM')
  assert.deepEqual(Object.keys(read(path).tailnets).sort(), ['one.example', 'two.example'])
})

test('kill -9 during writes loses no answered change and leaves a readable file', async () => {
  const path = join(folder(), 'state.json')
  let last = 0
  for (let round = 0; round < 12; round++) {
    const server = await serve('--state', path)
    if (last > 0) {
      const kept = Number((await getPath(server)).match(/\d+/)[0])
      assert.ok(kept === last || kept === last + 1, `answered up to ${last}, kept ${kept}`)
      last = kept
    }
    const writes = (async () => {
      for (;;) {
        const response = await setPath(server, `p${last + 1}.example`).catch(() => null)
        if (response?.status !== 200) return
        last += 1
      }
    })()
    const goal = last + 3 + ((round * 7) % 5)
    while (last < goal) await new Promise(setImmediate)
    for (let spin = 0; spin < round * 40; spin++) await new Promise(setImmediate)
    await server.kill('SIGKILL')
    await writes
  }
})

test('kill -9 leaves secrets as they were answered, even after refused changes', async () => {
  const path = join(folder(), 'state.json')
  const first = await serve('--state', path)
  const keys = '/api/v2/tailnet/example.com/keys'
  const create = (scopes) => first.call('POST', keys, { body: JSON.stringify({ keyType: 'client', scopes }) })
  assert.equal((await create([])).status, 400)
  const { key } = await (await create(['dns'])).json()
  await first.kill('SIGKILL')
  const second = await serve('--state', path, '--api-key', 'tskey-another')
  const issued = await fetch(`${second.base}/api/v2/oauth/token`, { method: 'POST', body: new URLSearchParams({ client_secret: key }) })
  await second.kill('SIGTERM')
  assert.equal(issued.status, 200)
})

test('a hundred clients edit one policy with If-Match: every accepted edit is in the result', async () => {
  const server = await serve('--state', join(folder(), 'state.json'))
  const path = '/api/v2/tailnet/example.com/acl'
  await server.call('POST', path, { body: '{\n}\n' })
  let conflicts = 0
  const edit = async (name) => {
    for (;;) {
      const current = await server.call('GET', path)
      const text = await current.text()
      const body = text.replace(/\}\n$/, `\t// edit ${name}\n}\n`)
      const answer = await server.call('POST', path, { body, headers: { 'if-match': current.headers.get('etag') } })
      if (answer.status === 200) return
      assert.equal(answer.status, 412)
      conflicts += 1
    }
  }
  await Promise.all(Array.from({ length: 100 }, (_, name) => edit(name)))
  const text = await (await server.call('GET', path)).text()
  const edits = [...text.matchAll(/edit (\d+)/g)].map(([, name]) => Number(name))
  assert.deepEqual(
    edits.sort((a, b) => a - b),
    Array.from({ length: 100 }, (_, name) => name),
  )
  assert.ok(conflicts > 0, 'nobody ever met a conflict')
  await server.kill('SIGTERM')
})

test('a file that is not valid gives one line and code 2, and stays as it is', async () => {
  for (const [content, words] of [
    ['{"tailnets":', /not JSON/],
    ['', /not JSON/],
    ['null', /tailnets/],
    ['[]', /tailnets/],
    ['7', /tailnets/],
    ['{"tailnets":{"a":{}}}', /devices/],
  ]) {
    const path = file('state.json', content)
    const { code, err } = await run(['sandbox', '--port', '0', '--state', path])
    assert.deepEqual([code, err.split('\n').length], [2, 2])
    assert.match(err, words)
    assert.ok(err.includes(path))
    assert.equal(readFileSync(path, 'utf8'), content)
  }
  const { code, err } = await run(['sandbox', '--port', '0', '--state', join(folder(), 'missing', 'state.json')])
  assert.deepEqual([code, err.split('\n').length], [2, 2])
})

test('a change that cannot be saved is answered with 500 and never made', async () => {
  const path = join(folder(), 'state.json')
  const blocks = 64
  const server = await serve.limited(blocks, '--state', path)
  const before = await getPath(server)
  const policy = `{} // ${'x'.repeat(blocks * 1024)}\n`
  const answer = await server.call('POST', '/api/v2/tailnet/example.com/acl', { body: policy })
  assert.equal(answer.status, 500)
  assert.match((await answer.json()).message, /could not be saved/)
  assert.equal((await setPath(server, 'small.example')).status, 200, 'what fits is saved')
  await server.kill('SIGKILL')
  const second = await serve('--state', path)
  assert.notEqual(before, 'small.example')
  assert.equal(await getPath(second), 'small.example')
  assert.ok((await (await second.call('GET', '/api/v2/tailnet/example.com/acl')).text()).length < 10_000)
  await second.kill('SIGTERM')
})

test('two servers with one file: neither overwrites what the other has saved, and the file stays readable', async () => {
  const path = join(folder(), 'state.json')
  const first = await serve('--state', path)
  const second = await serve('--state', path)
  assert.equal((await setPath(first, 'first.example')).status, 200, 'a start alone changes nothing')
  const refused = await setPath(second, 'second.example')
  assert.equal(refused.status, 500)
  assert.match((await refused.json()).message, /another program/)
  assert.equal(await held(path), 'first.example')
  const both = [first, second].flatMap((server) => Array.from({ length: 20 }, (_, n) => setPath(server, `n${n}.example`)))
  await Promise.all(both)
  await Promise.all([first, second].map((server) => server.kill('SIGKILL')))
  const third = await serve('--state', path)
  assert.equal((await setPath(third, 'third.example')).status, 200)
  await third.kill('SIGTERM')
  assert.deepEqual(readdirSync(dirname(path)), ['state.json'])
})

test('the partly written file of a killed server does no harm', async () => {
  const path = join(folder(), 'state.json')
  const first = await serve('--state', path)
  await first.kill('SIGKILL')
  writeFileSync(`${path}.tmp`, '{"tailnets":')
  const second = await serve('--state', path)
  assert.equal((await setPath(second, 'second.example')).status, 200)
  await second.kill('SIGTERM')
  assert.deepEqual(readdirSync(dirname(path)), ['state.json'])
})

test('a file that was removed is written again', async () => {
  const path = join(folder(), 'state.json')
  const server = await serve('--state', path)
  rmSync(path)
  assert.equal((await setPath(server, 'again.example')).status, 200)
  assert.equal(await held(path), 'again.example')
  await server.kill('SIGTERM')
})

test('a file of an older version, JSON over many lines, is read', async () => {
  const path = join(folder(), 'state.json')
  const first = await serve('--state', path)
  await setPath(first, 'old.example')
  await first.kill('SIGTERM')
  writeFileSync(path, JSON.stringify(read(path), null, 2))
  const second = await serve('--state', path)
  assert.equal(await getPath(second), 'old.example')
  await setPath(second, 'new.example')
  await second.kill('SIGKILL')
  assert.equal(await held(path), 'new.example')
})

test('a line that was being written when the machine stopped is ignored and does no harm', async () => {
  const path = join(folder(), 'state.json')
  const first = await serve('--state', path)
  await setPath(first, 'kept.example')
  await first.kill('SIGKILL')
  const whole = readFileSync(path)
  for (const torn of ['["', '["a.1",17', '\0\0\0\0']) {
    writeFileSync(path, whole)
    appendFileSync(path, torn)
    const second = await serve('--state', path)
    assert.equal(await getPath(second), 'kept.example')
    await setPath(second, 'more.example')
    await second.kill('SIGKILL')
    assert.equal(await held(path), 'more.example')
  }
  writeFileSync(path, whole)
  appendFileSync(path, 'lost\n["a.1",17,"GET","/",[],""]\n')
  const { code, err } = await run(['sandbox', '--port', '0', '--state', path])
  assert.equal(code, 2)
  assert.match(err, /line \d+ is not JSON/)
})

test('a file that has grown is plain JSON again after a moment without changes', async () => {
  const path = join(folder(), 'state.json')
  const server = await serve('--state', path)
  for (let round = 0; round < 12; round++) {
    const body = `{} // ${round} ${'x'.repeat(100_000)}\n`
    assert.equal((await server.call('POST', '/api/v2/tailnet/example.com/acl', { body })).status, 200)
  }
  assert.ok(statSync(path).size > 1_200_000)
  // The policy is there once, and in the log its last change with the text before it.
  for (let wait = 0; statSync(path).size > 400_000 && wait < 600; wait++) await new Promise((resolve) => setTimeout(resolve, 100))
  assert.ok(statSync(path).size <= 400_000, `after a minute it still has ${statSync(path).size} bytes`)
  assert.match(read(path).tailnets['example.com'].acl, /^\{\} \/\/ 11 /)
  await setPath(server, 'after.example')
  await server.kill('SIGKILL')
  assert.equal(await held(path), 'after.example')
})

test('changes made under other options are replayed as they were, and the key is nowhere in the file', async () => {
  const path = join(folder(), 'state.json')
  const start = (key, ...names) => serve('--state', path, '--api-key', key, ...names.flatMap((name) => ['--tailnet', name]))
  const post = (server, key, body, headers) =>
    server.call('POST', '/api/v2/tailnet/-/dns/searchpaths', { body, headers: { authorization: `Basic ${btoa(`${key}:`)}`, ...headers } })
  const one = await start('tskey-one', 'a.example', 'b.example')
  assert.equal((await post(one, 'tskey-one', '{"searchPaths":["one.example"]}')).status, 200)
  assert.equal((await post(one, 'tskey-no', '{"searchPaths":["no.example"]}')).status, 401)
  await one.kill('SIGKILL')
  const two = await start('tskey-two', 'b.example', 'a.example')
  assert.equal((await post(two, 'tskey-two', '{"searchPaths":["two.example"]}', { authorization: 'Bearer tskey-two' })).status, 200)
  await two.kill('SIGKILL')
  assert.doesNotMatch(readFileSync(path, 'utf8'), new RegExp(['tskey-one', btoa('tskey-one:'), 'tskey-two'].join('|')))
  const three = await start('tskey-three')
  await three.kill('SIGTERM')
  const four = await start('tskey-four', 'c.example')
  await four.kill('SIGTERM')
  const { tailnets } = read(path)
  assert.deepEqual(
    ['a.example', 'b.example'].map((name) => tailnets[name].dns.searchPaths),
    [['one.example'], ['two.example']],
  )
  assert.ok(tailnets['c.example'])
})

test('the mode of a file stays, and only its owner may read a new one', { skip: process.platform === 'win32' }, async () => {
  const path = join(folder(), 'state.json')
  const mode = () => (statSync(path).mode & 0o777).toString(8)
  const first = await serve('--state', path)
  assert.equal(mode(), '600')
  await first.kill('SIGTERM')
  for (const bits of [0o640, 0o666]) {
    chmodSync(path, bits)
    const server = await serve('--state', path)
    await setPath(server, `m${bits}.example`)
    assert.equal(mode(), bits.toString(8))
    await server.kill('SIGTERM')
    assert.equal(mode(), bits.toString(8))
  }
})

test('with ten thousand devices reads are answered between changes, and every answered change survives kill -9', async () => {
  const device = { addresses: ['100.64.0.1'], user: 'a@example.com', hostname: 'web', os: 'linux', tags: ['tag:web'], note: 'x'.repeat(600) }
  const devices = Array.from({ length: 10_000 }, (_, n) => ({ ...device, id: String(n), name: `web-${n}.example.com` }))
  const dns = { nameservers: [], magicDNS: false, searchPaths: [] }
  const path = file('state.json', JSON.stringify({ tailnets: { 'example.com': { devices, acl: '{}', dns } } }))
  const server = await serve('--state', path)
  await setPath(server, 'warm.example')
  let left = 8
  const writer = async (first) => {
    for (let id = first; id < 400; id += 8) {
      const answer = await server.call('POST', `/api/v2/device/${id}/routes`, { body: '{"routes":["10.0.0.0/8"]}' })
      assert.equal((await answer.json()).enabledRoutes[0], '10.0.0.0/8')
    }
    left--
  }
  let reads = 0
  const reader = async () => {
    for (; left > 0; reads++) await getPath(server)
  }
  await Promise.all([reader(), ...Array.from({ length: 8 }, (_, n) => writer(n))])
  assert.ok(reads > 0)
  await server.kill('SIGKILL')
  const again = await serve('--state', path)
  for (const id of [0, 7, 199, 399]) {
    const kept = await (await again.call('GET', `/api/v2/device/${id}/routes`)).json()
    assert.deepEqual(kept.enabledRoutes, ['10.0.0.0/8'])
  }
  await again.kill('SIGKILL')
})

test('a symbolic link stays a link', async () => {
  const place = folder()
  const [target, link] = [join(place, 'target.json'), join(place, 'link.json')]
  const first = await serve('--state', target)
  await first.kill('SIGTERM')
  symlinkSync(target, link)
  const server = await serve('--state', link)
  await setPath(server, 'linked.example')
  await server.kill('SIGTERM')
  assert.deepEqual(read(target).tailnets['example.com'].dns.searchPaths, ['linked.example'])
})
