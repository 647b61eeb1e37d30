// The dialect of a policy in the commands: by `--dialect`, by the end of its name, by its first line. Must not live here: verdicts.

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { file, folder, run } from '../command.mjs'

/** A policy that only Headscale takes, and one that it refuses. */
const POLICY = '{"acls": [{"src": ["ann@"], "dst": ["bob@:0-22"]}]}\n'
const REFUSED = '{"acls": [{"src": ["group:x"], "dst": ["bob@:22"]}]}\n'
const DEVICES = JSON.stringify({
  users: [
    { loginName: 'ann', id: '1' },
    { loginName: 'bob', id: '2' },
  ],
  devices: [
    { id: '7', hostname: 'laptop', user: '1', addresses: ['100.64.0.1'] },
    { id: '8', hostname: 'server', user: '2', addresses: ['100.64.0.2'] },
  ],
})

test('a policy is judged in the dialect of the option, of its name, or of its first line', async () => {
  const code = async (...args) => (await run(['check', ...args])).code
  const [plain, named] = [file('policy.hujson', POLICY), file('policy.headscale.hujson', POLICY)]
  const marked = file('marked.hujson', `// tailnet-kit: dialect headscale\n${POLICY}`)
  assert.deepEqual([await code(plain), await code(plain, '--dialect', 'headscale')], [1, 0])
  assert.deepEqual([await code(named), await code(named, '--dialect', 'tailscale')], [0, 1])
  assert.deepEqual([await code(marked), await code(marked, '--dialect', 'tailscale')], [0, 1])
  const refused = await run(['check', file('policy.headscale.hujson', REFUSED), '--format', 'text'])
  assert.match(refused.out, /group not defined in policy: "group:x"/)
})

test('a first line names the dialect to the commands that call a service where it does to those that judge', async () => {
  for (const [line, isOne] of [
    ['// tailnet-kit: dialect headscale\n', true],
    ['//tailnet-kit:  dialect  headscale \r\n', true],
    ['// tailnet-kit: dialect Headscale\n', false],
    ['\n// tailnet-kit: dialect headscale\n', false],
    ['// dialect headscale\n', false],
    ['// tailnet-kit: dialect headscale, as ever\n', false],
  ]) {
    const marked = file('policy.hujson', `${line}${POLICY}`)
    assert.equal((await run(['check', marked])).code, isOne ? 0 : 1, line)
    // A server of Headscale takes no client of OAuth.
    const { err } = await run(['apply', marked], '', { env: { TAILNET_BASE_URL: 'http://127.0.0.1:1' } })
    assert.match(err, isOne ? /no key in the environment: TAILNET_API_KEY$/m : /TAILNET_API_KEY, or TAILNET_OAUTH_CLIENT_ID/, line)
  }
})

test('each policy of a folder is judged in its own dialect', async () => {
  const at = folder()
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'home.headscale.hujson'), POLICY)
  writeFileSync(join(at, 'work.hujson'), '{"acls": [{"action": "accept", "src": ["a@b.example"], "dst": ["*:22"]}]}\n')
  const found = await run(['check', at, '--format', 'json'])
  assert.equal(JSON.parse(found.out).accepted, true, found.out)
})

test('commands that answer take the dialect', async () => {
  const named = file('policy.headscale.hujson', POLICY)
  const plain = file('policy.hujson', POLICY)
  const devices = ['--devices', file('devices.json', DEVICES)]
  for (const given of [[named], [plain, '--dialect', 'headscale']]) {
    const flow = ['--from', 'ann@', '--to', 'bob@:22', '--exit-code']
    assert.equal((await run(['explain', ...given, ...flow, ...devices])).code, 0)
    assert.match((await run(['access', ...given, ...devices])).out, /^ann@ -> bob@:0-22/m)
    assert.match((await run(['filters', ...given, ...devices])).out, /100\.64\.0\.1/)
    assert.equal((await run(['preview', ...given, '--user', 'ann@'])).code, 0)
    assert.deepEqual([(await run(['diff', ...given.slice(0, 1), ...given])).code, (await run(['review', ...given.slice(0, 1), ...given])).code], [0, 0])
  }
})

