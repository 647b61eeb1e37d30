// `tailnet-kit check`, `preview`, `diff`, `fmt` and `json`: lines, JSON and exit codes. Must not live here: verdicts.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { file, folder, run } from './command.mjs'

const GOOD = `{
	// Who is on call.
	"groups": {"group:ops": ["ann@corp.example"]},
	"tagOwners": {"tag:web": ["group:ops"]},
	"acls": [
		{"action": "accept", "src": ["group:ops"], "dst": ["tag:web:80"]},
	],
}
`
const OPEN = GOOD.replace('tag:web:80', 'tag:web:80,443')
const BAD = GOOD.replace('"accept"', '"drop"')
const FAILING = GOOD.replace('"acls"', '"tests": [{"src": "ann@corp.example", "deny": ["tag:web:80"]}],\n\t"acls"')
const DEVICES = JSON.stringify({ devices: [
  { id: '1', user: 'ann@corp.example', addresses: ['100.64.0.1'] },
  { id: '2', tags: ['tag:web'], addresses: ['100.64.0.2'] },
] })
const policy = (text) => file('policy.hujson', text)

test('check says what the service would say, and where', async () => {
  const good = policy(GOOD)
  assert.deepEqual(await run(['check', good]), { code: 0, out: 'accepted\n', err: '' })
  const bad = policy(BAD)
  const { code, out } = await run(['check', bad])
  assert.equal(code, 1)
  const [first, ...rest] = out.trimEnd().split('\n')
  assert.match(first, new RegExp(`^${bad}:6:\\d+: error: action="drop" is not supported \\[\\w+\\]$`))
  assert.equal(rest.at(-1), 'refused: action="drop" is not supported')
})

test('check names a syntax error, a failing test, and takes standard input', async () => {
  const broken = await run(['check', '-'], '{"acls": nope}')
  assert.equal(broken.code, 1)
  assert.match(broken.out, /^-:1:10: error: .* \[hujson_syntax\]\nrefused: hujson: line 1, column 10: /)
  const failing = await run(['check', '-'], FAILING)
  assert.equal(failing.code, 1)
  assert.match(failing.out, /want: Drop, got: Accept/)
  assert.match(failing.out, /refused: test\(s\) failed\n$/)
})

test('what a file holds cannot break a line or reach the terminal', async () => {
  const text = '["a\nb\x1b[31m"]'
  const check = await run(['check', '-'], text)
  assert.deepEqual([check.code, check.out.split('\n').length], [1, 3])
  assert.match(check.out, /^-:1:2: error: invalid literal: "a\\nb\\u001b\[31m" \[hujson_syntax\]\n/)
  const fmt = await run(['fmt', '-'], text)
  assert.deepEqual([fmt.code, fmt.out, fmt.err.split('\n').length, fmt.err.includes('\x1b')], [2, '', 2, false])
})

test('--json gives the whole result', async () => {
  const check = await run(['check', '-', '--json'], BAD)
  assert.equal(check.code, 1)
  assert.equal(JSON.parse(check.out).accepted, false)
  const preview = await run(['preview', '-', '--json', '--user', 'ann@corp.example'], GOOD)
  assert.deepEqual(JSON.parse(preview.out).matches, [{ users: ['group:ops'], ports: ['tag:web:80'], lineNumber: 6 }])
  const diff = await run(['diff', policy(GOOD), policy(OPEN), '--json'])
  assert.equal(JSON.parse(diff.out)[0].source, 'ann@corp.example')
})

test('preview asks for a user or an address and port', async () => {
  const devices = file('devices.json', DEVICES)
  const path = policy(GOOD)
  const line = `${path}:6: group:ops -> tag:web:80\n`
  assert.deepEqual(await run(['preview', path, '--user', 'ann@corp.example']), { code: 0, out: line, err: '' })
  assert.deepEqual(await run(['preview', path, '--ip-port', '100.64.0.2:80', '--devices', devices]), { code: 0, out: line, err: '' })
  assert.equal((await run(['preview', path, '--user', 'zoe@corp.example'])).out, 'no rule concerns zoe@corp.example\n')
  const refused = await run(['preview', policy(BAD), '--user', 'a@b.example'])
  assert.deepEqual([refused.code, refused.err.split('\n').length], [1, 2])
})

test('preview and diff answer of a policy whose tests fail', async () => {
  const preview = await run(['preview', policy(FAILING), '--user', 'ann@corp.example', '--json'])
  assert.deepEqual([preview.code, JSON.parse(preview.out).matches.length], [0, 1])
  const diff = await run(['diff', policy(FAILING), policy(OPEN)])
  assert.deepEqual([diff.code, diff.err], [1, ''])
  assert.match(diff.out, /^ann@corp\.example\n {2}\+ tag:web:443\n/)
})

