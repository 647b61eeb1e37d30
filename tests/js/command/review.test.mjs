// `tailnet-kit review`: a given review becomes findings and formats; and the whole command.
// Must not live here: what a change does.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import github from '../node_modules/tailnet-kit/bin/formats/github.js'
import json from '../node_modules/tailnet-kit/bin/formats/json.js'
import junit from '../node_modules/tailnet-kit/bin/formats/junit.js'
import markdown from '../node_modules/tailnet-kit/bin/formats/markdown.js'
import sarif from '../node_modules/tailnet-kit/bin/formats/sarif.js'
import text from '../node_modules/tailnet-kit/bin/formats/text.js'
import { failing } from '../node_modules/tailnet-kit/bin/fail-on.js'
import { fails } from '../node_modules/tailnet-kit/bin/report.js'
import { reported } from '../node_modules/tailnet-kit/bin/review.js'
import { file, folder, run } from '../command.mjs'
import { GOOD, HERE, git, snapshot, watching } from './tools.mjs'

const read = (name) => readFileSync(join(HERE, 'review', name), 'utf8')
const HEAD = { file: 'policy.hujson', text: read('after.hujson') }
const GUARD = { file: 'tailnet.guard.hujson', text: read('tailnet.guard.hujson') }
const REVIEW = JSON.parse(read('review.json'))
const SETTINGS = { failLevel: 'error', maxWarnings: Infinity }
const findings = (failOn, { review = REVIEW, guard = GUARD, context, isStrict } = {}) =>
  reported(review, { head: HEAD, guard, base: 'before.hujson', isFailing: failing(failOn, { contexts: [context] }), isStrict })
const errors = (report) => report.findings.filter(({ severity }) => severity === 'error').map(({ code, message, line }) => [code, line, message])

for (const [name, format] of Object.entries({
  'review.txt': text,
  'review.json': json,
  'review.github': github,
  'review.sarif': sarif,
  'review.junit.xml': junit,
  'review.md': markdown,
})) {
  test(`${name} equals its snapshot`, () => snapshot(name, format(findings('guard'), { failed: true, failLevel: 'error' })))
}

test('a guard that fails is an error at the rule that makes it fail', () => {
  const report = findings('guard')
  assert.deepEqual(
    errors(report).map(([code, line]) => [code, line]),
    [
      ['guard', 7],
      ['guard', 3],
    ],
  )
  assert.match(errors(report)[0][2], /^never group:dev -> tag:prod:22: dan@corp\.example reaches tag:prod:22 by tcp$/)
  assert.match(errors(report)[1][2], /^always group:ops -> tag:prod:443 tcp: ann@corp\.example does not reach tag:prod:443 by tcp$/)
  assert.equal(report.findings.find(({ code, line }) => code === 'guard' && line === 3).file, GUARD.file)
  assert.ok(fails(report, SETTINGS))
  assert.deepEqual(report.passed, [{ file: GUARD.file, name: 'only group:ops -> tag:db' }])
})

test('an undecided assertion is a warning, and a change passes unless --fail-on names it', () => {
  const report = findings('lockout', { review: { ...REVIEW, lockedOut: [] } })
  assert.deepEqual(errors(report), [])
  assert.ok(!fails(report, SETTINGS))
  assert.match(report.findings.find(({ message }) => message.includes('undecided: ')).message, /^never autogroup:shared -> \*: undecided: /)
})

test('with --strict an undecided assertion fails where --fail-on names the guard', () => {
  const strict = (failOn) =>
    errors(reported(REVIEW, { head: HEAD, guard: GUARD, base: 'before.hujson', isFailing: failing(failOn), isStrict: true })).map(([code, line]) => [
      code,
      line,
    ])
  assert.deepEqual(
    strict('guard').filter(([code]) => code === 'guard'),
    [
      ['guard', 7],
      ['guard', 3],
      ['guard', 5],
    ],
  )
  assert.ok(strict('lockout').every(([code]) => code !== 'guard'))
})

