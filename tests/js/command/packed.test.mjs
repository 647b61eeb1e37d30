// The hooks of pre-commit and the job of GitLab, which run the packed file of a release by its checksum: their own entries and script, with the
// tarball under test in its place, without a network. Must not live here: the GitHub action (action.test.mjs).

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hujson } from 'tailnet-kit'
import { folder } from '../command.mjs'
import { GOOD, NEVER, REPOSITORY, git, tool } from './tools.mjs'

const TARBALL = process.env.TAILNET_KIT_TARBALL
const CHECKSUM = createHash('sha256').update(readFileSync(TARBALL)).digest('hex')
const { version } = JSON.parse(readFileSync('node_modules/tailnet-kit/package.json', 'utf8'))
const read = (path) => readFileSync(join(REPOSITORY, path), 'utf8')
const parsed = (path) => tool('yaml').parse(read(path))
const job = parsed('action/gitlab.yml')['tailnet-policy']
const plain = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GITHUB_|CI_|TAILNET_|NODE_TEST)/.test(name)))

/** A repository with the policy in its last commit. */
function repository() {
  const work = folder()
  git(work, 'init', '-q')
  writeFileSync(join(work, 'policy.hujson'), GOOD)
  git(work, 'add', '.')
  git(work, 'commit', '-qm', 'start')
  return work
}

