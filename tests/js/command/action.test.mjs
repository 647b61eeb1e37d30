// The GitHub action, the hooks of pre-commit and the template of GitLab, run as far as possible without a network: their own steps,
// entries and scripts, with `npx` finding the installed package and a recorder in place of `gh`. Must not live here: how a step runs.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { hujson } from 'tailnet-kit'
import { folder } from '../command.mjs'
import { GOOD, REPOSITORY, git, tool } from './tools.mjs'
import { perform } from './workflow.mjs'

const yaml = tool('yaml')
const read = (path) => readFileSync(join(REPOSITORY, path), 'utf8')
const action = yaml.parse(read('action/action.yml'))
const { version } = JSON.parse(readFileSync('node_modules/tailnet-kit/package.json', 'utf8'))

const NEVER = '[{"never": {"from": "*", "to": "tag:web", "ports": "443"}}]'

/** A repository with an origin whose `main` has these files, checked out as for a pull request, and the other files of a runner. */
function repository(files) {
  const place = folder()
  const [origin, work, temp, bin] = ['origin', 'work', 'temp', 'bin'].map((name) => join(place, name))
  for (const path of [origin, temp, bin]) mkdirSync(path)
  git(origin, 'init', '-q')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(origin, name), text)
  git(origin, 'add', '.')
  git(origin, 'commit', '-qm', 'start')
  git(place, 'clone', '-q', '--depth=1', `file://${origin}`, 'work')
  git(work, 'checkout', '-q', '-b', 'change')
  symlinkSync(resolve('node_modules'), join(work, 'node_modules'))
  // Answers a search for a comment with what is in `comment`, for a label with what is in `labelled`, and records all calls.
  writeFileSync(
    join(bin, 'gh'),
    `#!/bin/sh\necho "$*" >> ${place}/calls\ncase "$*" in *commits/*) cat ${place}/labelled 2>/dev/null || true;; *--jq*) cat ${place}/comment 2>/dev/null || true;; *) [ ! -f ${place}/readonly ];; esac\n`,
  )
  chmodSync(join(bin, 'gh'), 0o755)
  const kept = Object.entries(process.env).filter(([name]) => !/^(GITHUB_|CI_|TAILNET_|NODE_TEST)/.test(name))
  const env = {
    ...Object.fromEntries(kept),
    PATH: `${bin}:${process.env.PATH}`,
    npm_config_offline: 'true',
    npm_config_cache: join(temp, 'npm'),
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: work,
    GITHUB_REPOSITORY: 'a/b',
    GITHUB_STEP_SUMMARY: join(temp, 'summary.md'),
    RUNNER_TEMP: temp,
  }
  return { place, work, temp, env, calls: () => (existsSync(join(place, 'calls')) ? readFileSync(join(place, 'calls'), 'utf8') : '') }
}

const pushed = ({ work, temp, env }, inputs, before) =>
  perform(action, { inputs, github: { event_name: 'push', event: { before } }, env: { ...env, GITHUB_SHA: 'ab12' }, cwd: work, place: temp })
const requested = ({ work, temp, env }, inputs, labels = []) =>
  perform(action, {
    inputs,
    github: { event_name: 'pull_request', base_ref: 'main', event: { pull_request: { number: 7, labels: labels.map((name) => ({ name })) } } },
    env: { ...env, GITHUB_BASE_REF: 'main' },
    cwd: work,
    place: temp,
  })

test('all name the version of the package', () => {
  assert.equal(String(action.inputs.version.default), version)
  for (const path of ['action/gitlab.yml', '.pre-commit-hooks.yaml', 'action/README.md']) {
    const named = [...read(path).matchAll(/(?:tailnet-kit@|action@v|rev: v)(\d+\.\d+\.\d+)/g)].map(([, found]) => found)
    assert.deepEqual([...new Set(named)], [version], path)
  }
})

test('on a push the action checks the policy', () => {
  const good = repository({ 'policy.hujson': GOOD })
  const passed = pushed(good)
  assert.equal(passed.code, 0, passed.out)
  assert.match(passed.out, /^accepted\npassed\n/)
  assert.equal(good.calls(), '')
  writeFileSync(join(good.work, 'policy.hujson'), GOOD.replace('"accept"', '"drop"'))
  const { code, out } = pushed(good)
  assert.equal(code, 1)
  assert.match(out, /^::error file=policy\.hujson,line=6,col=14,endColumn=20,/m)
  assert.match(readFileSync(good.env.GITHUB_STEP_SUMMARY, 'utf8'), /policy\.hujson:6:14: /)
})