test('an assertion says over which devices, why it says nothing, and no policy as text', () => {
  const rule = { section: 'acls', index: 1, line: 7 }
  const hop = (from, to) => ({ from, to, proto: 'tcp' })
  const path = [hop('tag:ci', 'web-1:22'), hop('web-1', 'db-1:5432')]
  const never = { from: 'tag:ci', to: 'tag:db', paths: true }
  const results = [
    { assertion: { never }, holds: false, line: 2, counterexample: { flow: path[1], rule, path }, because: [rule] },
    { assertion: { never: { from: 'group:deb', to: '*' } }, holds: false, line: 3, because: [], why: '`group:deb` is not defined' },
    { assertion: { sameAs: '{"acls": []}' }, holds: false, line: 4, because: [], why: 'not as a text' },
    {
      assertion: { always: { from: 'ann@corp.example', to: 'tag:db', proto: 'icmp' } },
      holds: false,
      line: 5,
      counterexample: { flow: { from: 'ann@corp.example', to: 'tag:db:0', proto: 'icmp' }, rule: null },
      because: [],
      why: 'no rule comes near',
    },
  ]
  const { findings: found } = findings('guard', { review: { ...REVIEW, guard: { holds: false, results } } })
  assert.deepEqual(
    found.filter(({ code }) => code === 'guard').map(({ message }) => message),
    [
      'never tag:ci -> tag:db over devices: tag:ci reaches db-1:5432 by tcp over web-1',
      'never group:deb -> *: does not hold: `group:deb` is not defined',
      'sameAs the given policy: does not hold: not as a text',
      'always ann@corp.example -> tag:db icmp: ann@corp.example does not reach tag:db by icmp: no rule comes near',
    ],
  )
})

test('--fail-on names destinations, tags of devices, everything, and sources that reach all', () => {
  const gained = (failOn, more) =>
    errors(findings(failOn, more))
      .filter(([code]) => code === 'gained' || code === 'lost')
      .map(([code, , message]) => `${code} ${message.split(' ')[2].split(':').slice(0, 2).join(':')}`)
  assert.deepEqual(gained('gained:tag:prod'), ['gained tag:prod'])
  assert.deepEqual(gained('gained:tag:p*d'), ['gained tag:prod'])
  assert.deepEqual(gained('gained:tag:db'), [])
  assert.deepEqual(gained('gained:web-2'), ['gained tag:web'])
  assert.deepEqual(gained('lost:tag:web'), ['lost tag:web'])
  assert.equal(gained('lost:*').length, 3)
  // Three gains of access, a login, one by the network; two losses of access, a power; the login that now needs a check is not `lost` by code.
  assert.deepEqual(gained('gained,lost').length, 8)
  const device = {
    ...REVIEW,
    access: [{ ...REVIEW.access[0], gained: [{ ...REVIEW.access[0].gained[0], destination: 'db1', party: { kind: 'device', name: 'db1', id: '7' } }] }],
    ssh: [],
  }
  assert.deepEqual(gained('gained:tag:prod', { review: device }), [])
  assert.deepEqual(gained('gained:tag:prod', { review: device, context: { devices: [{ id: '7', tags: ['tag:prod'] }] } }), ['gained db1:22'])
  const any = {
    ...REVIEW,
    access: [{ ...REVIEW.access[0], gained: [{ ...REVIEW.access[0].gained[0], destination: '*', party: { kind: 'any', name: '*' } }] }],
    ssh: [],
  }
  assert.equal(gained('gained:tag:prod', { review: any }).length, 1)
  assert.deepEqual(
    errors(findings('lockout,exposed')).map(([code]) => code),
    ['lockout', 'exposed'],
  )
})

test('--fail-on knows conditions, checks, powers, what is undecided, and what protects less', () => {
  const failed = (failOn) => errors(findings(failOn)).map(([, , message]) => message)
  assert.deepEqual(failed('lost:tag:db'), ['fay@corp.example has tag:db:5432 now only with posture:edr or via tag:router'])
  assert.deepEqual(failed('gained:tag:ci'), [
    'fay@corp.example no longer needs posture:edr for tag:ci:443 (nobody today: no device has tag:ci)',
    'ann@corp.example gains SSH to tag:ci as root, as port 22 is open now',
  ])
  assert.deepEqual(failed('lost:tag:prod'), ['ann@corp.example has SSH to tag:prod as ubuntu after a check: now needs a check'])
  assert.deepEqual(failed('undecided'), ['fay@corp.example may gain tag:web:22 via tag:router: the members of group:sync are not known'])
  const power = 'dan@corp.example gains the power tag tag:prod through tag:ci, which reaches tag:db:*'
  assert.deepEqual([failed('powers'), failed('powers:tag:prod'), failed('powers:funnel')], [[power], [power], []])
  assert.deepEqual(failed('lost:exit-node'), ['dan@corp.example loses the power exit-node'])
  assert.deepEqual(failed('orphaned'), ['nobody reaches tag:old any more'])
  assert.deepEqual(failed('posture-looser'), ["posture:edr is looser: custom:edr == true and node:os == 'linux' → custom:edr == true"])
  assert.deepEqual(failed('tests-removed'), [
    'the test of dan@corp.example at line 12 of before.hujson is gone',
    'the test of ann@corp.example no longer checks tag:prod:22',
  ])
})

