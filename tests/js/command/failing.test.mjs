// `tailnet-kit review --fail-on`: which change trips which of its words, by the review of two texts. Must not live here: findings of a given review
// (review.test.mjs), guards (guard.test.mjs).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policy } from 'tailnet-kit'
import { failing } from '../node_modules/tailnet-kit/bin/fail-on.js'
import { fails } from '../node_modules/tailnet-kit/bin/report.js'
import { reported } from '../node_modules/tailnet-kit/bin/review.js'
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
  assert.equal((await run(['review', before, after, '--fail-on', 'powers', '--fail-on', 'lost'])).code, 1)
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

test('a name of --fail-on is that of whatever a destination has', async () => {
  const text = (acls) => `{
    "groups": {"group:ops": ["ann@corp.example"]},
    "tagOwners": {"tag:web": [], "tag:db": []},
    "hosts": {"nas": "10.9.1.7"},
    "ipsets": {"ipset:lab": ["add 10.9.0.0/16", "remove host:nas", "10.8.0.1-10.8.0.9"]},
    "acls": [${acls.map(([src, dst]) => `{"action": "accept", "src": ["${src}"], "dst": ["${dst}"]}`).join()}],
  }`
  const device = (id, at, owner) => ({ id, name: `${id}.corp.ts.net`, addresses: [`100.64.0.${at}`, `fd7a:115c:a1e0::${at}`], ...owner })
  const devices = [device('web-1', 1, { tags: ['tag:web'] }), device('pc', 2, { user: 'ann@corp.example' })]
  const both = { devices: [...devices, device('web-2', 3, { tags: ['tag:db', 'tag:web'] })] }
  const known = { devices }
  const trips = ([old, now], [context, after = context], failOn) => {
    const texts = [text(old), text(now)]
    const review = policy.review(...texts, context, { after })
    const isFailing = failing(failOn, { policies: texts.map((own) => policy.toJSON(own)), contexts: [context, after] })
    return fails(reported(review, { head: { file: 'after.hujson', text: texts[1] }, base: 'before.hujson', isFailing }), {
      failLevel: 'error',
      maxWarnings: Infinity,
    })
  }
  const [ann, web] = ['ann@corp.example', ['ann@corp.example', 'tag:web:22']]
  const same = [[web], [web]]
  // A device that is called by one of its tags has the other one, too.
  for (const failOn of ['gained:tag:db', 'gained:tag:web', 'gained:web-2', 'gained:100.64.0.3']) assert.ok(trips(same, [known, both], failOn), failOn)
  for (const failOn of ['gained:web-1', 'lost:tag:db', 'gained:tag:d']) assert.ok(!trips(same, [known, both], failOn), failOn)
  for (const failOn of ['lost:tag:db', 'lost:web-2']) assert.ok(trips(same, [both, known], failOn), failOn)
  for (const [dst, failOn, wanted] of [
    ['ann@corp.example:22', 'gained:group:ops', true],
    ['10.9.1.0/24:22', 'gained:ipset:lab', true],
    ['nas:22', 'gained:ipset:lab', false],
    ['ipset:lab:22', 'gained:nas', false],
    ['ipset:lab:22', 'gained:10.8.0.8-10.8.0.20', true],
    ['10.8.0.9:22', 'gained:ipset:lab', true],
    ['10.8.0.10:22', 'gained:ipset:lab', false],
    ['[fd7a:115c:a1e0::2]:22', 'gained:pc', true],
    ['[fd7a:115c:a1e0::2]:22', 'gained:100.64.0.2', false],
  ])
    assert.equal(trips([[web], [web, ['tag:web', dst]]], [known], failOn), wanted, `${dst} ${failOn}`)
  // Everything but a name is not about that name.
  const narrowed = [[[ann, '*:22']], [web]]
  assert.deepEqual([trips(narrowed, [known], 'lost:tag:web'), trips(narrowed, [known], 'lost:tag:db')], [false, true])
  // Nor about a device that has it.
  const boxes = { ...known, devices: [...known.devices, { id: '9', name: 'box.corp.ts.net', tags: ['tag:web'], addresses: ['100.64.0.99'] }] }
  const kept = narrowed
  for (const [failOn, wanted] of [
    ['box', false],
    ['10.8.0.1', true],
  ])
    assert.equal(trips(kept, [boxes], `lost:${failOn}`), wanted, failOn)
  const written = (name, value) => file(`${name}.json`, JSON.stringify(value))
  const args = ['review', file('policy.hujson', text([web])), file('same.hujson', text([web])), '--devices', written('devices', known)]
  const { code } = await run([...args, '--devices-after', written('after', both), '--fail-on', 'gained:tag:db'])
  assert.equal(code, 1)
})

test('a name without a prefix that nothing has is called so', async () => {
  const hosts = POLICY.replace('{', '{"hosts": {"nas": "10.9.1.7"},')
  const devices = file('devices.json', JSON.stringify([{ id: '1', name: 'web-1.corp.ts.net', addresses: ['100.64.0.1'], tags: ['tag:prod'] }]))
  const names = ['nas', 'nass', 'web-1', 'web-2', '10.0.0.0/8', 'ann@corp.example', 'tag:pro', 'n*']
  const failOn = [...names.map((name) => `gained:${name}`), 'powers:funnel', 'powers:funel', 'powers:exit-node'].join()
  const { err } = await run(['review', file('old.hujson', hosts), file('new.hujson', hosts), '--devices', devices, '--fail-on', failOn])
  assert.deepEqual(
    err.match(/`[^`]+`/g),
    ['nass', 'web-2', 'tag:pro', 'funel'].map((name) => `\`${name}\``),
  )
})