test('on a push the guard beside the policy counts', () => {
  const { work, ...place } = repository({ 'policy.hujson': GOOD, 'tailnet.guard.hujson': NEVER })
  assert.match(pushed({ work, ...place }).out, /^accepted; 1 of 1 guards hold\n/m)
  writeFileSync(join(work, 'policy.hujson'), GOOD.replace(':80', ':443'))
  assert.deepEqual(pushed({ work, ...place }).code, 1)
})

test('a push is judged by the guard of what it replaced, too, unless its pull request was allowed to change it', () => {
  const place = repository({ 'policy.hujson': GOOD, 'tailnet.guard.hujson': NEVER })
  const before = git(place.work, 'rev-parse', 'HEAD').trim()
  writeFileSync(join(place.work, 'policy.hujson'), GOOD.replace(':80', ':443'))
  git(place.work, 'rm', '-q', 'tailnet.guard.hujson')
  git(place.work, 'commit', '-qam', 'change')
  const { code, out } = pushed(place, {}, before)
  assert.equal(code, 1, out)
  assert.match(out, /^::error file=policy\.hujson,line=6,col=3,.*title=tailnet-kit guard-changed::never \* -> tag:web:443: no longer in the guard; /m)
  assert.match(place.calls(), /^api repos\/a\/b\/commits\/ab12\/pulls --jq any\(.*merged_at/m)
  writeFileSync(join(place.place, 'labelled'), 'true\n')
  assert.equal(pushed(place, {}, before).code, 0)
  assert.equal(pushed(place, {}, '0'.repeat(40)).code, 0)
  const unknown = pushed(place, {}, 'ab'.repeat(20))
  assert.equal(unknown.code, 2)
  assert.match(unknown.out, /^::error title=tailnet-kit::what was there before this push \((ab){20}\) cannot be fetched, so its guard is unknown/m)
})

test('a policy that is new is checked, by the guard too', () => {
  const place = repository({ 'README.md': 'none', 'tailnet.guard.hujson': NEVER })
  writeFileSync(join(place.work, 'policy.hujson'), GOOD)
  const { code, out } = requested(place)
  assert.equal(code, 0, out)
  assert.match(out, /^origin\/main:policy\.hujson is not there, so this policy is new: accepted; 1 of 1 guards hold$/m)
  writeFileSync(join(place.work, 'policy.hujson'), GOOD.replace(':80', ':443'))
  assert.equal(requested(place).code, 1)
})

test('a pull request that takes out of the guard what it breaks fails, unless it is allowed by input or label', () => {
  const place = repository({ 'policy.hujson': GOOD, 'tailnet.guard.hujson': NEVER })
  writeFileSync(join(place.work, 'policy.hujson'), GOOD.replace(':80', ':443'))
  rmSync(join(place.work, 'tailnet.guard.hujson'))
  const { code, out } = requested(place)
  assert.equal(code, 1)
  assert.match(out, /^::error file=policy\.hujson,line=6,col=3,.*title=tailnet-kit guard-changed::never \* -> tag:web:443: no longer in the guard; /m)
  assert.match(readFileSync(join(place.temp, 'tailnet-kit.md'), 'utf8'), /\*\*error\*\* .* no longer in the guard; .* `guard-changed`/)
  assert.equal(requested(place, { 'allow-guard-change': 'true' }).code, 0)
  assert.deepEqual([requested(place, {}, ['allow-guard-change', 'x']).code, requested(place, {}, ['x']).code], [0, 1])
  assert.match(readFileSync(join(place.temp, 'tailnet-kit.md'), 'utf8'), /no longer in the guard/)
})

test('a base that is no revision fails, as nothing would be reviewed', () => {
  const place = repository({ 'policy.hujson': GOOD })
  const { code, out } = pushed(place, { base: 'mian' })
  assert.equal(code, 2, out)
  assert.match(
    out,
    /^::error title=tailnet-kit::no version of policy\.hujson at mian; name BASE: .*%0Afetch the revision first: actions\/checkout with `fetch-depth: 0`/m,
  )
  assert.equal(pushed(place, { base: 'HEAD' }).code, 0)
})

test('a pull request gets one comment, and a wrong change fails at its line', () => {
  const place = repository({ 'policy.hujson': GOOD, 'tailnet.guard.hujson': NEVER })
  writeFileSync(join(place.work, 'policy.hujson'), GOOD.replace(':80', ':80,8080'))
  const gained = requested(place)
  assert.equal(gained.code, 0, gained.out)
  const comment = readFileSync(join(place.temp, 'tailnet-kit.md'), 'utf8')
  assert.match(comment, /^<!-- tailnet-kit -->\n### tailnet-kit review: passed/)
  assert.match(comment, /ann@corp\.example/)
  assert.match(place.calls(), /--method POST repos\/a\/b\/issues\/7\/comments -F body=@/)
  writeFileSync(join(place.place, 'comment'), '42\n')
  writeFileSync(join(place.work, 'policy.hujson'), GOOD.replace(':80', ':80,443'))
  const wrong = requested(place)
  assert.equal(wrong.code, 1)
  assert.match(wrong.out, /^::error file=policy\.hujson,line=6,col=3,.*title=tailnet-kit guard::/m)
  assert.match(place.calls(), /--method PATCH repos\/a\/b\/issues\/comments\/42 -F body=@/)
  assert.equal(requested(place, { 'fail-on': 'lockout' }).code, 0)
})

test('a pull request about other things gets no comment, and keeps an earlier one up to date', () => {
  const place = repository({ 'policy.hujson': GOOD, 'README.md': 'one' })
  writeFileSync(join(place.work, 'README.md'), 'two')
  const { code, out } = requested(place)
  assert.equal(code, 0, out)
  assert.doesNotMatch(place.calls(), /--method/)
  writeFileSync(join(place.place, 'comment'), '42\n')
  assert.equal(requested(place).code, 0)
  assert.match(place.calls(), /--method PATCH repos\/a\/b\/issues\/comments\/42 /)
})

test('a guard that cannot be read fails, and leaves no empty comment', () => {
  const place = repository({ 'policy.hujson': GOOD, 'tailnet.guard.hujson': '[{"nver": {}}]' })
  const { code, out } = requested(place)
  assert.equal(code, 2, out)
  assert.match(out, /^::error file=tailnet\.guard\.hujson,line=1,col=3,title=tailnet-kit::tailnet\.guard\.hujson: line 1, column 3: unknown key "nver"/m)
  assert.equal(place.calls(), '')
})

test('for a fork, whose token cannot write, the review is in the summary', () => {
  const place = repository({ 'policy.hujson': GOOD })
  writeFileSync(join(place.place, 'readonly'), '')
  writeFileSync(join(place.work, 'policy.hujson'), GOOD.replace(':80', ':80,8080'))
  const { code, out } = requested(place)
  assert.equal(code, 0, out)
  assert.match(out, /^::notice::no comment could be written/m)
  assert.match(readFileSync(place.env.GITHUB_STEP_SUMMARY, 'utf8'), /### tailnet-kit review: passed/)
})

test('the guard that the README shows is one, and fails a change at its line', () => {
  const [, guard] = /^```hujson\n(.*?)^```$/ms.exec(read('action/README.md'))
  const policy = (ports) => `{
	"groups": {"group:dev": ["dan@corp.example"], "group:ops": ["ann@corp.example"]},
	"tagOwners": {"tag:prod": []},
	"acls": [
		{"action": "accept", "src": ["group:ops"], "dst": ["tag:prod:443"]},
		{"action": "accept", "src": ["group:dev"], "dst": ["tag:prod:${ports}"]},
	],
}
`
  const place = repository({ 'policy.hujson': policy('80'), 'most.hujson': policy('20-80'), 'tailnet.guard.hujson': guard })
  const held = requested(place)
  assert.match(held.out, /^the edit changes no meaning; 4 of 4 guards hold$/m)
  writeFileSync(join(place.work, 'policy.hujson'), policy('22'))
  assert.match(
    requested(place).out,
    /^::error file=policy\.hujson,line=6,.*::never group:dev -> tag:prod:22: .*%0Adevelopers deploy by the pipeline; tailnet\.guard\.hujson:2$/m,
  )
})

test('the hooks of pre-commit judge and format the files that they are given', () => {
  const { work, env } = repository({ 'policy.hujson': GOOD })
  const hooks = yaml.parse(read('.pre-commit-hooks.yaml'))
  for (const { id, name, entry, language, files, exclude } of hooks) {
    assert.ok(id && name && entry && language === 'system')
    assert.ok(new RegExp(files).test('a/policy.hujson') && !new RegExp(files).test('policy.json'))
    // A change of the guard alone is judged, and a guard is no policy to lay out.
    const takes = (path) => new RegExp(files).test(path) && !(exclude && new RegExp(exclude).test(path))
    assert.deepEqual([takes('policy.hujson'), takes('a/tailnet.guard.hujson')], [true, id === 'tailnet-kit-check'], id)
  }
  const hook = (id, file = 'policy.hujson') =>
    spawnSync('sh', ['-c', `${hooks.find((one) => one.id === id).entry} ${file}`], { cwd: work, env: { ...env, GITHUB_ACTIONS: '' }, encoding: 'utf8' })
  assert.deepEqual([hook('tailnet-kit-check').status, hook('tailnet-kit-check').stdout], [0, 'accepted\n'])
  writeFileSync(join(work, 'tailnet.guard.hujson'), NEVER.replace('443', '80'))
  const guarded = hook('tailnet-kit-check', 'tailnet.guard.hujson')
  assert.equal(guarded.status, 1)
  assert.match(guarded.stdout, /^policy\.hujson:6:3: error: never \* -> tag:web:80: .* \[guard\]$/m)
  writeFileSync(join(work, 'policy.hujson'), `${GOOD}\n\n`)
  assert.equal(hook('tailnet-kit-fmt').status, 0)
  assert.equal(readFileSync(join(work, 'policy.hujson'), 'utf8'), hujson.format(GOOD))
})

test('the template of GitLab is a job with a report', () => {
  const { 'tailnet-policy': job } = yaml.parse(read('action/gitlab.yml'))
  assert.equal(job.variables.GIT_DEPTH, 0)
  const report = job.artifacts.reports.codequality
  assert.equal(job.artifacts.when, 'always')
  assert.ok(job.script.some((line) => line.includes(`--format gitlab > ${report} `)))
})

test('the script of GitLab leaves the report and fails a wrong change', () => {
  const { work, env } = repository({ 'policy.hujson': GOOD })
  const { 'tailnet-policy': job } = yaml.parse(read('action/gitlab.yml'))
  const base = git(work, 'rev-parse', 'HEAD').trim()
  const variables = { ...job.variables, CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_PROJECT_DIR: work, GITHUB_ACTIONS: '' }
  const run = (options = '') =>
    spawnSync('sh', ['-ec', job.script.join('\n')], { cwd: work, env: { ...env, ...variables, TAILNET_KIT_OPTIONS: options }, encoding: 'utf8' })
  assert.equal(run().status, 0)
  writeFileSync(join(work, 'policy.hujson'), GOOD.replace(':80', ':80,443'))
  const wrong = run('--fail-on gained:tag:web')
  assert.equal(wrong.status, 1)
  const entries = JSON.parse(readFileSync(join(work, job.artifacts.reports.codequality), 'utf8'))
  assert.ok(entries.some(({ check_name, severity, location }) => check_name === 'gained' && severity === 'major' && location.lines.begin === 6))
  writeFileSync(join(work, 'tailnet.guard.hujson'), '[{"may": {}}]')
  const faulty = run('--guard tailnet.guard.hujson')
  assert.deepEqual([faulty.status, existsSync(join(work, job.artifacts.reports.codequality))], [2, false])
  assert.match(faulty.stderr, /tailnet\.guard\.hujson: line 1, column 3: unknown key "may"\n$/)
  // The guard is found; one that a change leaves out counts until a label says otherwise.
  writeFileSync(join(work, 'tailnet.guard.hujson'), NEVER)
  assert.equal(run().status, 1)
  git(work, 'add', 'tailnet.guard.hujson')
  git(work, 'commit', '-qm', 'guarded')
  rmSync(join(work, 'tailnet.guard.hujson'))
  variables.CI_MERGE_REQUEST_DIFF_BASE_SHA = git(work, 'rev-parse', 'HEAD').trim()
  assert.equal(run().status, 1)
  variables.CI_MERGE_REQUEST_LABELS = 'urgent,allow-guard-change'
  assert.equal(run().status, 0)
  // The merge request that brings the policy.
  writeFileSync(join(work, 'first.hujson'), GOOD)
  variables.TAILNET_POLICY = 'first.hujson'
  assert.equal(run().status, 0)
})
