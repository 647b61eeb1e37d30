// Pull requests that open what the guard forbids and try to get past it: each fails, and says why. Must not live here: how the guard is told
// (guard.test.mjs), what else the action does (action.test.mjs).

import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { run } from '../command.mjs'
import { git } from './tools.mjs'
import { cloned, pushed, requested } from './workflow.mjs'

const GUARD = 'tailnet.guard.hujson'
const POLICY = `{
	"groups": {"group:dev": ["dan@corp.example"], "group:ops": ["ann@corp.example"]},
	"tagOwners": {"tag:prod": ["group:ops"], "tag:dev": ["group:ops"]},
	"postures": {"posture:any": ["node:os IS SET"]},
	"acls": [
		{"action": "accept", "src": ["group:ops"], "dst": ["tag:prod:22"]},
		{"action": "accept", "src": ["group:dev"], "dst": ["tag:dev:22"]},
	],
}
`
const never = (more = '', ports = '22') => `{"never": {"from": "group:dev", "to": "tag:prod", "ports": "${ports}"${more}}}`
const KEPT = '{"only": {"from": "group:ops", "to": "tag:prod", "ports": "22"}}'
/** A device that is `tag:prod`, one of Dan's, and a rule to the first by its address. */
const NETWORK = {
  devices: [
    { id: '1', hostname: 'db', addresses: ['100.64.0.1'], tags: ['tag:prod'] },
    { id: '2', hostname: 'laptop', addresses: ['100.64.0.2'], user: 'dan@corp.example' },
  ],
}
const KNOWN = { devices: 'devices.json' }
const FILES = { 'policy.hujson': POLICY, 'most.hujson': POLICY, [GUARD]: `[${never()}]` }
const OPENED = POLICY.replace('"dst": ["tag:dev:22"]', '"dst": ["tag:dev:22", "tag:prod:22"]')
const inPlace = (text) => (work) => writeFileSync(join(work, GUARD), text)
const GONE = /title=tailnet-kit guard-changed::never group:dev -> tag:prod:22: no longer in the guard; dan@corp\.example reaches tag:prod:22 by tcp/
const FAILS = /title=tailnet-kit guard::never group:dev -> tag:prod:22: /