test('preview asks for whatever has a name', async () => {
  const path = policy(GOOD)
  for (const [option, name] of [['--group', 'group:ops'], ['--tag', 'tag:web'], ['--device', 'web']]) {
    const devices = file('devices.json', '[{"id": "2", "name": "web.example.ts.net", "tags": ["tag:web"], "addresses": ["100.64.0.2"]}]')
    assert.deepEqual(await run(['preview', path, option, name, '--devices', devices]), { code: 0, out: `${path}:6: group:ops -> tag:web:80\n`, err: '' })
  }
  assert.equal((await run(['preview', path, '--tag', 'wbe'])).out, 'neither policy nor devices know tag:wbe: did you mean `tag:web`?\n')
})

test('diff says who gains and who loses', async () => {
  const [less, more] = [policy(GOOD), policy(OPEN)]
  const gains = await run(['diff', less, more])
  assert.deepEqual([gains.code, gains.err], [1, ''])
  assert.match(gains.out, /^ann@corp\.example\n {2}\+ tag:web:443\n/)
  assert.match((await run(['diff', more, less])).out, /^ann@corp\.example\n {2}- tag:web:443\n/)
  assert.deepEqual(await run(['diff', less, policy(`// moved\n${GOOD}`)]), { code: 0, out: '', err: '' })
  assert.equal((await run(['diff', less, more, '--exit-zero'])).code, 0)
})

test('fmt rewrites in place, and only what is not canonical', async () => {
  const place = folder()
  const [untidy, tidy] = [file('a.hujson', '{"b":1,  // c\n"a":2}', place), file('b.hujson', '{\n\t"b": 1,\n}\n', place)]
  const listed = await run(['fmt', '--check', untidy, tidy])
  assert.deepEqual(listed, { code: 1, out: `${untidy}\n`, err: '' })
  assert.equal(readFileSync(untidy, 'utf8'), '{"b":1,  // c\n"a":2}')
  assert.equal((await run(['fmt', untidy, tidy])).code, 0)
  assert.equal((await run(['fmt', '--check', untidy, tidy])).code, 0)
  assert.match(readFileSync(untidy, 'utf8'), /"b": 1, +\/\/ c\n/)
  assert.equal((await run(['fmt', '-'], '{"a":1}')).out, (await run(['fmt', '-'], '{ "a" : 1 }')).out)
})

test('fmt goes on after a bad file and never writes one', async () => {
  const place = folder()
  const [broken, binary, untidy] = [file('a', '{"a": }', place), file('b', Buffer.from([0x7b, 0xff, 0x7d]), place), file('c', '{"a":  1}', place)]
  const { code, err } = await run(['fmt', broken, binary, join(place, 'none'), untidy])
  assert.deepEqual([code, err.trimEnd().split('\n').length], [2, 3])
  assert.equal(readFileSync(broken, 'utf8'), '{"a": }')
  assert.deepEqual([...readFileSync(binary)], [0x7b, 0xff, 0x7d])
  assert.equal((await run(['fmt', '--check', untidy])).code, 0)
})

test('json writes plain JSON', async () => {
  const standard = await run(['json', policy(GOOD)])
  assert.equal(standard.out.length, GOOD.length)
  assert.equal(JSON.parse(standard.out).acls[0].action, 'accept')
  assert.equal((await run(['json', '-', '--minimize'], '{"a": [1, 2,], /* x */}')).out, '{"a":[1,2]}\n')
})

test('wrong usage and unreadable files are one line and code 2', async () => {
  const path = policy(GOOD)
  const wrong = [
    [], ['nonsense'], ['check'], ['check', path, path], ['check', '--nonsense', path], ['check', '/nonexistent'], ['check', folder()],
    ['check', path, '--devices', '/nonexistent'], ['check', path, '--devices', path],
    ['preview', path], ['preview', path, '--user', 'a', '--ip-port', '1.2.3.4:5'], ['preview', path, '--ip-port', 'x'], ['preview', '-', '--user', 'a'],
    ['diff', path], ['diff', '-', '-'], ['diff', path, '/nonexistent'], ['fmt'], ['json'], ['json', '-'], ['check', '-', '--devices', '-'], ['check', path, '--devices', file('other.json', '{"acls": []}')],
  ]
  for (const args of wrong) {
    const { code, out, err } = await run(args, '{"a": }')
    assert.deepEqual([code, out, err.split('\n').length], [2, '', 2], `${args.join(' ')}: ${code} ${out}${err}`)
    assert.doesNotMatch(err, /\n {4}at /)
  }
  const help = await run(['--help'])
  assert.deepEqual([help.code, help.err], [0, ''])
  assert.match(help.out, /tailnet-kit sandbox/)
  const { code, out, err } = await run(['--version'])
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^\d+\.\d+\.\d+\n$/)
})
