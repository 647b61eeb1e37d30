// The GitHub action as a release makes it, run for each event without a network: what it compares with, its outputs, its comment. Must not live
// here: how a runner runs it (`workflow.mjs`), pull requests that try to get past the guard (hostile.test.mjs), other services (packed.test.mjs).

import assert from 'node:assert/strict'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { GOOD, NEVER, REPOSITORY, git, tool } from './tools.mjs'
import { ACTION, cloned, pushed, requested } from './workflow.mjs'

const yaml = tool('yaml')
const read = (path) => readFileSync(join(REPOSITORY, path), 'utf8')
const { version } = JSON.parse(readFileSync('node_modules/tailnet-kit/package.json', 'utf8'))
const WIDER = GOOD.replace(':80', ':80,8080')
const WRONG = GOOD.replace(':80', ':80,443')
const GUARDED = { 'policy.hujson': GOOD, 'tailnet.guard.hujson': NEVER }

test('a release makes a folder in which the action stands at the root, with the command in one file', () => {
  const files = ['LICENSE', 'LICENSE-APACHE', 'LICENSE-MIT', 'NOTICES', 'README.md', 'action.yml', 'main.mjs', 'tailnet-kit.mjs']
  assert.deepEqual(readdirSync(ACTION).sort(), files)
  const { runs, outputs } = yaml.parse(read('action/action.yml'))
  assert.deepEqual(runs, { using: 'node24', main: 'main.mjs' })
  assert.deepEqual(Object.keys(outputs), ['result', 'gained', 'lost', 'undecided', 'report'])
  for (const name of ['main.mjs', 'tailnet-kit.mjs']) {
    const asked = [...readFileSync(join(ACTION, name), 'utf8').matchAll(/^import .* from ["']([^"']+)["']/gm)].map(([, from]) => from)
    assert.deepEqual(
      asked.filter((from) => !from.startsWith('node:') && !['fs', 'module', 'path', 'url', 'util', 'os', 'net', 'crypto'].includes(from)),
      [],
      name,
    )
  }
})

test('its page names the version of the package', () => {
  const named = [...read('action/README.md').matchAll(/(?:tailnet-kit@action-v|rev: v)(\d+\.\d+\.\d+)/g)].map(([, found]) => found)
  assert.deepEqual([...new Set(named)], [version])
})

test('a push is judged, and its findings are annotations and in the summary', async () => {
  const place = await cloned({ 'policy.hujson': GOOD })
  const passed = await pushed(place)
  assert.equal(passed.code, 0, passed.out)
  assert.match(passed.out, /^accepted\npassed\n/)
  const report = join(place.temp, 'tailnet-kit.sarif')
  assert.deepEqual(passed.outputs, { result: 'passed', gained: '', lost: '', undecided: '', report })
  assert.deepEqual(place.api.calls, [])
  writeFileSync(join(place.work, 'policy.hujson'), GOOD.replace('"accept"', '"drop"'))
  const { code, out, outputs } = await pushed(place)
  assert.deepEqual([code, outputs.result], [1, 'failed'])
  assert.match(out, /^::error file=policy\.hujson,line=6,col=14,endColumn=20,/m)
  assert.match(readFileSync(place.env.GITHUB_STEP_SUMMARY, 'utf8'), /policy\.hujson:6:14: /)
  assert.equal(JSON.parse(readFileSync(report, 'utf8')).runs[0].results[0].ruleId, 'invalid_action')
})

test('on a push the guard beside the policy counts', async () => {
  const place = await cloned(GUARDED)
  assert.match((await pushed(place)).out, /^accepted; 1 of 1 guards hold\n/m)
  writeFileSync(join(place.work, 'policy.hujson'), WRONG)
  assert.equal((await pushed(place)).code, 1)
})

