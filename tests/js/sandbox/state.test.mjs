// `--state FILE`: what was answered is on the disk, whatever happens next. Must not live here: HTTP.

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { file, folder, run, serve } from './command.mjs'

const SEARCH = '/api/v2/tailnet/example.com/dns/searchpaths'
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const setPath = (server, name) => server.call('POST', SEARCH, { body: JSON.stringify({ searchPaths: [name] }) })
const getPath = async (server) => (await (await server.call('GET', SEARCH)).json()).searchPaths[0]

test('a new file is made at the start, and each change is in it before the answer', async () => {
  const path = join(folder(), 'state.json')
  const server = await serve('--state', path)
  assert.deepEqual(Object.keys(read(path).tailnets), ['example.com', 'alice@gmail.com'])
  for (let round = 0; round < 20; round++) {
    assert.equal((await setPath(server, `p${round}.example`)).status, 200)
    assert.deepEqual(read(path).tailnets['example.com'].dns.searchPaths, [`p${round}.example`])
  }
  await server.kill('SIGTERM')
  assert.deepEqual(readdirSync(dirname(path)), ['state.json'])
})

test('a restart goes on where the last one stopped; --tailnet makes what is missing', async () => {
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

test('kill -9 in the midst of writes loses no answered change and leaves a readable file', async () => {
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
    assert.ok(read(path).tailnets['example.com'])
  }
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
  assert.deepEqual(edits.sort((a, b) => a - b), Array.from({ length: 100 }, (_, name) => name))
  assert.ok(conflicts > 0, 'nobody ever met a conflict')
  await server.kill('SIGTERM')
})

test('a file that cannot be used is one line and code 2, and stays as it is', async () => {
  for (const [content, words] of [['{"tailnets":', /not JSON/], ['', /not JSON/], ['null', /tailnets/], ['[]', /tailnets/], ['7', /tailnets/], ['{"tailnets":{"a":{}}}', /devices/]]) {
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

test('a change that cannot be saved is taken back and answered with 500', async () => {
  const place = join(folder(), 'inner')
  mkdirSync(place)
  const path = join(place, 'state.json')
  const server = await serve('--state', path)
  const before = await getPath(server)
  mkdirSync(`${path}.tmp`)
  const answer = await setPath(server, 'lost.example')
  assert.equal(answer.status, 500)
  assert.match((await answer.json()).message, /could not be saved/)
  assert.equal(await getPath(server), before)
  await server.kill('SIGTERM')
  assert.deepEqual(read(path).tailnets['example.com'].dns.searchPaths, [before])
})

test('two servers with one file: neither overwrites what the other has saved, and the file stays readable', async () => {
  const path = join(folder(), 'state.json')
  const first = await serve('--state', path)
  const second = await serve('--state', path)
  assert.equal((await setPath(first, 'first.example')).status, 200, 'a start alone changes nothing')
  const refused = await setPath(second, 'second.example')
  assert.equal(refused.status, 500)
  assert.match((await refused.json()).message, /another program/)
  assert.deepEqual(read(path).tailnets['example.com'].dns.searchPaths, ['first.example'])
  const both = [first, second].flatMap((server) => Array.from({ length: 20 }, (_, n) => setPath(server, `n${n}.example`)))
  await Promise.all(both)
  assert.ok(read(path).tailnets['example.com'])
  await Promise.all([first, second].map((server) => server.kill('SIGKILL')))
  const third = await serve('--state', path)
  assert.equal((await setPath(third, 'third.example')).status, 200)
  await third.kill('SIGTERM')
  assert.deepEqual(readdirSync(dirname(path)), ['state.json'])
})

test('what a killed server was writing is in nobody\'s way', async () => {
  const path = join(folder(), 'state.json')
  const first = await serve('--state', path)
  await first.kill('SIGKILL')
  writeFileSync(`${path}.tmp`, '{"tailnets":')
  const second = await serve('--state', path)
  assert.equal((await setPath(second, 'second.example')).status, 200)
  await second.kill('SIGTERM')
  assert.deepEqual(readdirSync(dirname(path)), ['state.json'])
})

test('a file that was taken away is made again', async () => {
  const path = join(folder(), 'state.json')
  const server = await serve('--state', path)
  rmSync(path)
  assert.equal((await setPath(server, 'again.example')).status, 200)
  assert.deepEqual(read(path).tailnets['example.com'].dns.searchPaths, ['again.example'])
  await server.kill('SIGTERM')
})

test('a symbolic link stays one', async () => {
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