test('--devices takes what Headscale lists, of its API or printed by its command, and decides the dialect by it', async () => {
  const [ann, bob] = [
    { id: '1', name: 'ann', email: 'ann@corp.example' },
    { id: '2', name: 'bob' },
  ]
  const nodes = [
    { id: '7', name: 'laptop', givenName: 'laptop', ipAddresses: ['100.64.0.1'], user: ann, tags: [] },
    { id: '8', name: 'web', givenName: 'web', ipAddresses: ['100.64.0.2'], user: { id: '9', name: 'tagged-devices' }, tags: ['tag:web'] },
  ]
  const printed = [
    { id: 7, name: 'laptop', given_name: 'laptop', ip_addresses: ['100.64.0.1'], user: { id: 1, name: 'ann', email: 'ann@corp.example' } },
    { id: 8, name: 'web', given_name: 'web', ip_addresses: ['100.64.0.2'], user: { id: 9, name: 'tagged-devices' }, tags: ['tag:web'] },
  ]
  const path = file('policy.hujson', '{"tagOwners": {"tag:web": []}, "acls": [{"src": ["ann@corp.example"], "dst": ["tag:web:0-22"]}]}\n')
  for (const listed of [
    { nodes, users: [ann, bob] },
    { nodes },
    nodes,
    printed,
    { nodes: printed, users: [{ id: 1, name: 'ann', email: 'ann@corp.example' }] },
  ]) {
    const devices = file('listed.json', JSON.stringify(listed))
    const filters = await run(['filters', path, '--devices', devices])
    assert.equal(filters.out, 'laptop (7)\n  nobody reaches it\nweb (8)\n  100.64.0.1 -> 100.64.0.2:0-22 protocol 1, 6, 17, 58\n', filters.err)
  }
  const none = file('none.json', '{"nodes": ["laptop"], "users": []}')
  const found = await run(['filters', path, '--devices', none])
  assert.deepEqual([found.code, found.out], [2, ''])
  assert.match(found.err, /none\.json: `nodes` must be a list of what the API lists/)
})

test('another dialect is wrong usage', async () => {
  const found = await run(['check', file('policy.hujson', POLICY), '--dialect', 'headscal'])
  assert.deepEqual([found.code, found.out], [2, ''])
  assert.match(found.err, /--dialect takes tailscale or headscale, not `headscal`/)
})

test('where the dialect alone is known, more devices are still what would decide', async () => {
  const tested = file('policy.headscale.hujson', '{"acls": [], "tests": [{"src": "ann@", "accept": ["bob@:22"]}]}\n')
  assert.match((await run(['test', tested, '--format', 'text'])).out, /give --devices/)
})

test('translate writes the policy in the other language, and says what is lost', async () => {
  const text = `{
	// who
	"acls": [{"action": "accept", "src": ["autogroup:admin", "ann@example.com"], "dst": ["*:22"]}], // kept
}
`
  const { code, out, err } = await run(['translate', file('policy.hujson', text), '--to', 'headscale'])
  assert.deepEqual([code, out], [1, text.replace('"autogroup:admin", ', '')])
  assert.match(err, /policy\.hujson:3: .*autogroup:admin/)
  const whole = JSON.parse((await run(['translate', file('policy.hujson', text), '--to', 'headscale', '--json'])).out)
  assert.deepEqual([whole.version, whole.lost.length, whole.lost[0].pointer, whole.sameAccess], [1, 1, '/acls/0/src/0', null])
})

test('translate back names users as they are told, and compares the access of the devices', async () => {
  const named = file('policy.headscale.hujson', POLICY.replace('0-22', '22'))
  const args = ['translate', named, '--to', 'tailscale', '--devices', file('devices.json', DEVICES)]
  const logins = ['--login', 'ann=ann@example.com', '--login', 'bob=bob@example.com']
  const { code, out, err } = await run([...args, ...logins])
  assert.deepEqual([code, err], [0, 'the devices have the same access and logins\n'])
  assert.equal(out, '{"acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["bob@example.com:22"]}]}\n')
})

test('translate: wrong usage is one line', async () => {
  const path = file('policy.hujson', '{"acls": []}')
  for (const [args, message] of [
    [[], /--to takes tailscale or headscale$/m],
    [['--to', 'headscal'], /--to takes tailscale or headscale, not `headscal`/],
    [['--to', 'tailscale'], /in this dialect already/],
    [['--to', 'headscale', '--login', 'ann'], /--login takes HERE=THERE, not `ann`/],
  ]) {
    const { code, out, err } = await run(['translate', path, ...args])
    assert.deepEqual([code, out, err.trim().split('\n').length], [2, '', 1], err)
    assert.match(err, message)
  }
})