test('a push is judged by the guard of what it replaced, too, unless its pull request was allowed to change it', async () => {
  const place = await cloned(GUARDED)
  const before = git(place.work, 'rev-parse', 'HEAD').trim()
  writeFileSync(join(place.work, 'policy.hujson'), WRONG)
  git(place.work, 'rm', '-q', 'tailnet.guard.hujson')
  git(place.work, 'commit', '-qam', 'change')
  const { code, out } = await pushed(place, { before })
  assert.equal(code, 1, out)
  assert.match(out, /^::error file=policy\.hujson,line=6,col=3,.*title=tailnet-kit guard-changed::never \* -> tag:web:443: no longer in the guard; /m)
  assert.deepEqual(place.api.calls, ['GET /repos/a/b/commits/ab12/pulls'])
  const labels = [{ name: 'allow-guard-change' }]
  place.api.pulls = [{ merged_at: null, labels }]
  assert.equal((await pushed(place, { before })).code, 1)
  place.api.pulls = [{ merged_at: '2026-11-26T03:50:00Z', labels }]
  assert.equal((await pushed(place, { before })).code, 0)
  const unknown = await pushed(place, { before: 'ab'.repeat(20) })
  assert.deepEqual([unknown.code, unknown.outputs], [2, { result: 'error' }])
  assert.match(
    unknown.out,
    /^::error title=tailnet-kit::what was there before this push \((ab){20}\) cannot be fetched, so its guard is unknown%0Aname a revision as `base`$/m,
  )
})

test('a new branch and a merge queue are judged by the guard of the branch that they start from', async () => {
  const place = await cloned(GUARDED)
  const before = git(place.work, 'rev-parse', 'HEAD').trim()
  writeFileSync(join(place.work, 'policy.hujson'), WRONG)
  rmSync(join(place.work, 'tailnet.guard.hujson'))
  git(place.work, 'commit', '-qam', 'change')
  const gone = /title=tailnet-kit guard-changed::never \* -> tag:web:443: no longer in the guard; /
  const fresh = await pushed(place, { before: '0'.repeat(40), ref: 'refs/heads/change' })
  assert.equal(fresh.code, 1)
  assert.match(fresh.out, gone)
  const queue = { base_sha: before, head_ref: `refs/heads/gh-readonly-queue/main/pr-7-${before}` }
  const queued = await pushed(place, { name: 'merge_group', merge_group: queue })
  assert.equal(queued.code, 1)
  assert.match(queued.out, gone)
  // What a reviewer allowed in the pull request passes the queue, too.
  place.api.labels = [{ name: 'allow-guard-change' }]
  assert.equal((await pushed(place, { name: 'merge_group', merge_group: queue })).code, 0)
  assert.equal((await pushed(place, { name: 'merge_group', merge_group: { ...queue, head_ref: 'refs/heads/main' } })).code, 1)
  // The first push of all replaces nothing, and starts from nothing.
  assert.equal((await pushed(place, { before: '0'.repeat(40), ref: 'refs/heads/main' })).code, 0)
})

test('a policy that is new is checked, by the guard too', async () => {
  const place = await cloned({ 'README.md': 'none', 'tailnet.guard.hujson': NEVER })
  writeFileSync(join(place.work, 'policy.hujson'), GOOD)
  const { code, out } = await requested(place)
  assert.equal(code, 0, out)
  assert.match(out, /^origin\/main:policy\.hujson is not there, so this policy is new: accepted; 1 of 1 guards hold$/m)
  writeFileSync(join(place.work, 'policy.hujson'), WRONG)
  assert.equal((await requested(place)).code, 1)
})

