// `tailnet-kit preview`, `explain`, `access`, `filters`, `ssh`, `diff`, `fmt` and `json`, wrong usage and help: lines, JSON and exit codes.
// Must not live here: verdicts, commands that judge.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { file, folder, run } from '../command.mjs'
import { BAD, FAILING, GOOD, policy } from './tools.mjs'

const OPEN = GOOD.replace('tag:web:80', 'tag:web:80,443')
const DEVICES = JSON.stringify({
  devices: [
    { id: '1', user: 'ann@corp.example', addresses: ['100.64.0.1'] },
    { id: '2', tags: ['tag:web'], addresses: ['100.64.0.2'] },
  ],
})

test('preview asks for a user or an address and port', async () => {
  const devices = file('devices.json', DEVICES)
  const path = policy(GOOD)
  const line = `${path}:6: group:ops -> tag:web:80\n`
  assert.deepEqual(await run(['preview', path, '--user', 'ann@corp.example']), { code: 0, out: line, err: '' })
  assert.deepEqual(await run(['preview', path, '--ip-port', '100.64.0.2:80', '--devices', devices]), { code: 0, out: line, err: '' })
  assert.equal((await run(['preview', path, '--user', 'zoe@corp.example'])).out, 'no rule concerns zoe@corp.example\n')
  const near = (await run(['preview', path, '--user', 'anne@corp.example'])).out
  assert.equal(near, 'no rule concerns anne@corp.example\nhint: did you mean `ann@corp.example`?\n')
  const refused = await run(['preview', policy(BAD), '--user', 'a@b.example'])
  assert.deepEqual([refused.code, refused.err.split('\n').length], [1, 2])
})

test('preview and diff answer for a policy whose tests fail', async () => {
  const preview = await run(['preview', policy(FAILING), '--user', 'ann@corp.example', '--json'])
  assert.deepEqual([preview.code, JSON.parse(preview.out).matches.length], [0, 1])
  const diff = await run(['diff', policy(FAILING), policy(OPEN)])
  assert.deepEqual([diff.code, diff.err], [1, ''])
  assert.match(diff.out, /^ann@corp\.example\n {2}\+ tag:web:443\n/)
})

test('preview takes any name', async () => {
  const path = policy(GOOD)
  for (const [option, name] of [
    ['--group', 'group:ops'],
    ['--tag', 'tag:web'],
    ['--device', 'web'],
  ]) {
    const devices = file('devices.json', '[{"id": "2", "name": "web.example.ts.net", "tags": ["tag:web"], "addresses": ["100.64.0.2"]}]')
    assert.deepEqual(await run(['preview', path, option, name, '--devices', devices]), { code: 0, out: `${path}:6: group:ops -> tag:web:80\n`, err: '' })
  }
  assert.equal((await run(['preview', path, '--tag', 'wbe'])).out, 'neither policy nor devices know tag:wbe: did you mean `tag:web`?\n')
})