test('an edit without meaning is said in one line', () => {
  const nothing = {
    ...REVIEW,
    unchanged: true,
    issues: [],
    access: [],
    ssh: [],
    powers: [],
    postures: [],
    lockedOut: [],
    orphaned: [],
    exposed: [],
    conditions: { access: [], ssh: [] },
    networkLogins: [],
    devices: [],
    renamed: [],
    tests: { added: [], removed: [], changed: [] },
    guard: null,
    summary: 'No meaning changes.',
  }
  const report = findings('guard', { review: nothing, guard: null })
  assert.equal(text(report, { failed: false }), 'the edit changes no meaning\n')
  assert.ok(!fails(report, SETTINGS))
})

test('--devices-after reviews a change of the network', async () => {
  const box = { id: '1', hostname: 'box', user: 'ann@corp.example', addresses: ['100.64.0.1'] }
  const nas = { id: '2', hostname: 'nas', tags: ['tag:web'], addresses: ['100.64.0.2'] }
  const [policy, place] = [file('policy.hujson', GOOD), folder()]
  const [before, after] = [file('before.json', JSON.stringify([box]), place), file('after.json', JSON.stringify([box, nas]), place)]
  const args = ['review', policy, policy, '--devices', before]
  assert.equal((await run([...args, '--devices-after', before])).out, 'the edit changes no meaning\n')
  const { code, out } = await run([...args, '--devices-after', after, '--fail-on', 'gained:tag:web'])
  assert.match(out, /error: ann@corp\.example gains \S+:80 \[gained\]/)
  assert.equal(code, 1)
  const waiting = file('waiting.json', JSON.stringify([{ ...box, authorized: false }]), place)
  const letIn = await run(['review', policy, policy, '--devices', waiting, '--devices-after', before])
  assert.match(letIn.out, /notice: box takes part otherwise: authorized false → true \[device\]\n1 device takes part otherwise\n$/)
  assert.equal(letIn.code, 0)
  const turned = async (from, to, failOn) => (await run(['review', policy, policy, '--devices', from, '--devices-after', to, '--fail-on', failOn])).code
  // What a device reached that is cut off is listed nowhere, so every name counts.
  assert.deepEqual([await turned(waiting, before, 'gained'), await turned(waiting, before, 'lost')], [1, 0])
  assert.deepEqual([await turned(before, waiting, 'lost:tag:web'), await turned(before, waiting, 'gained')], [1, 0])
  const shielded = file('shielded.json', JSON.stringify([{ ...box, blocksIncomingConnections: true }]), place)
  assert.deepEqual([await turned(before, shielded, 'lost:box'), await turned(before, shielded, 'lost:tag:web')], [1, 0])
  const [expired, renewed] = ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'].map((expires) =>
    file(`${expires.slice(0, 4)}.json`, JSON.stringify([{ ...box, expires }]), place),
  )
  assert.deepEqual([await turned(renewed, expired, 'lost'), await turned(expired, renewed, 'gained')], [1, 1])
  assert.match((await run([...args, '--devices-after', '/nonexistent'])).err, /^tailnet-kit: cannot read \/nonexistent: /)
})

test('a file without a version in git, and a refused one, are reported', async () => {
  const place = folder()
  git(place, 'init', '-q')
  writeFileSync(join(place, 'policy.hujson'), GOOD)
  const none = await run(['review', 'policy.hujson'], '', { cwd: place })
  assert.deepEqual([none.code, none.out, none.err.split('\n').length], [2, '', 2])
  assert.match(none.err, /^tailnet-kit: no version of policy\.hujson at HEAD; name BASE: /)
  const absent = await run(['review', 'none/policy.hujson'], '', { cwd: place })
  assert.match(absent.err, /^tailnet-kit: cannot read none\/policy\.hujson: ENOENT/)
  const odd = await run(['review', 'policy.hujson', '--base', '--output=x'], '', { cwd: place })
  assert.equal(odd.code, 2)
})