/** By what the pull request does beside opening the port: how, and the annotation that it gets. */
const TRIES = {
  nothing: [() => {}, FAILS],
  'deletes the assertion': [inPlace('[]'), GONE],
  'deletes the guard': [(work) => rmSync(join(work, GUARD)), GONE],
  'renames the guard': [(work) => git(work, 'mv', GUARD, 'old.guard.hujson'), GONE],
  'moves the guard into a folder': [
    (work) => {
      mkdirSync(join(work, 'old'))
      git(work, 'mv', GUARD, `old/${GUARD}`)
    },
    GONE,
  ],
  'puts a folder in the place of the guard': [
    (work) => {
      rmSync(join(work, GUARD))
      mkdirSync(join(work, GUARD))
      writeFileSync(join(work, GUARD, 'x'), '')
    },
    GONE,
  ],
  'puts a link to an empty list in the place of the guard': [
    (work) => {
      rmSync(join(work, GUARD))
      writeFileSync(join(work, 'none.json'), '[]')
      symlinkSync('none.json', join(work, GUARD))
    },
    GONE,
  ],
  'comments the assertion out': [inPlace(`[// ${never()}\n]`), GONE],
  'has the assertion look at another port': [inPlace(`[${never('', '2222')}]`), GONE],
  'has the assertion look at another protocol': [inPlace(`[${never(', "proto": "udp"')}]`), GONE],
  'has the assertion look at logins alone': [inPlace('[{"never": {"from": "group:dev", "to": "tag:prod", "users": "root"}}]'), GONE],
  'has the assertion look at somebody else': [inPlace(`[${never().replace('group:dev', 'bob@corp.example')}]`), GONE],
  'turns the assertion into its contrary': [inPlace(`[${never().replace('never', 'always')}]`), GONE],
  'writes a weaker assertion beside one that stays': [inPlace(`[${KEPT.replace('"group:ops"', '["group:ops", "group:dev"]')}]`), GONE],
  'silences the finding by a comment': [
    (work) =>
      writeFileSync(join(work, 'policy.hujson'), OPENED.replace('\t\t{"action": "accept", "src": ["group:dev"]', '\t\t// tailnet-kit-ignore guard: fine\n$&')),
    FAILS,
  ],
  'lets the guard name what it never names': [inPlace(`[${never().replace('tag:prod', 'tag:prd')}]`), GONE],
  'puts a condition on the rule that everybody fulfils': [
    (work) =>
      writeFileSync(
        join(work, 'policy.hujson'),
        OPENED.replace('"dst": ["tag:dev:22", "tag:prod:22"]}', '"dst": ["tag:dev:22", "tag:prod:22"], "srcPosture": ["posture:any"]}'),
      ),
    FAILS,
  ],
  'calls the policy one of the other language': [
    (work) => writeFileSync(join(work, 'policy.hujson'), `// tailnet-kit: dialect headscale\n${OPENED.replace(/\t"postures".*\n/, '')}`),
    FAILS,
  ],
  'puts a policy that keeps the guard beside': [(work) => writeFileSync(join(work, 'second.hujson'), POLICY), FAILS],
  'puts a guard that asks nothing beside': [(work) => writeFileSync(join(work, 'second.guard.hujson'), '[]'), FAILS],
  'puts another policy and no guard beside': [
    (work) => {
      rmSync(join(work, GUARD))
      writeFileSync(join(work, 'second.hujson'), POLICY)
    },
    GONE,
  ],
  'puts a submodule in the place of the guard': [
    (work) => {
      rmSync(join(work, GUARD))
      git(work, 'add', '-A')
      git(work, 'update-index', '--add', '--cacheinfo', `160000,${git(work, 'rev-parse', 'HEAD').trim()},${GUARD}`)
      mkdirSync(join(work, GUARD))
    },
    GONE,
  ],
  'writes the name of the guard in capitals': [(work) => git(work, 'mv', GUARD, 'Tailnet.guard.hujson'), GONE],
  'lets git ignore the guard': [
    (work) => {
      git(work, 'rm', '-q', '--cached', GUARD)
      writeFileSync(join(work, '.gitignore'), '*.guard.hujson\n')
    },
    FAILS,
  ],
  'calls guard and policy binary': [
    (work) => {
      writeFileSync(join(work, '.gitattributes'), '*.hujson binary -diff -merge export-ignore\n')
      rmSync(join(work, GUARD))
    },
    GONE,
  ],
  'lets git expand and encode guard and policy': [
    (work) => {
      writeFileSync(join(work, '.gitattributes'), '*.hujson ident filter=none diff=none text eol=crlf\n')
      writeFileSync(join(work, GUARD), '[] // $Id$\n')
    },
    GONE,
  ],
  'makes the guard a program': [
    (work) => {
      writeFileSync(join(work, GUARD), '[]')
      git(work, 'update-index', '--chmod=+x', GUARD)
    },
    GONE,
  ],
  'hides the finding among many': [
    (work) => {
      const rules = Array.from({ length: 3000 }, (_, at) => `{"action": "accept", "src": ["group:dev"], "dst": ["tag:dev:${1000 + at}"]},`)
      writeFileSync(join(work, 'policy.hujson'), OPENED.replace('"acls": [', `"acls": [${rules.join('\n')}`))
    },
    FAILS,
  ],
  'writes the rule as a grant with a capability': [
    (work) =>
      writeFileSync(
        join(work, 'policy.hujson'),
        POLICY.replace('\t"acls"', '\t"grants": [{"src": ["group:dev"], "dst": ["tag:prod"], "ip": ["tcp:20-30"], "app": {"a.example/b": [{}]}}],\n\t"acls"'),
      ),
    FAILS,
  ],
  'writes the rule under another spelling of its key': [(work) => writeFileSync(join(work, 'policy.hujson'), OPENED.replace('"acls"', '"ACLs"')), FAILS],
  'writes the rule under a key that stands there twice': [
    (work) => writeFileSync(join(work, 'policy.hujson'), OPENED.replace(/\n}\n$/, '\n\t"acls": [],\n}\n')),
    /^::error /m,
  ],
  'goes by a set of addresses': [
    (work) =>
      writeFileSync(
        join(work, 'policy.hujson'),
        POLICY.replace('\t"acls"', '\t"ipsets": {"ipset:x": ["0.0.0.0/0"]},\n\t"acls"').replace('"tag:dev:22"', '"tag:dev:22", "ipset:x:22"'),
      ),
    /^::error .*title=tailnet-kit guard::/m,
  ],
  'renames the tag': [(work) => writeFileSync(join(work, 'policy.hujson'), OPENED.replaceAll('tag:prod', 'tag:live')), FAILS],
}