test('explain says whether a flow is allowed, why, and who receives it', async () => {
  const path = policy(GOOD)
  const devices = file('devices.json', DEVICES)
  const allowed = await run(['explain', path, '--from', 'ann@corp.example', '--to', 'tag:web:80', '--devices', devices])
  assert.deepEqual([allowed.code, allowed.out.split('\n').slice(0, 2)], [0, ['allowed', `${path}:6: acls[0] allows it`]])
  assert.match(allowed.out, /\nreceived by \S+/)
  const denied = await run(['explain', path, '--from', 'zoe@corp.example', '--to', 'tag:web:80'])
  assert.equal(denied.code, 0)
  assert.match(denied.out, new RegExp(`^denied\n${path}:6: acls\\[0\\] misses: source "zoe@corp.example" is not in group:ops\n`))
  const blocked = await run(['explain', path, '--from', 'ann@corp.example', '--to', 'tag:web:22', '--devices', devices])
  assert.match(blocked.out, /^denied\n[^]*\nwould be received by \S+/)
  const path2 = policy(
    '{"grants": [{"src": ["*"], "dst": ["100.64.0.2"], "ip": ["22"]}], "tagOwners": {"tag:web": []}, "ssh": [{"action": "check", "src": ["autogroup:member"], "dst": ["tag:web"], "users": ["root"]}]}',
  )
  const two = file(
    'two.json',
    '[{"id": "1", "hostname": "laptop", "user": "ann@corp.example", "addresses": ["100.64.0.1"]}, {"id": "2", "hostname": "web-1", "tags": ["tag:web"], "addresses": ["100.64.0.2"], "authorized": false}, {"id": "3", "hostname": "web-2", "tags": ["tag:web"], "addresses": ["100.64.0.3"]}]',
  )
  const some = await run(['explain', path2, '--from', 'laptop', '--to', 'tag:web:22', '--devices', two, '--exit-code'])
  assert.equal(some.code, 2)
  assert.match(some.out, /^partly\nonly to web-1\n[^]*\nit does not arrive now\nin the way: web-1 is not authorized\n/)
  const login = await run(['explain', path2, '--from', 'laptop', '--to', 'web-1', '--user', 'root', '--devices', two, '--exit-code'])
  assert.deepEqual([login.code, login.out.split('\n')[0]], [0, 'allowed, after a check'])
  assert.match((await run(['explain', path, '--from', 'ann@corp.example', '--to', 'tag:wbe:80'])).out, /\nhint: did you mean `tag:web`\?\n/)
  const { version, verdict } = JSON.parse((await run(['explain', path, '--from', 'ann@corp.example', '--to', 'tag:web:80', '--json'])).out)
  assert.deepEqual([version, verdict], [1, 'allowed'])
})

test('explain takes posture attributes', async () => {
  const path = policy(
    GOOD.replace('"acls"', '"postures": {"posture:mac": ["node:os == \'macos\'"]},\n\t"acls"').replace(
      '"dst": ["tag:web:80"]',
      '"dst": ["tag:web:80"], "srcPosture": ["posture:mac"]',
    ),
  )
  const asked = (...more) => run(['explain', path, '--from', 'ann@corp.example', '--to', 'tag:web:80', ...more])
  assert.match((await asked('--posture', 'node:os=macos')).out, /^allowed\n/)
  assert.match((await asked('--posture', 'node:os=linux')).out, /^denied\n/)
})

test('access, filters and ssh: lines for people, JSON for programs', async () => {
  const path = policy(
    GOOD.replace('"acls"', '"ssh": [{"action": "accept", "src": ["group:ops"], "dst": ["tag:web"], "users": ["root", "autogroup:nonroot"]}],\n\t"acls"'),
  )
  const devices = file('devices.json', DEVICES)
  const access = await run(['access', path])
  assert.equal(access.code, 0)
  assert.match(access.out, /^ann@corp\.example -> tag:web:80 \(acls\[0\] line 7\)$/m)
  const filters = await run(['filters', path, '--devices', devices])
  assert.match(filters.out, /^2 \(2\)\n {2}100\.64\.0\.1 -> 100\.64\.0\.2:80 protocol 1, 6, 17, 58$/m)
  assert.match(filters.out, /^1 \(1\)\n {2}nobody reaches it$/m)
  const ssh = await run(['ssh', path, '--devices', devices])
  assert.match(ssh.out, /^2 \(2\)\n {2}accept 100\.64\.0\.1 as .*root/m)
  const told = async (...args) => JSON.parse((await run([...args, path, '--devices', devices, '--json'])).out)
  assert.deepEqual([(await told('filters')).version, Object.keys((await told('filters')).filters)], [1, ['1', '2']])
  assert.deepEqual(Object.keys((await told('ssh')).ssh), ['1', '2'])
  assert.ok((await told('access', '--by', 'device')).cells.length > 0)
})