test('HEAD is compared with its version in git, and fails at its line', async () => {
  const place = folder()
  mkdirSync(join(place, 'sub'))
  git(place, 'init', '-q')
  writeFileSync(join(place, 'sub/policy.hujson'), GOOD)
  writeFileSync(
    join(place, 'sub/tailnet.guard.hujson'),
    '[\n  // Only over the one port.\n  {"never": {"from": "*", "to": "tag:web", "ports": "443", "proto": "tcp"}, "why": "TLS ends elsewhere"},\n  {"noMoreThan": "most.hujson"},\n]\n',
  )
  writeFileSync(join(place, 'sub/most.hujson'), GOOD.replace(':80', ':80,8080'))
  git(place, 'add', '.')
  git(place, 'commit', '-qm', 'start')
  const review = (...more) => run(['review', 'sub/policy.hujson', '--guard', 'sub/tailnet.guard.hujson', ...more], '', { cwd: place })
  const same = await review()
  assert.deepEqual(same, { code: 0, out: 'the edit changes no meaning; 2 of 2 guards hold\n', err: '' })
  writeFileSync(join(place, 'sub/policy.hujson'), GOOD.replace(':80', ':80,443'))
  const wrong = await review()
  assert.equal(wrong.code, 1)
  assert.match(wrong.out, /^sub\/policy\.hujson:6:3: error: never \* -> tag:web:443 tcp: .* reaches tag:web:443 by tcp \[guard\]$/m)
  assert.match(wrong.out, /^sub\/policy\.hujson:6:3: error: noMoreThan most\.hujson: .* \[guard\]$/m)
  assert.match(wrong.out, /^sub\/policy\.hujson:6:3: notice: ann@corp\.example gains tag:web:443 \[gained\]$/m)
  assert.match((await review('--format', 'markdown')).out, /ann@corp\.example/)
  const told = JSON.parse((await review('--json')).out)
  assert.deepEqual([told.version, told.command, told.passed, told.review.unchanged], [1, 'review', false, false])
})

test('a HEAD that the service would refuse fails at its line, such a BASE is wrong usage', async () => {
  const [good, bad] = [file('good.hujson', GOOD), file('bad.hujson', GOOD.replace('"accept"', '"drop"'))]
  const { code, out } = await run(['review', good, bad])
  assert.equal(code, 1)
  assert.match(out, new RegExp(`^${bad}:6:14: error: action="drop" is not supported \\[\\w+\\]\\n`))
  assert.deepEqual((await run(['review', bad, good])).code, 2)
  assert.match((await run(['review', good, '-'], '{"acls": nope}')).out, /^-:1:10: error: /)
})

test('--watch runs again when the guard, a policy that it names, or the file of devices changes', { timeout: 20_000 }, async () => {
  const place = folder()
  const put = (name, text) => file(name, text, place)
  const [wide, guard] = ['noMoreThan', 'sameAs'].map((kind) => `[{"${kind}": "${kind}.hujson"}]`)
  const path = put('policy.hujson', GOOD)
  const { child, runs, said } = watching('review', path, path, '--guard', put('tailnet.guard.hujson', '[]'), '--devices', put('devices.json', '[]'))
  try {
    await runs()
    for (const [name, text] of [
      ['devices.json', '[{"id": "1", "user": "ann@corp.example", "addresses": ["100.64.0.1"]}]'],
      ['tailnet.guard.hujson', wide],
      ['noMoreThan.hujson', GOOD],
      ['tailnet.guard.hujson', guard],
      ['sameAs.hujson', GOOD.replace(':80', ':443')],
    ]) {
      const again = runs()
      put(name, text)
      await again
    }
    assert.deepEqual(said().match(/the edit changes no meaning.*/g), [
      'the edit changes no meaning',
      'the edit changes no meaning',
      'the edit changes no meaning; 1 of 1 guards hold',
      'the edit changes no meaning; 0 of 1 guards hold',
    ])
  } finally {
    child.kill('SIGINT')
    await once(child, 'close')
  }
})
