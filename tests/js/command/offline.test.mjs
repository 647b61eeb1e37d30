// The command without network and key, as in a fork. And how long a verdict takes from a cold start, which is printed.
// Must not live here: verdicts.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { file, run } from '../command.mjs'

const POLICY = file(
  'policy.hujson',
  `{
	"groups": {"group:ops": ["ann@corp.example"]},
	"tagOwners": {"tag:web": ["group:ops"]},
	"acls": [
		{"action": "accept", "src": ["group:ops"], "dst": ["tag:web:80"]},
	],
	"tests": [{"src": "ann@corp.example", "accept": ["tag:web:80"]}],
}
`,
)
const DEVICES = file(
  'devices.json',
  '[{"id": "1", "user": "ann@corp.example", "addresses": ["100.64.0.1"]}, {"id": "2", "tags": ["tag:web"], "addresses": ["100.64.0.2"]}]',
)

/** Makes every way to a network throw, for machines that allow no network namespace. */
const CUT = file(
  'cut.cjs',
  `
const cut = (name) => () => { throw new Error('the network is cut: ' + name) }
const net = require('node:net'), dns = require('node:dns'), dgram = require('node:dgram')
net.Socket.prototype.connect = cut('connect')
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) { dns[name] = cut(name); dns.promises[name] = cut(name) }
dgram.createSocket = cut('dgram')
globalThis.fetch = cut('fetch')
`,
)

const ASKED = [
  ['check', POLICY, '--devices', DEVICES],
  ['test', POLICY],
  ['explain', POLICY, '--from', 'ann@corp.example', '--to', 'tag:web:80'],
  ['access', POLICY],
  ['filters', POLICY, '--devices', DEVICES],
  ['ssh', POLICY, '--devices', DEVICES],
  ['preview', POLICY, '--user', 'ann@corp.example'],
  ['diff', POLICY, POLICY],
  ['fmt', '--check', '--diff', POLICY],
  ['json', POLICY],
  ['review', POLICY, POLICY],
]

test('commands that call no service need no network', async () => {
  for (const args of ASKED) {
    const { code, err } = await run(args, '', { before: ['--require', CUT] })
    assert.deepEqual([code === 2, err], [false, ''], args.join(' '))
  }
  const pull = await run(['pull'], '', { before: ['--require', CUT], env: { TAILNET_BASE_URL: 'http://127.0.0.1:9', TAILNET_API_KEY: 'k' } })
  assert.equal(pull.code, 2)
})

const hasNamespaces = spawnSync('unshare', ['-rn', 'true']).status === 0

test('the same in a network namespace without any network', { skip: hasNamespaces ? false : 'no namespaces here' }, async () => {
  for (const args of ASKED) {
    const { status, stderr } = spawnSync('unshare', ['-rn', process.execPath, 'node_modules/tailnet-kit/bin/tailnet-kit.js', ...args], { encoding: 'utf8' })
    assert.deepEqual([status === 2 || status === null, stderr], [false, ''], args.join(' '))
  }
})

/** 1,000 rules, 1,000 devices, 1,000 users in 100 groups. */
function large(port = 1000) {
  const groups = {}
  const tagOwners = {}
  for (let at = 0; at < 100; at++) {
    groups[`group:g${at}`] = Array.from({ length: 10 }, (_, user) => `u${at * 10 + user}@corp.example`)
    tagOwners[`tag:t${at}`] = [`group:g${at}`]
  }
  const acls = Array.from({ length: 1000 }, (_, at) => ({
    action: 'accept',
    src: [`group:g${at % 100}`],
    dst: [`tag:t${(at * 7) % 100}:${at === 3 ? port : 1000 + at}`],
  }))
  return JSON.stringify({ groups, tagOwners, acls }, null, 2)
}

const owned = (at) => (at % 2 ? { tags: [`tag:t${at % 100}`] } : { user: `u${at}@corp.example` })

test('a verdict on 1,000 rules and 1,000 devices, cold', async (context) => {
  const [before, after] = [file('before.hujson', large()), file('after.hujson', large(9999))]
  const list = Array.from({ length: 1000 }, (_, at) => ({ id: String(at), hostname: `d${at}`, addresses: [`100.64.${at >> 8}.${at & 255}`], ...owned(at) }))
  const devices = file('devices.json', JSON.stringify(list))
  const commands = { check: ['check', after], diff: ['diff', before, after], review: ['review', before, after] }
  for (const [name, args] of Object.entries(commands)) {
    const began = performance.now()
    const { code } = await run([...args, '--devices', devices])
    assert.ok(code < 2)
    context.diagnostic(`${name}: ${Math.round(performance.now() - began)} ms from start to verdict (aim: 2000)`)
  }
})