test('access --from and --to: what one reaches, and who reaches one', async () => {
  const path = policy(GOOD.replace('"acls": [', '"acls": [\n\t\t{"action": "accept", "src": ["tag:web"], "dst": ["10.0.0.1:22"]},'))
  const devices = file('devices.json', DEVICES)
  const lines = async (...args) => (await run(['access', path, ...args])).out
  assert.equal(await lines('--from', 'group:ops'), 'ann@corp.example -> tag:web:80 (acls[1] line 7)\n')
  assert.equal(await lines('--to', '10.0.0.1'), 'tag:web -> 10.0.0.1:22 (acls[0] line 6)\n')
  assert.equal(await lines('--from', 'ann@corp.example', '--to', '10.0.0.1'), 'nobody reaches anything\n')
  assert.equal((await lines('--from', 'ann@corp.example', '--from', 'tag:web')).split('\n').length, 3)
  assert.match(await lines('--by', 'device', '--devices', devices, '--to', 'tag:web'), /^device 1 -> device 2:80 \(acls\[1\] line 7\)\n$/)
  const { code, out, err } = await run(['access', path, '--to', 'tag:wbe'])
  assert.deepEqual([code, out, err], [2, '', 'tailnet-kit: no destination of the matrix is called `tag:wbe`; did you mean `tag:web`?\n'])
})

test('access and preview say which postures and routers are needed', async () => {
  const path = policy(`{
	"tagOwners": {"tag:router": [], "tag:db": []},
	"postures": {"posture:mac": ["node:os == 'macos'"], "posture:new": ["node:tsVersion >= '1.60'"]},
	"acls": [
		{"action": "accept", "src": ["ann@corp.example"], "dst": ["tag:db:443"]},
		{"action": "accept", "src": ["ann@corp.example"], "dst": ["tag:db:22"], "srcPosture": ["posture:mac", "posture:new"]},
	],
	"grants": [
		{"src": ["bob@corp.example"], "dst": ["10.0.0.0/8"], "ip": ["443"], "via": ["tag:router"], "srcPosture": ["posture:new"]},
	],
}`)
  const access = (await run(['access', path, '--to', 'tag:db'])).out
  assert.equal(access, 'ann@corp.example -> tag:db:443; 22 with posture:mac or posture:new (acls[0] line 5, acls[1] line 6)\n')
  const ann = (await run(['preview', path, '--user', 'ann@corp.example'])).out.split('\n')
  assert.equal(ann[1], `${path}:6: ann@corp.example -> tag:db:22 with posture:mac or posture:new`)
  const bob = (await run(['preview', path, '--user', 'bob@corp.example'])).out
  assert.equal(bob, `${path}:9: bob@corp.example -> 10.0.0.0/8:443 with posture:new via tag:router\n`)
})

test('logins: who as whom, after a check or not, and what the network makes of it', async () => {
  const path = policy(
    GOOD.replace(
      '"acls"',
      `"ssh": [
		{"action": "check", "src": ["group:ops"], "dst": ["tag:web"], "users": ["root"]},
		{"action": "accept", "src": ["group:ops"], "dst": ["tag:web"], "users": ["ubuntu"], "srcPosture": ["posture:mac"]},
	],
	"postures": {"posture:mac": ["node:os == 'macos'"]},
	"acls"`,
    ),
  )
  const logins = await run(['logins', path, '--to', 'tag:web'])
  assert.equal(logins.code, 0)
  const end = ' \\(no network rule opens port 22 for it\\)'
  assert.match(logins.out, new RegExp(`^ann@corp.example -> tag:web as root after a check${end} \\(ssh\\[0\\] line \\d+\\)$`, 'm'))
  assert.match(logins.out, new RegExp(`^ann@corp.example -> tag:web as ubuntu with posture:mac${end} `, 'm'))
  assert.equal((await run(['logins', path, '--from', 'tag:web'])).out, 'nobody logs in\n')
  const told = JSON.parse((await run(['logins', path, '--json'])).out)
  assert.deepEqual([told.version, told.cells[0].users], [1, ['root']])
})