/** The hooks as a release has them; `run` runs one as pre-commit does, in a working folder. */
function hooks(checksum = CHECKSUM) {
  const place = folder()
  mkdirSync(join(place, 'action'))
  writeFileSync(
    join(place, 'action/packed.mjs'),
    read('action/packed.mjs')
      .replace("'unreleased'", `'${checksum}'`)
      .replace(/https:[^`]*/, 'https://127.0.0.1:1/'),
  )
  chmodSync(join(place, 'action/packed.mjs'), 0o755)
  const env = { ...plain, TAILNET_KIT_CACHE: join(place, 'cache') }
  return (id, file, cwd, more = { TAILNET_KIT_PACKED: TARBALL }) => {
    const [script, ...args] = parsed('.pre-commit-hooks.yaml')
      .find((one) => one.id === id)
      .entry.split(' ')
    return spawnSync(join(place, script), [...args, file], { cwd, env: { ...env, ...more }, encoding: 'utf8' })
  }
}

test('all name the version of the package, and the address of its packed file', () => {
  for (const path of ['action/gitlab.yml', 'action/packed.mjs']) {
    const named = [...read(path).matchAll(/(?:\/v|kit-|VERSION = ')(\d+\.\d+\.\d+)/g)].map(([, found]) => found)
    assert.deepEqual([...new Set(named)], [version], path)
    assert.match(read(path), /https:\/\/[^/]+\/[^/]+\/[^/]+\/releases\/download\/v\S+\/tailnet-kit-\S+\.tgz/, path)
  }
})

test('the hooks of pre-commit judge and format the files that they are given', () => {
  const work = repository()
  for (const { id, name, entry, language, files, exclude } of parsed('.pre-commit-hooks.yaml')) {
    assert.ok(id && name && entry && language === 'script')
    assert.ok(new RegExp(files).test('a/policy.hujson') && !new RegExp(files).test('policy.json'))
    // A change of the guard alone is judged, and a guard is no policy to lay out.
    const takes = (path) => new RegExp(files).test(path) && !(exclude && new RegExp(exclude).test(path))
    assert.deepEqual([takes('policy.hujson'), takes('a/tailnet.guard.hujson')], [true, id === 'tailnet-kit-check'], id)
  }
  const hook = hooks()
  const good = hook('tailnet-kit-check', 'policy.hujson', work)
  assert.deepEqual([good.status, good.stdout, good.stderr], [0, 'accepted\n', ''])
  writeFileSync(join(work, 'tailnet.guard.hujson'), NEVER.replace('443', '80'))
  const guarded = hook('tailnet-kit-check', 'tailnet.guard.hujson', work)
  assert.equal(guarded.status, 1)
  assert.match(guarded.stdout, /^policy\.hujson:6:3: error: never \* -> tag:web:80: .* \[guard\]$/m)
  writeFileSync(join(work, 'policy.hujson'), `${GOOD}\n\n`)
  assert.equal(hook('tailnet-kit-fmt', 'policy.hujson', work).status, 0)
  assert.equal(readFileSync(join(work, 'policy.hujson'), 'utf8'), hujson.format(GOOD))
})

test('a hook asks for its packed file once, and runs without a network in under two seconds then', (context) => {
  const [work, hook] = [repository(), hooks()]
  const absent = hook('tailnet-kit-check', 'policy.hujson', work, {})
  assert.equal(absent.status, 2)
  assert.match(absent.stderr, /^tailnet-kit: fetch failed: /)
  assert.equal(hook('tailnet-kit-check', 'policy.hujson', work).status, 0)
  const began = performance.now()
  assert.equal(hook('tailnet-kit-check', 'policy.hujson', work, {}).status, 0)
  const took = Math.round(performance.now() - began)
  context.diagnostic(`hook: ${took} ms from start to verdict (aim: 2000)`)
})

test('a hook runs no other file than the one of its checksum, and none before a release', () => {
  const work = repository()
  const other = hooks('0'.repeat(64))('tailnet-kit-check', 'policy.hujson', work)
  assert.deepEqual([other.status, other.stdout], [2, ''])
  assert.equal(other.stderr, `tailnet-kit: the packed file of ${version} has the checksum ${CHECKSUM}, not ${'0'.repeat(64)}: it is another file\n`)
  const none = hooks('unreleased')('tailnet-kit-check', 'policy.hujson', work)
  assert.deepEqual([none.status, none.stderr], [2, 'tailnet-kit: nothing is released yet, so there is no packed file to run\n'])
})

/** Runs the job's script as GitLab does, in a repository whose cache has a packed file, with these variables; `sh` has the words of its script. */
function piped(work, variables, packed = TARBALL) {
  mkdirSync(join(work, '.tailnet-kit'), { recursive: true })
  copyFileSync(packed, join(work, '.tailnet-kit/packed.tgz'))
  rmSync(join(work, job.artifacts.reports.codequality), { force: true })
  const env = { ...plain, ...job.variables, TAILNET_KIT_CHECKSUM: CHECKSUM, CI_PROJECT_DIR: work, CI_DEFAULT_BRANCH: 'main', ...variables }
  return spawnSync('sh', ['-ec', job.script.join('\n')], { cwd: work, env, encoding: 'utf8' })
}
const headOf = (work) => git(work, 'rev-parse', 'HEAD').trim()
const NOTHING = '0'.repeat(40)

test('the template of GitLab is a job for merge requests, pushes and new branches, with a report', () => {
  assert.equal(job.variables.GIT_DEPTH, 0)
  assert.equal(job.artifacts.when, 'always')
  assert.deepEqual(job.cache.paths, ['.tailnet-kit/'])
  const runs = job.rules.filter(({ when }) => when !== 'never').map((rule) => rule.if)
  assert.deepEqual(runs, ['$CI_PIPELINE_SOURCE == "merge_request_event"', '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH'])
})

test('the script of GitLab leaves the report and fails a wrong change', () => {
  const work = repository()
  const request = { CI_MERGE_REQUEST_DIFF_BASE_SHA: headOf(work), CI_COMMIT_BEFORE_SHA: NOTHING }
  const run = (options = '') => piped(work, { ...request, TAILNET_KIT_OPTIONS: options })
  const untouched = run()
  assert.equal(untouched.status, 0, untouched.stderr)
  writeFileSync(join(work, 'policy.hujson'), GOOD.replace(':80', ':80,443'))
  assert.equal(run('--fail-on gained:tag:web').status, 1)
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
  request.CI_MERGE_REQUEST_DIFF_BASE_SHA = headOf(work)
  assert.equal(run().status, 1)
  request.CI_MERGE_REQUEST_LABELS = 'urgent,allow-guard-change'
  assert.equal(run().status, 0)
  // The merge request that brings the policy.
  writeFileSync(join(work, 'first.hujson'), GOOD)
  request.TAILNET_POLICY = 'first.hujson'
  assert.equal(run().status, 0)
})

test('on GitLab a push is judged by the guard of what it replaces, a new branch by that of the default branch', () => {
  const work = repository()
  writeFileSync(join(work, 'tailnet.guard.hujson'), NEVER)
  git(work, 'add', '.')
  git(work, 'commit', '-qm', 'guarded')
  const before = headOf(work)
  git(work, 'update-ref', 'refs/remotes/origin/main', before)
  rmSync(join(work, 'tailnet.guard.hujson'))
  writeFileSync(join(work, 'policy.hujson'), GOOD.replace(':80', ':443'))
  git(work, 'commit', '-qam', 'change')
  const gone = /error: never \* -> tag:web:443: no longer in the guard; .* \[guard-changed\]$/m
  for (const variables of [
    { CI_COMMIT_BRANCH: 'main', CI_COMMIT_BEFORE_SHA: before },
    { CI_COMMIT_BRANCH: 'change', CI_COMMIT_BEFORE_SHA: NOTHING },
  ]) {
    const { status, stdout } = piped(work, variables)
    assert.equal(status, 1)
    assert.match(stdout, gone)
  }
  // The first push of all has no guard before it.
  assert.match(piped(work, { CI_COMMIT_BRANCH: 'main', CI_COMMIT_BEFORE_SHA: NOTHING }).stdout, /accepted\n$/)
})

test('on GitLab a merge request is judged as it would be merged, by the guard that the target has by now', () => {
  const work = repository()
  git(work, 'checkout', '-q', '-b', 'change')
  writeFileSync(join(work, 'policy.hujson'), GOOD.replace(':80', ':80,443'))
  git(work, 'commit', '-qam', 'change')
  // The guard came after the branch, which so has none, and takes none away.
  git(work, 'checkout', '-q', 'main')
  writeFileSync(join(work, 'tailnet.guard.hujson'), NEVER)
  git(work, 'add', 'tailnet.guard.hujson')
  git(work, 'commit', '-qm', 'guarded')
  git(work, 'update-ref', 'refs/remotes/origin/main', headOf(work))
  const request = {
    CI_PROJECT_PATH: 'a/b',
    CI_MERGE_REQUEST_PROJECT_PATH: 'a/b',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: git(work, 'rev-parse', 'main~1').trim(),
    CI_COMMIT_BEFORE_SHA: NOTHING,
  }
  git(work, 'checkout', '-q', '--detach', 'change')
  const { status, stdout } = piped(work, request)
  assert.equal(status, 1, stdout)
  assert.match(stdout, /error: never \* -> tag:web:443: .* \[guard\]$/m)
  // In a fork, whose branches say nothing of the target, by what it starts from.
  git(work, 'checkout', '-q', '--detach', 'change')
  assert.equal(piped(work, { ...request, CI_PROJECT_PATH: 'fork/b' }).status, 0)
  // One that cannot be merged.
  git(work, 'checkout', '-q', '--detach', 'change')
  writeFileSync(join(work, 'tailnet.guard.hujson'), '[]')
  git(work, 'add', 'tailnet.guard.hujson')
  git(work, 'commit', '-qm', 'none')
  const apart = piped(work, request)
  assert.equal(apart.status, 1)
  assert.match(apart.stdout, /^tailnet-kit: origin\/main cannot be merged into this, so nothing can be judged; merge it, or rebase$/m)
})

test('the script of GitLab runs no other file than the one of its checksum', () => {
  const work = repository()
  const other = join(folder(), 'packed.tgz')
  writeFileSync(other, 'another file')
  const { status, stdout } = piped(work, { CI_COMMIT_BRANCH: 'main', CI_COMMIT_BEFORE_SHA: NOTHING }, other)
  assert.equal(status, 1)
  assert.match(stdout, /packed\.tgz: FAILED/)
})
