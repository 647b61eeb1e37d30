// `tailnet-kit review --fail-on`: which change trips which of its words, by the review of two texts. Must not live here: findings of a given review
// (review.test.mjs), guards (guard.test.mjs).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policy } from 'tailnet-kit'
import { fails } from '../node_modules/tailnet-kit/bin/report.js'
import { failing, reported } from '../node_modules/tailnet-kit/bin/review.js'
import { file, run } from '../command.mjs'

const KINDS = ['gained', 'lost', 'undecided', 'powers', 'lockout', 'orphaned', 'exposed', 'posture-looser', 'tests-removed', 'guard']

const POLICY = `{
	"groups": {"group:ops": ["ann@corp.example", "bob@corp.example"]},
	"tagOwners": {"tag:prod": ["ann@corp.example"], "tag:db": ["ann@corp.example", "bob@corp.example"]},
	"postures": {"posture:edr": ["custom:score >= 50"]},
	"acls": [
		{"action": "accept", "src": ["group:ops"], "dst": ["tag:prod:22,443"]},
		{"action": "accept", "src": ["ann@corp.example"], "dst": ["tag:db:5432"]},
		{"action": "accept", "src": ["bob@corp.example"], "dst": ["tag:db:80"], "srcPosture": ["posture:edr"]},
	],
	"ssh": [
		{"action": "accept", "src": ["group:ops"], "dst": ["tag:prod"], "users": ["root", "ubuntu"]},
		{"action": "check", "src": ["group:ops"], "dst": ["tag:db"], "users": ["root"], "checkPeriod": "12h"},
	],
	"tests": [{"src": "ann@corp.example", "accept": ["tag:prod:22"], "deny": ["tag:db:22"]}],
	"nodeAttrs": [{"target": ["tag:db"], "attr": ["funnel"]}],
}
`
const edited = (...edits) =>
  edits.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from)
    return text.replace(from, to)
  }, POLICY)

/** The words of --fail-on for which a change of POLICY has errors. */
function tripped(...edits) {
  const head = { file: 'after.hujson', text: edited(...edits) }
  const review = policy.review(POLICY, head.text)
  const isError = (kind) => fails(reported(review, { head, base: 'before.hujson', isFailing: failing(kind) }), { failLevel: 'error', maxWarnings: Infinity })
  return KINDS.filter(isError)
}

const TIGHTER = {
  'a posture put on a rule': ['"dst": ["tag:db:5432"]', '"dst": ["tag:db:5432"], "srcPosture": ["posture:edr"]'],
  'a posture put on an ssh rule': ['"users": ["root", "ubuntu"]', '"users": ["root", "ubuntu"], "srcPosture": ["posture:edr"]'],
  'a condition that asks for more': ['>= 50', '>= 70'],
  'a check where none was': [
    '"action": "accept", "src": ["group:ops"], "dst": ["tag:prod"], "users"',
    '"action": "check", "src": ["group:ops"], "dst": ["tag:prod"], "users"',
  ],
  'a check more often': ['"checkPeriod": "12h"', '"checkPeriod": "1h"'],
  'a port less': ['tag:prod:22,443', 'tag:prod:22'],
  'an account less': ['["root", "ubuntu"]', '["root"]'],
  'an owner of a tag less': ['"tag:db": ["ann@corp.example", "bob@corp.example"]', '"tag:db": ["ann@corp.example"]'],
  'a funnel less': ['"attr": ["funnel"]', '"attr": []'],
}

for (const [what, edit] of Object.entries(TIGHTER)) {
  test(`${what} trips nothing but \`lost\``, () => assert.deepEqual(tripped(edit), ['lost']))
}

const OTHER = [
  ['a port more', ['gained'], ['tag:db:5432', 'tag:db:5432-5433']],
  ['a posture taken from a rule', ['gained'], [', "srcPosture": ["posture:edr"]', '']],
  ['no check any more', ['gained'], ['"action": "check"', '"action": "accept"']],
  ['a condition that asks for less', ['gained', 'posture-looser'], ['>= 50', '>= 20']],
  [
    'a source whose members are not known',
    ['gained'],
    ['"src": ["ann@corp.example"], "dst": ["tag:db:5432"]', '"src": ["ann@corp.example", "group:sync@corp.example"], "dst": ["tag:db:5432"]'],
  ],
  ['everybody', ['gained', 'exposed'], ['"src": ["ann@corp.example"], "dst": ["tag:db:5432"]', '"src": ["*"], "dst": ["tag:db:5432"]']],
  ['an owner of a tag more', ['powers'], ['"tag:prod": ["ann@corp.example"]', '"tag:prod": ["ann@corp.example", "bob@corp.example"]']],
  ['a funnel more', ['powers'], ['"target": ["tag:db"]', '"target": ["tag:db", "tag:prod"]']],
  [
    'a destination that nobody reaches any more',
    ['lost', 'orphaned'],
    ['\t\t{"action": "accept", "src": ["ann@corp.example"], "dst": ["tag:db:5432"]},\n', ''],
    ['\t\t{"action": "accept", "src": ["bob@corp.example"], "dst": ["tag:db:80"], "srcPosture": ["posture:edr"]},\n', ''],
    ['\t\t{"action": "check", "src": ["group:ops"], "dst": ["tag:db"], "users": ["root"], "checkPeriod": "12h"},\n', ''],
  ],
  ['a test that checks less', ['tests-removed'], [', "deny": ["tag:db:22"]', '']],
]