test('powers: who may do what besides reaching, what that reaches, and at which line', async () => {
  const path = policy(`{
	"groups": {"group:ops": ["ann@corp.example"]},
	"tagOwners": {
		"tag:prod": ["group:ops", "tag:ci"],
		"tag:ci": [],
	},
	"autoApprovers": {"exitNode": ["tag:ci"]},
	"nodeAttrs": [{"target": ["tag:prod"], "attr": ["funnel"]}],
	"grants": [{"src": ["tag:prod"], "dst": ["tag:ci"], "ip": ["22"]}],
}`)
  const { code, out } = await run(['powers', path])
  assert.equal(code, 0)
  const lines = out.trimEnd().split('\n')
  assert.deepEqual(lines, [
    `${path}:4: ann@corp.example: tag tag:prod, which reaches tag:ci:22`,
    `${path}:4: tag:ci: tag tag:prod through tag:ci, which reaches tag:ci:22`,
    `${path}:7: tag:ci: exit-node`,
    `${path}:8: tag:prod: attribute funnel`,
  ])
  const told = JSON.parse((await run(['powers', path, '--json'])).out)
  assert.deepEqual([told.version, told.powers.length, told.powers[0].what], [1, 4, 'tag:prod'])
  assert.equal((await run(['powers', policy('{"acls": []}')])).out, 'nobody may do anything besides reaching\n')
  const devices = file('devices.json', DEVICES)
  assert.match((await run(['powers', path, '--devices', devices])).out, /tag:prod: attribute funnel \(nobody today: no device has tag:prod\)$/m)
  const refused = await run(['powers', policy(BAD)])
  assert.deepEqual([refused.code, refused.err.split('\n').length], [1, 2])
})

test('access says which part of a name is meant, and why something is undecided', async () => {
  const path = policy(`{
	"tagOwners": {"tag:web": []},
	"acls": [
		{"action": "accept", "src": ["tag:web"], "dst": ["10.0.0.0/8:22", "10.1.0.0/16:80"]},
		{"action": "accept", "src": ["group:ops@corp.example"], "dst": ["tag:web:443"]},
		{"action": "accept", "src": ["ann@corp.example"], "dst": ["tag:web:80"]},
	],
}`)
  const lines = async (...args) => (await run(['access', path, ...args])).out
  assert.equal(
    await lines('--to', '10.0.0.0/8'),
    'tag:web -> 10.0.0.0/8:22 (acls[0] line 4)\ntag:web -> 10.0.0.0/8:80 (only to 10.1.0.0/16) (acls[0] line 4)\n',
  )
  const undecided = 'ann@corp.example -> tag:web:443 undecided: the members of group:ops@corp.example are not known (acls[1] line 5)'
  assert.ok((await lines('--from', 'ann@corp.example')).includes(undecided))
})

test('access lists u2 before u10', async () => {
  const users = [10, 2, 0].map((n) => `"u${n}@corp.example"`)
  const path = policy(`{"acls": [{"action": "accept", "src": [${users}], "dst": ["10.0.0.1:22"]}]}`)
  const names = (await run(['access', path])).out.split('\n').map((line) => line.split('@')[0])
  assert.deepEqual(names, ['u0', 'u2', 'u10', ''])
})

test('explain --exit-code says the verdict', async () => {
  const path = policy(GOOD.replace('"acls": [', '"acls": [\n\t\t{"action": "accept", "src": ["autogroup:admin"], "dst": ["tag:web:22"]},'))
  const code = async (from, to, ...more) => (await run(['explain', path, '--from', from, '--to', to, ...more])).code
  assert.equal(await code('ann@corp.example', 'tag:web:80', '--exit-code'), 0)
  assert.equal(await code('tag:web', 'tag:web:80', '--exit-code'), 1)
  assert.equal(await code('ann@corp.example', 'tag:web:22', '--exit-code'), 3)
  assert.equal(await code('tag:web', 'tag:web:80'), 0)
  const { out } = await run(['explain', path, '--from', 'ann@corp.example', '--to', 'tag:web:22'])
  assert.match(out, /^undecided\n/)
  assert.match(out, /^who is in autogroup:admin is not known$/m)
})

test('fmt shows what it would change', async () => {
  const path = file('a.hujson', '{"b":1,\n"a":2}\n')
  const shown = await run(['fmt', '--diff', path])
  assert.deepEqual([shown.code, shown.err], [0, ''])
  assert.match(shown.out, new RegExp(`^--- ${path}\n\\+\\+\\+ ${path}\n@@ -1,2 \\+1,\\d+ @@\n-\\{"b":1,\n`))
  assert.equal(readFileSync(path, 'utf8'), '{"b":1,\n"a":2}\n')
  assert.equal((await run(['fmt', '--diff', '--check', path])).code, 1)
})