for (const [what, [change, annotation]] of Object.entries(TRIES)) {
  test(`a pull request that opens a port and ${what} fails`, async () => {
    const place = await cloned(FILES)
    writeFileSync(join(place.work, 'policy.hujson'), OPENED)
    change(place.work)
    git(place.work, 'add', '-A')
    git(place.work, 'commit', '-qm', 'tidy up')
    const { code, out, outputs } = await requested(place)
    assert.deepEqual([code, outputs.result], [1, 'failed'], out)
    assert.match(out, annotation)
    // The push of a new branch with the same, which no pull request has looked at.
    const fresh = await pushed(place, { before: '0'.repeat(40), ref: 'refs/heads/change' })
    assert.equal(fresh.code, 1, fresh.out)
  })
}

/** What a repository with several networks may have, and what a pull request does to it: one guard for all by links, or links for folders. */
const LINKED = {
  'empties the guard that a link leads to': (work) => writeFileSync(join(work, 'all.hujson'), '[]'),
  'deletes the link to the guard': (work) => rmSync(join(work, 'eu', GUARD)),
  'turns the link of the folder': (work) => {
    mkdirSync(join(work, 'new'))
    writeFileSync(join(work, 'new/policy.hujson'), OPENED)
    rmSync(join(work, 'now'))
    symlinkSync('new', join(work, 'now'))
  },
}

for (const [what, change] of Object.entries(LINKED)) {
  test(`a pull request that opens a port and ${what} fails`, async () => {
    const place = await cloned({ 'all.hujson': `[${never()}]` }, (origin) => {
      mkdirSync(join(origin, 'eu'))
      writeFileSync(join(origin, 'eu/policy.hujson'), POLICY)
      symlinkSync('../all.hujson', join(origin, 'eu', GUARD))
      symlinkSync('eu', join(origin, 'now'))
    })
    writeFileSync(join(place.work, 'eu/policy.hujson'), OPENED)
    change(place.work)
    const { code, out, outputs } = await requested(place, { policy: 'now/policy.hujson' })
    assert.deepEqual([code, outputs.result], [1, 'failed'], out)
    assert.match(out, GONE)
  })
}

/** What a pull request does to the file of devices that opens the port by the address of one. */
const UNKNOWN = {
  'forgets the device': { devices: [NETWORK.devices[1]] },
  'gives the device another address': { devices: [{ ...NETWORK.devices[0], addresses: ['100.64.0.9'] }, NETWORK.devices[1]] },
  'takes the tag from the device': { devices: [{ ...NETWORK.devices[0], tags: ['tag:dev'] }, NETWORK.devices[1]] },
  'gives the device of Dan to somebody else': { devices: [NETWORK.devices[0], { ...NETWORK.devices[1], user: 'ann@corp.example' }] },
  'says that the policy is of the other language': { ...NETWORK, dialect: 'headscale' },
  'knows no devices at all': { users: [] },
}

for (const [what, devices] of Object.entries(UNKNOWN)) {
  test(`a pull request that opens a port and ${what} fails, unless that is allowed`, async () => {
    const place = await cloned({ ...FILES, 'policy.hujson': POLICY, 'devices.json': JSON.stringify(NETWORK) })
    const opened = POLICY.replace('"dst": ["tag:dev:22"]', '"dst": ["tag:dev:22", "100.64.0.1:22"]').replace(
      '["group:ops"], "dst"',
      '["group:ops", "100.64.0.2"], "dst"',
    )
    writeFileSync(join(place.work, 'policy.hujson'), opened)
    writeFileSync(join(place.work, 'devices.json'), JSON.stringify(devices))
    const { code, out, outputs } = await requested(place, KNOWN)
    assert.deepEqual([code, outputs.result], [1, 'failed'], out)
    assert.match(out, /title=tailnet-kit guard(-changed)?::(never group:dev|with the devices of origin\/main:devices\.json)/)
    const before = git(place.work, 'rev-parse', 'origin/main').trim()
    assert.equal((await pushed(place, { before }, KNOWN)).code, 1)
  })
}