for (const [what, kinds, ...edits] of OTHER) {
  test(`${what} trips ${kinds.join(' and ')}`, () => assert.deepEqual(tripped(...edits), kinds))
}

test('what devices and text do not decide trips `undecided`, by destination too', async () => {
  const edit = ['"src": ["ann@corp.example"], "dst": ["tag:db:5432"]', '"src": ["autogroup:admin"], "dst": ["tag:db:5432"]']
  const [before, after] = [file('before.hujson', POLICY), file('after.hujson', edited(edit))]
  const device = (id, owner) => ({ id, hostname: `box-${id}`, addresses: [`100.64.0.${id}`], ...owner })
  const devices = file('devices.json', JSON.stringify([device('1', { user: 'ann@corp.example' }), device('2', { tags: ['tag:db'] })]))
  const code = async (failOn) => (await run(['review', before, after, '--devices', devices, '--fail-on', failOn])).code
  assert.deepEqual([await code('undecided'), await code('undecided:tag:db'), await code('undecided:tag:prod')], [1, 1, 0])
})

test('somebody who has nothing left trips lockout', () => {
  assert.deepEqual(
    tripped(['["ann@corp.example", "bob@corp.example"]},', '["ann@corp.example"]},'], ['"src": ["bob@corp.example"]', '"src": ["ann@corp.example"]']),
    ['gained', 'lost', 'lockout'],
  )
})

test('a name of --fail-on is a power, too', async () => {
  const [before, after] = [
    file('before.hujson', POLICY),
    file('after.hujson', edited(['"tag:prod": ["ann@corp.example"]', '"tag:prod": ["autogroup:member"]'])),
  ]
  const code = async (failOn) => (await run(['review', before, after, '--fail-on', failOn])).code
  assert.deepEqual([await code('powers:tag:prod'), await code('powers:tag:db'), await code('powers:funnel')], [1, 0, 0])
})

test('the name of an alias is that of what it meant, and of what it means now', async () => {
  const at = (address) => `{"hosts": {"db": "${address}"}, "acls": [{"action": "accept", "src": ["ann@corp.example"], "dst": ["db:22"]}]}`
  const moved = (failOn) => run(['review', file('old.hujson', at('10.1.0.5')), file('new.hujson', at('10.1.0.6')), '--fail-on', failOn])
  for (const failOn of ['lost:db', 'gained:db', 'lost:10.1.0.5', 'gained:10.1.0.6', 'lost:d*']) assert.equal((await moved(failOn)).code, 1, failOn)
  for (const failOn of ['lost:10.1.0.6', 'lost:dbs']) assert.equal((await moved(failOn)).code, 0, failOn)
})

test('what has an address in common with a name is about it', async () => {
  const to = (destination, office = '10.9.0.0/16') =>
    `{"hosts": {"office": "${office}", "printer": "10.9.1.7"}, "acls": [{"action": "accept", "src": ["ann@corp.example"], "dst": ["${destination}:22"]}]}`
  const code = async (before, after, failOn) => (await run(['review', file('old.hujson', before), file('new.hujson', after), '--fail-on', failOn])).code
  assert.equal(await code(to('192.0.2.1'), to('office'), 'gained:printer'), 1)
  assert.equal(await code(to('office'), to('192.0.2.1'), 'lost:10.9.0.0/24'), 1)
  assert.equal(await code(to('office'), to('office', '10.9.0.0/17'), 'lost:printer'), 0)
  assert.equal(await code(to('office'), to('office', '10.9.128.0/17'), 'lost:printer'), 1)
})

test('a name that nothing has is called so', async () => {
  const args = ['review', file('old.hujson', POLICY), file('new.hujson', POLICY), '--fail-on']
  const { code, err } = await run([...args, 'gained:tag:prd,lost:tag:prod,lost:tag:*,powers'])
  assert.deepEqual([code, err], [0, 'tailnet-kit: --fail-on names `tag:prd`, which neither the policies nor the devices have\n'])
})

test('what is no policy is refused, whatever --fail-on names', async () => {
  for (const text of ['[]', 'null', '{"hosts": []}']) {
    const { code, out, err } = await run(['review', file('old.hujson', POLICY), file('new.hujson', text), '--fail-on', 'gained:tag:prod', '--format', 'text'])
    assert.deepEqual([code, err], [1, ''], text)
    assert.match(out, /^refused: /m, text)
  }
})