test('a pull request that takes out of the guard what it breaks fails, unless it is allowed by input or label', async () => {
  const place = await cloned(GUARDED)
  writeFileSync(join(place.work, 'policy.hujson'), WRONG)
  rmSync(join(place.work, 'tailnet.guard.hujson'))
  const { code, out } = await requested(place)
  assert.equal(code, 1)
  assert.match(out, /^::error file=policy\.hujson,line=6,col=3,.*title=tailnet-kit guard-changed::never \* -> tag:web:443: no longer in the guard; /m)
  assert.match(place.api.comments[0].body, /\*\*error\*\* .* no longer in the guard; .* \[`guard-changed`\]\(https:/)
  assert.equal((await requested(place, { 'allow-guard-change': 'true' })).code, 0)
  assert.deepEqual([(await requested(place, {}, ['allow-guard-change', 'x'])).code, (await requested(place, {}, ['x'])).code], [0, 1])
  assert.match(place.api.comments[0].body, /no longer in the guard/)
})

test('a base that is no revision fails, as nothing would be reviewed', async () => {
  const place = await cloned({ 'policy.hujson': GOOD })
  const { code, out, outputs } = await pushed(place, {}, { base: 'mian' })
  assert.deepEqual([code, outputs], [2, { result: 'error', gained: '', lost: '', undecided: '', report: '' }])
  assert.match(
    out,
    /^::error title=tailnet-kit::no version of policy\.hujson at mian; name BASE: .*%0Afetch the revision first: actions\/checkout with `fetch-depth: 0`/m,
  )
  assert.equal((await pushed(place, {}, { base: 'HEAD' })).code, 0)
})

test('a pull request gets one comment, and a wrong change fails at its line', async () => {
  const place = await cloned(GUARDED)
  writeFileSync(join(place.work, 'policy.hujson'), WIDER)
  const gained = await requested(place)
  assert.equal(gained.code, 0, gained.out)
  assert.deepEqual([gained.outputs.result, gained.outputs.gained, gained.outputs.lost, gained.outputs.undecided], ['passed', '1', '0', '0'])
  assert.match(place.api.comments[0].body, /^<!-- tailnet-kit -->\n### tailnet-kit review: passed/)
  assert.match(place.api.comments[0].body, /ann@corp\.example/)
  writeFileSync(join(place.work, 'policy.hujson'), WRONG)
  const wrong = await requested(place)
  assert.deepEqual([wrong.code, wrong.outputs.result], [1, 'failed'])
  assert.match(wrong.out, /^::error file=policy\.hujson,line=6,col=3,.*title=tailnet-kit guard::/m)
  assert.match(place.api.calls.at(-1), /^PATCH \/repos\/a\/b\/issues\/comments\/42$/)
  assert.deepEqual(place.api.comments.length, 1)
  assert.equal((await requested(place, { 'fail-on': 'lockout' })).code, 0)
})

test('a pull request about other things gets no comment, and keeps an earlier one up to date', async () => {
  const place = await cloned({ 'policy.hujson': GOOD, 'README.md': 'one' })
  writeFileSync(join(place.work, 'README.md'), 'two')
  const { code, out } = await requested(place)
  assert.equal(code, 0, out)
  assert.deepEqual(place.api.comments, [])
  place.api.comments.push({ id: 42, body: '<!-- tailnet-kit -->\nold' })
  assert.equal((await requested(place)).code, 0)
  assert.match(place.api.comments[0].body, /### tailnet-kit review: passed/)
})

test('a guard that cannot be read fails, and leaves no empty comment', async () => {
  const place = await cloned({ 'policy.hujson': GOOD, 'tailnet.guard.hujson': '[{"nver": {}}]' })
  const { code, out } = await requested(place)
  assert.equal(code, 2, out)
  assert.match(out, /^::error file=tailnet\.guard\.hujson,line=1,col=3,title=tailnet-kit::tailnet\.guard\.hujson: line 1, column 3: unknown key "nver"/m)
  assert.deepEqual(place.api.calls, [])
})

test('for a fork, whose token cannot write, the review is in the summary', async () => {
  const place = await cloned({ 'policy.hujson': GOOD })
  place.api.isReadonly = true
  writeFileSync(join(place.work, 'policy.hujson'), WIDER)
  const { code, out } = await requested(place)
  assert.equal(code, 0, out)
  assert.match(out, /^::notice::no comment could be written/m)
  assert.match(readFileSync(place.env.GITHUB_STEP_SUMMARY, 'utf8'), /### tailnet-kit review: passed/)
})

test('the source of the action, which lacks the command, says where the action is', async () => {
  const place = await cloned({ 'policy.hujson': GOOD })
  const { code, out } = await pushed(place, {}, {}, join(REPOSITORY, 'action'))
  assert.equal(code, 2)
  assert.match(out, /^::error title=tailnet-kit::this is the source of the action, without the command%0Ause the branch /)
})

test('the guard that its page shows is one, and fails a change at its line', async () => {
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
  const place = await cloned({ 'policy.hujson': policy('80'), 'most.hujson': policy('20-80'), 'tailnet.guard.hujson': guard })
  assert.match((await requested(place)).out, /^the edit changes no meaning; 4 of 4 guards hold$/m)
  writeFileSync(join(place.work, 'policy.hujson'), policy('22'))
  assert.match(
    (await requested(place)).out,
    /^::error file=policy\.hujson,line=6,.*::never group:dev -> tag:prod:22: .*%0Adevelopers deploy by the pipeline; tailnet\.guard\.hujson:2$/m,
  )
})