test('a pull request that edits the file of devices is judged by that of the base, too, and passes by the label alone', async () => {
  const place = await cloned({ ...FILES, 'policy.hujson': POLICY, 'devices.json': JSON.stringify(NETWORK) })
  writeFileSync(join(place.work, 'policy.hujson'), POLICY.replace('"dst": ["tag:dev:22"]', '"dst": ["tag:dev:22", "100.64.0.1:22"]'))
  writeFileSync(join(place.work, 'devices.json'), JSON.stringify(UNKNOWN['forgets the device']))
  const { code, out } = await requested(place, KNOWN)
  assert.equal(code, 1)
  const said = 'never group:dev -> tag:prod:22: dan@corp.example reaches db:22 by tcp, with the devices of origin/main:devices.json'
  assert.ok(out.includes(`title=tailnet-kit guard-changed::${said}`), out)
  // What else fails a review is found by the earlier devices, too.
  const gained = await requested(place, { ...KNOWN, 'fail-on': 'gained:tag:prod' })
  assert.equal(gained.code, 1)
  assert.match(gained.out, /title=tailnet-kit gained::dan@corp\.example gains tag:prod:22, with the devices of origin\/main:devices\.json/)
  const allowed = await requested(place, KNOWN, ['allow-guard-change'])
  assert.equal(allowed.code, 0)
  assert.match(allowed.out, new RegExp(`^::notice .*${said.replaceAll('.', '\\.')}`, 'm'))
  // Without the guard, and as a policy that is new.
  rmSync(join(place.work, GUARD))
  git(place.work, 'mv', 'policy.hujson', 'other.hujson')
  writeFileSync(
    join(place.work, 'other.hujson'),
    `{"grants": [{"src": ["dan@corp.example"], "dst": ["100.64.0.1"], "ip": ["*"]}], "tagOwners": {"tag:prod": []}, "groups": {"group:dev": ["dan@corp.example"]}}`,
  )
  const fresh = await requested(place, { ...KNOWN, policy: 'other.hujson' })
  assert.equal(fresh.code, 1, fresh.out)
  assert.ok(fresh.out.includes(`title=tailnet-kit guard-changed::${said}`), fresh.out)
})

test('a change of the network alone passes where the guard holds before and after', async () => {
  const place = await cloned({ ...FILES, 'policy.hujson': POLICY, 'devices.json': JSON.stringify(NETWORK) })
  writeFileSync(
    join(place.work, 'devices.json'),
    JSON.stringify({ devices: [...NETWORK.devices, { id: '3', hostname: 'web', addresses: ['100.64.0.3'], tags: ['tag:prod'] }] }),
  )
  // A guard may name a device that the change brings.
  writeFileSync(join(place.work, GUARD), `[${never()}, {"always": {"from": "group:ops", "to": "web", "ports": "22"}}]`)
  const { code, out } = await requested(place, KNOWN)
  assert.equal(code, 0, out)
})

test('a policy that lies behind a turned link is compared with where the link led, from wherever the command runs', async () => {
  const { work } = await cloned({}, (origin) => {
    mkdirSync(join(origin, 'eu'))
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(origin, 'eu', name), text)
    symlinkSync('eu', join(origin, 'now'))
  })
  LINKED['turns the link of the folder'](work)
  const [now, above] = [join(work, 'now'), join(work, '..')]
  for (const [cwd, path, PWD] of [
    [work, 'now/policy.hujson', work],
    [above, 'work/now/policy.hujson', above],
    ['/', join(now, 'policy.hujson'), '/'],
    [now, 'policy.hujson', now],
  ]) {
    const { code, out } = await run(['review', path, '--base', 'origin/main', '--format', 'text'], '', { cwd, env: { PWD } })
    assert.equal(code, 1, `${cwd} ${path}\n${out}`)
    assert.match(out, /: error: never group:dev -> tag:prod:22: no longer in the guard; /)
  }
})