test('diff says who gains and who loses', async () => {
  const [less, more] = [policy(GOOD), policy(OPEN)]
  const gains = await run(['diff', less, more])
  assert.deepEqual([gains.code, gains.err], [1, ''])
  assert.match(gains.out, /^ann@corp\.example\n {2}\+ tag:web:443\n/)
  assert.match((await run(['diff', more, less])).out, /^ann@corp\.example\n {2}- tag:web:443\n/)
  assert.deepEqual(await run(['diff', less, policy(`// moved\n${GOOD}`)]), { code: 0, out: '', err: '' })
  assert.equal((await run(['diff', less, more, '--exit-zero'])).code, 0)
  const told = JSON.parse((await run(['diff', less, more, '--json'])).out)
  assert.deepEqual([told.version, told.changes[0].source], [1, 'ann@corp.example'])
  const annotated = await run(['diff', less, more, '--format', 'github'])
  assert.equal(annotated.code, 1)
  assert.match(annotated.out, /^::error file=.*,line=6,col=3,endColumn=72,title=tailnet-kit gained::ann@corp\.example gains tag:web:443$/m)
  const refused = policy(BAD)
  assert.match((await run(['diff', less, refused])).err, new RegExp(`^${refused}:6:14: refused: `))
})

test('diff says which logins and powers change, on which conditions, and what is undecided', async () => {
  const changed = async (before, after) => {
    const { code, out } = await run(['diff', policy(before), policy(after)])
    return [code, out.split('\n').slice(0, -1)]
  }
  const ssh = (action) => GOOD.replace('"acls"', `"ssh": [{"action": "${action}", "src": ["group:ops"], "dst": ["tag:web"], "users": ["root"]}],\n\t"acls"`)
  const [code, [who, login]] = await changed(GOOD, ssh('accept'))
  assert.deepEqual([code, who], [1, 'ann@corp.example'])
  assert.match(login, /^ {2}\+ SSH to tag:web as root \(no network rule opens port 22 for it\)/)
  const [, [, treated]] = await changed(ssh('accept'), ssh('check'))
  assert.match(treated, /^ {2}~ SSH to tag:web as root after a check.*: now needs a check$/)
  const owned = GOOD.replace('"tag:web": ["group:ops"]', '"tag:web": ["group:ops", "bob@corp.example"]')
  const powers = await changed(GOOD, owned)
  assert.equal(powers[0], 1)
  assert.ok(powers[1].includes('bob@corp.example') && powers[1].some((line) => line.startsWith('  + the power tag tag:web')), powers[1].join('\n'))
  const edr = GOOD.replace('"acls"', `"postures": {"posture:edr": ["custom:edr == true"]},\n\t"acls"`)
  const [, [, bound]] = await changed(edr, edr.replace('["tag:web:80"]', '["tag:web:80"], "srcPosture": ["posture:edr"]'))
  assert.match(bound, /^ {2}- tag:web:80 now only with posture:edr/)
  const scored = (least) =>
    edr.replace('custom:edr == true', `custom:score >= ${least}`).replace('["tag:web:80"]', '["tag:web:80"], "srcPosture": ["posture:edr"]')
  assert.deepEqual((await changed(scored(70), scored(20)))[1], ['ann@corp.example', '  + tag:web:80 with posture:edr, whose conditions are looser now'])
  assert.deepEqual((await changed(scored(20), scored(70)))[1].slice(1), ['  - tag:web:80 with posture:edr, whose conditions are tighter now'])
  const shut = ssh('accept').replace('"tag:web:80"', '"tag:web:22,80"')
  assert.deepEqual((await changed(shut, ssh('accept')))[1].slice(1), ['  - tag:web:22', '  - SSH to tag:web as root, as port 22 is closed now'])
  // Whether ann is an admin is not known: she may keep it or lose it.
  const [admins, devices] = [
    GOOD.replace('"src": ["group:ops"]', '"src": ["autogroup:admin"]'),
    [{ id: '1', user: 'ann@corp.example', addresses: ['100.64.0.1'] }],
  ]
  const open = await run(['diff', policy(GOOD), policy(admins), '--devices', file('devices.json', JSON.stringify(devices))])
  assert.equal(open.code, 1)
  assert.match(open.out, /^ann@corp\.example\n {2}\? may lose tag:web:80 .*: who is in autogroup:admin is not known/m)
  // Members of the one synced group had it with the posture if they are in the other one, too.
  const of = (group, more = '') => `{ "action": "accept", "src": ["${group}@corp.example"], "dst": ["tag:web:22"]${more} }`
  const synced = (rules) => edr.replace('"acls": [', `"acls": [${rules},`)
  const known = ['--devices', file('known.json', JSON.stringify(devices))]
  const one = of('group:one', ', "srcPosture": ["posture:edr"]')
  const perhaps = await run(['diff', policy(synced(one)), policy(synced(`${one}, ${of('group:two')}`)), ...known])
  assert.match(perhaps.out, /^group:two@corp\.example\n {2}\+ tag:web:22.*, before at most with posture:edr$/m)
  // All devices of today meet the posture: one that joins may not.
  const met = { devices: [{ id: '1', hostname: 'a', user: 'ann@corp.example', addresses: ['100.64.0.1'] }], attributes: { 1: { 'custom:edr': true } } }
  const later = await run([
    'diff',
    policy(edr),
    policy(edr.replace('["tag:web:80"]', '["tag:web:80"], "srcPosture": ["posture:edr"]')),
    '--devices',
    file('met.json', JSON.stringify(met)),
  ])
  assert.equal(later.code, 1)
  assert.match(later.out, /now only with posture:edr.*\(no other difference for what devices report today\)$/m)
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

test('an option that a command does not have is named, with the one that may be meant', async () => {
  const path = policy(GOOD)
  const err = async (...args) => (await run(['access', path, ...args])).err
  assert.equal(await err('--device', 'x'), 'tailnet-kit: unknown option `--device`: did you mean `--devices`?\n')
  assert.equal(await err('--colour'), 'tailnet-kit: unknown option `--colour`; see --help\n')
  assert.equal(await err('-x'), 'tailnet-kit: unknown option `-x`; see --help\n')
  assert.equal(await err('--devcies', 'x'), 'tailnet-kit: unknown option `--devcies`: did you mean `--devices`?\n')
  assert.equal((await run(['explain', path, '--form', 'a'])).err, 'tailnet-kit: unknown option `--form`: did you mean `--from`?\n')
})

test('an option that takes one value drops none of two', async () => {
  const ask = (...from) => run(['explain', policy(GOOD), ...from.flatMap((name) => ['--from', name]), '--to', '10.0.0.1:22'])
  const { code, out, err } = await ask('ann@corp.example', 'bob@corp.example')
  assert.deepEqual([code, out, err], [2, '', 'tailnet-kit: `--from` takes one value, not `ann@corp.example` and `bob@corp.example`\n'])
  assert.equal((await ask('ann@corp.example', 'ann@corp.example')).err, '')
})

test('a command that there is not is named, with the one that may be meant', async () => {
  for (const [asked, meant] of [
    ['chekc', 'check'],
    ['Check', 'check'],
    ['explian', 'explain'],
    ['sand', 'sandbox'],
    ['--verison', '--version'],
  ]) {
    assert.equal((await run([asked])).err, `tailnet-kit: unknown command \`${asked}\`: did you mean \`${meant}\`?\n`)
  }
  assert.equal((await run(['nonsense'])).err, 'tailnet-kit: unknown command `nonsense`; see --help\n')
})

test('a fault in an option is reported by the name that was typed', async () => {
  const path = policy(GOOD)
  const url = ['--base-url', 'http://127.0.0.1:1']
  const kept = { TAILNET_API_KEY: 'x', TAILNET_NAME: '', TAILNET_BASE_URL: '' }
  for (const [said, args, env] of [
    ['--allow-origin: `foo` is not an origin, such as https://dash.example', ['sandbox', '--allow-origin', 'foo']],
    ['--allow-host: `a/b` is not a host, such as sandbox.example', ['sandbox', '--allow-host', 'a/b']],
    ['--tailnet must not be empty', ['sandbox', '--tailnet', '']],
    ['--api-key must be a string without surrounding blanks and without a colon', ['sandbox', '--api-key', 'a:b']],
    ['--by is `name` or `device`', ['access', path, '--by', 'moon']],
    ['--devices is missing; see --help', ['access', path, '--by', 'device']],
    ['--devices is missing; see --help', ['preview', path, '--device', 'web']],
    ['--base-url must begin with `https://` or `http://`', ['pull', '--base-url', 'foo']],
    ['TAILNET_BASE_URL must begin with `https://` or `http://`', ['pull'], { TAILNET_BASE_URL: 'foo' }],
    ['--tailnet must not be empty', ['pull', ...url, '--tailnet', '']],
    ['TAILNET_NAME must not be `.` or `..`', ['pull', ...url], { TAILNET_NAME: '..' }],
  ]) {
    const { code, out, err } = await run(args, '', { env: { ...kept, ...env } })
    assert.deepEqual([code, out, err], [2, '', `tailnet-kit: ${said}\n`])
  }
})

test('a fault in the file of devices, in the question and in a guard is reported of that', async () => {
  const path = policy(GOOD)
  const err = async (...args) => (await run(args)).err
  const wrong = file('devices.json', '{"devices": 3}')
  for (const args of [
    ['check', path],
    ['review', path, path],
    ['diff', path, path],
    ['explain', path, '--from', 'a', '--to', 'b:1'],
    ['filters', path],
  ]) {
    assert.equal(await err(...args, '--devices', wrong), `tailnet-kit: ${wrong}: \`devices\` must be a list\n`)
  }
  assert.equal(await err('explain', path, '--from', 'ann@corp.example', '--to', 'tag:web:80', '--proto', 'none'), 'tailnet-kit: `none` is not a protocol\n')
  const guard = file('tailnet.guard.hujson', '[\n\t{"may": {}},\n]')
  assert.equal(await err('review', path, path, '--guard', guard), `tailnet-kit: ${guard}: line 2, column 3: unknown key "may"\n`)
})

test('a file of devices may begin with a byte-order mark, and one without devices is said to be empty', async () => {
  const path = policy(GOOD)
  const devices = file('devices.json', `\ufeff${DEVICES}`)
  assert.match((await run(['filters', path, '--devices', devices])).out, /^2 \(2\)$/m)
  const none = file('none.json', '[]')
  for (const command of ['filters', 'ssh']) assert.equal((await run([command, path, '--devices', none])).out, 'no devices are known\n')
})

test('where something is undecided, the advice is to give devices, or what the file of devices lacks', async () => {
  const path = policy(`{
	"acls": [{"action": "accept", "src": ["autogroup:admin"], "dst": ["10.0.0.1:22"]}],
	"tests": [{"src": "ann@corp.example", "accept": ["10.0.0.1:22"]}],
}`)
  const devices = file('devices.json', '[{"id": "1", "user": "ann@corp.example", "addresses": ["100.64.0.1"]}]')
  for (const args of [
    ['preview', path, '--user', 'ann@corp.example'],
    ['test', path],
  ]) {
    assert.match((await run(args)).out, /: give --devices$/m)
    const { out } = await run([...args, '--devices', devices])
    assert.match(out, /: add what is missing to the file of --devices: devices, or users with their roles$/m)
    assert.doesNotMatch(out, /text alone|without --devices/)
  }
})

test('wrong usage and unreadable files are one line and code 2', async () => {
  const path = policy(GOOD)
  const wrong = [
    [],
    ['nonsense'],
    ['check'],
    ['json', path, path],
    ['check', '--format', 'xml', path],
    ['check', '--fail-level', 'notice', path],
    ['check', '--max-warnings', 'few', path],
    ['check', '--json', '--format', 'sarif', path],
    ['check', '--watch', '-'],
    ['explain', path, '--from', 'a'],
    ['explain', path, '--to', 'a:1'],
    ['explain', path, '--from', 'tag:web', '--to', 'tag:web:80', '--posture', 'x'],
    ['access', path, '--by', 'moon'],
    ['filters', path],
    ['ssh', path],
    ['review'],
    ['review', path, path, path],
    ['review', path, path, '--base', 'main'],
    ['review', '-'],
    ['review', path, path, '--guard', ''],
    ['review', path, path, '--fail-on', 'gone'],
    ['review', path, path, '--fail-on', 'guard:x'],
    ['pull', path],
    ['pull'],
    ['apply', path],
    ['drift', path],
    ['check', '--nonsense', path],
    ['check', '/nonexistent'],
    ['check', folder()],
    ['test'],
    ['check', path, '--devices', '/nonexistent'],
    ['check', path, '--devices', path],
    ['preview', path],
    ['preview', path, '--user', 'a', '--ip-port', '1.2.3.4:5'],
    ['preview', path, '--ip-port', 'x'],
    ['preview', '-', '--user', 'a'],
    ['diff', path],
    ['diff', '-', '-'],
    ['diff', path, '/nonexistent'],
    ['fmt'],
    ['json'],
    ['json', '-'],
    ['check', '-', '--devices', '-'],
    ['check', path, '--devices', file('other.json', '{"acls": []}')],
  ]
  for (const args of wrong) {
    const { code, out, err } = await run(args, '{"a": }')
    assert.deepEqual([code, out, err.split('\n').length], [2, '', 2], `${args.join(' ')}: ${code} ${out}${err}`)
    assert.doesNotMatch(err, /\n {4}at /)
  }
})

test('a syntax error is a line that starts with its place, from every command', async () => {
  const broken = file('broken.hujson', '{\n\t"acls": nope\n}')
  const good = policy(GOOD)
  const devices = file('devices.json', DEVICES)
  const all = [
    ['preview', broken, '--user', 'a@b.example'],
    ['explain', broken, '--from', 'a@b.example', '--to', 'tag:web:1'],
    ['access', broken],
    ['filters', broken, '--devices', devices],
    ['ssh', broken, '--devices', devices],
    ['diff', broken, good],
    ['diff', good, broken],
    ['fmt', broken],
    ['json', broken],
  ]
  for (const args of all) {
    const { code, out, err } = await run(args)
    assert.deepEqual([code, out], [2, ''], args.join(' '))
    assert.match(err, new RegExp(`^${broken}:2:10: error: .* \\[hujson_syntax\\]\n$`))
  }
  for (const args of [
    ['check', broken],
    ['test', broken],
  ]) {
    const { code, out } = await run(args)
    assert.equal(code, 1)
    assert.match(out, new RegExp(`^${broken}:2:10: error: .* \\[hujson_syntax\\]\n`))
  }
})

test('each command has a page: what it does, exit codes, two examples', async () => {
  const overview = await run(['--help'])
  assert.deepEqual([overview.code, overview.err], [0, ''])
  const names = [...overview.out.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name)
  assert.deepEqual(names, [
    'check',
    'test',
    'review',
    'diff',
    'explain',
    'access',
    'logins',
    'powers',
    'preview',
    'filters',
    'ssh',
    'fmt',
    'json',
    'translate',
    'pull',
    'apply',
    'drift',
    'lsp',
    'sandbox',
  ])
  for (const name of names) {
    const { code, out, err } = await run([name, '--help'])
    assert.deepEqual([code, err], [0, ''], name)
    assert.match(out, new RegExp(`^usage: tailnet-kit ${name}\\b.*\n\n\\S`))
    assert.match(out, /\n\nExit codes:\n {2}0 {2}\S/)
    assert.match(out, /\n {2}2 {2}\S/)
    assert.equal(out.split('\n\nExamples:\n')[1].match(/^ {2}\S.*\btailnet-kit /gm).length, 2, name)
  }
  assert.equal((await run(['help', 'fmt'])).out, (await run(['fmt', '--help'])).out)
  assert.equal((await run(['help', 'nonsense'])).code, 2)
  const { code, out, err } = await run(['--version'])
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^\d+\.\d+\.\d+\n$/)
})