test('a pull request that puts another repository in the place of the folder fails', async () => {
  const place = await cloned({}, (origin) => {
    mkdirSync(join(origin, 'eu'))
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(origin, 'eu', name), text)
  })
  const other = await cloned({ 'policy.hujson': OPENED })
  git(place.work, 'rm', '-rq', 'eu')
  git(place.work, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${join(other.work, '../origin')}`, 'eu')
  git(place.work, 'commit', '-qm', 'move')
  const { code, out } = await requested(place, { policy: 'eu/policy.hujson' })
  assert.equal(code, 1, out)
  assert.match(out, GONE)
})

test('a pull request that widens the policy which the guard names fails', async () => {
  const place = await cloned({ ...FILES, [GUARD]: '[{"noMoreThan": "most.hujson"}]' })
  for (const name of ['policy.hujson', 'most.hujson']) writeFileSync(join(place.work, name), OPENED)
  const { code, out } = await requested(place)
  assert.equal(code, 1, out)
  assert.match(out, /guard-changed::noMoreThan most\.hujson: no longer in the guard; dan@corp\.example reaches tag:prod:22 by tcp/)
})

test('a pull request that changes what a name of the guard means is told of, and fails by a policy that the guard names', async () => {
  const place = await cloned({ ...FILES, [GUARD]: `[${never()}, {"noMoreThan": "most.hujson"}]` })
  const renamed = POLICY.replace('["dan@corp.example"]', '[]').replace('["group:ops"], "dst"', '["group:ops", "dan@corp.example"], "dst"')
  writeFileSync(join(place.work, 'policy.hujson'), renamed)
  const { code, out } = await requested(place)
  assert.equal(code, 1, out)
  assert.match(out, /title=tailnet-kit guard::noMoreThan most\.hujson: dan@corp\.example reaches tag:prod:22 by tcp/)
  assert.match(out, /title=tailnet-kit gained::dan@corp\.example gains tag:prod:22/)
})

test('a pull request that moves the policy away from where it is judged fails', async () => {
  const place = await cloned(FILES)
  mkdirSync(join(place.work, 'new'))
  git(place.work, 'mv', 'policy.hujson', 'new/policy.hujson')
  writeFileSync(join(place.work, 'new/policy.hujson'), OPENED)
  git(place.work, 'add', '-A')
  git(place.work, 'commit', '-qm', 'move')
  const away = await requested(place)
  assert.deepEqual([away.code, away.outputs.result], [2, 'error'])
  assert.match(away.out, /^::error title=tailnet-kit::cannot read policy\.hujson/m)
  // Where the workflow follows it, the guard that it had does, too.
  const followed = await requested(place, { policy: 'new/policy.hujson' })
  assert.equal(followed.code, 1)
  assert.match(followed.out, GONE)
})

test('a workflow that does not fail by the guard still warns of it, and none makes a warning of a policy that is refused', async () => {
  const place = await cloned(FILES)
  writeFileSync(join(place.work, 'policy.hujson'), OPENED)
  for (const inputs of [{ 'fail-on': 'lost:tag:prod' }, { 'fail-on': '' }]) {
    const lenient = await requested(place, inputs)
    assert.deepEqual([lenient.code, lenient.outputs.result], [0, 'passed'])
    assert.match(lenient.out, new RegExp(`^::warning .*${FAILS.source}dan@corp`, 'm'))
    assert.equal((await requested(place, { ...inputs, 'fail-level': 'warning' })).code, 1)
  }
  writeFileSync(join(place.work, 'policy.hujson'), OPENED.replace('"accept"', '"drop"'))
  assert.equal((await requested(place, { 'fail-on': '' })).code, 1)
})

test('a pull request that makes the guard unreadable fails', async () => {
  const twice = `[${never().replace('"from"', '"from": "nobody@corp.example", "from"')}]`
  for (const text of ['[', '[{"nver": {}}]', '{"never": {}, "never": {}}', '"none"', '\ufeff[]', `\ufeff[${never()}]`, twice]) {
    const place = await cloned(FILES)
    writeFileSync(join(place.work, 'policy.hujson'), OPENED)
    writeFileSync(join(place.work, GUARD), text)
    const { code, out } = await requested(place)
    assert.notEqual(code, 0, `${text}\n${out}`)
    assert.match(out, /^::error /m)
  }
})
