// The guard of a policy in `review` and `check`: which one counts, how it changed, and what fails by it. Must not live here: the form of a
// review (review.test.mjs), whether an assertion holds (tests/policy/prove).

import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { file, folder, run } from '../command.mjs'
import { BAD, GOOD, git } from './tools.mjs'

const NEVER = '{"never": {"from": "*", "to": "tag:web", "ports": "443"}, "why": "TLS ends elsewhere"}'
const ONLY = '{"only": {"from": ["group:ops"], "to": "tag:web"}}'
const WIDER = GOOD.replace(':80', ':80,443')

/** A repository with these files in its last commit. */
function repository(files) {
  const place = folder()
  git(place, 'init', '-q')
  put(place, files)
  git(place, 'add', '.')
  git(place, 'commit', '-qm', 'start')
  return place
}

const put = (place, files) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(place, name, '..'), { recursive: true })
    writeFileSync(join(place, name), text)
  }
}

const command =
  (name) =>
  async (cwd, ...args) => {
    const { code, out, err } = await run([name, ...args], '', { cwd })
    return { code, err, lines: out.split('\n').filter((line) => /: (error|warning|notice): /.test(line)), last: out.trimEnd().split('\n').at(-1), out }
  }
const review = command('review')
const check = command('check')
const changed = ({ lines }) => lines.filter((line) => line.endsWith('[guard-changed]'))

test('an assertion that a change takes out of the guard fails it where it no longer holds', async () => {
  const place = repository({ 'policy.hujson': GOOD, 'tailnet.guard.hujson': `[\n${ONLY},\n${NEVER}]` })
  const gone = 'never * -> tag:web:443: no longer in the guard;'
  put(place, { 'policy.hujson': WIDER, 'tailnet.guard.hujson': `[${ONLY}]` })
  const taken = await review(place, 'policy.hujson')
  assert.deepEqual([taken.code, changed(taken)], [1, [`policy.hujson:6:3: error: ${gone} ann@corp.example reaches tag:web:443 by tcp [guard-changed]`]])
  assert.match(taken.out, /^ {2}hint: TLS ends elsewhere; HEAD:tailnet\.guard\.hujson:3$/m)
  assert.match(taken.last, /; 1 of 1 guards hold$/)
  // The same by another port, or without the file.
  put(place, { 'tailnet.guard.hujson': `[${ONLY}, ${NEVER.replace('443', '8443')}]` })
  const other = await review(place, 'policy.hujson')
  assert.deepEqual(
    [other.code, changed(other).length, other.lines.filter((line) => line.includes('new in the guard'))],
    [1, 2, ['tailnet.guard.hujson:1:1: notice: never * -> tag:web:8443: new in the guard [guard-changed]']],
  )
  rmSync(join(place, 'tailnet.guard.hujson'))
  const none = await review(place, 'policy.hujson')
  assert.deepEqual([none.code, changed(none).map((line) => line.split(': ')[1])], [1, ['error', 'notice']])
  assert.equal((await review(place, 'policy.hujson', '--fail-on', 'gained:tag:none,guard-changed')).code, 1)
  // Where --fail-on names neither it is told; a reviewer may allow it.
  const lockout = await review(place, 'policy.hujson', '--fail-on', 'lockout')
  assert.deepEqual([lockout.code, changed(lockout).map((line) => line.split(': ')[1])], [0, ['warning', 'notice']])
  const allowed = await review(place, 'policy.hujson', '--allow-guard-change', '--max-warnings', '0')
  assert.deepEqual([allowed.code, changed(allowed).map((line) => line.split(': ')[1])], [0, ['notice', 'notice']])
  // A comment in a pull request shows it, too.
  const comment = (await review(place, 'policy.hujson', '--allow-guard-change', '--format', 'markdown')).out
  assert.match(comment, /never \\\* -\\> tag:web:443: no longer in the guard; ann@corp\.example reaches/)
})

test('what a change takes out of the guard, or puts in, is told where it holds; reasons, order and layout are no change', async () => {
  const place = repository({ 'policy.hujson': GOOD, 'tailnet.guard.hujson': `[${ONLY}, ${NEVER}]` })
  put(place, { 'tailnet.guard.hujson': `[${ONLY}]` })
  const taken = await review(place, 'policy.hujson')
  assert.deepEqual([taken.code, taken.lines], [0, ['policy.hujson: notice: never * -> tag:web:443: no longer in the guard; it holds [guard-changed]']])
  const same = `// Moved.\n[{"never": {"ports": "443", "to": ["tag:web"], "from": ["*", "*"]}, "why": "asked"}, ${ONLY}]`
  put(place, { 'tailnet.guard.hujson': same })
  assert.deepEqual((await review(place, 'policy.hujson')).lines, [])
})

test('a policy that the guard names is part of it', async () => {
  const place = repository({ 'policy.hujson': GOOD, 'most.hujson': GOOD, 'tailnet.guard.hujson': '[{"noMoreThan": "most.hujson"}]' })
  put(place, { 'policy.hujson': WIDER, 'most.hujson': WIDER })
  const { code, lines } = await review(place, 'policy.hujson')
  assert.equal(code, 1)
  assert.match(
    lines[0],
    /^policy\.hujson:6:3: error: noMoreThan most\.hujson: no longer in the guard; ann@corp\.example reaches tag:web:443 by tcp \[guard-changed\]$/,
  )
  put(place, { 'policy.hujson': GOOD, 'most.hujson': `// The same.\n${GOOD}` })
  assert.deepEqual((await review(place, 'policy.hujson')).lines, [])
})

test('a policy that is moved is compared with what it was, and by the guard that it had', async () => {
  const place = repository({ 'old/policy.hujson': GOOD, 'old/tailnet.guard.hujson': `[${NEVER}]` })
  mkdirSync(join(place, 'new'))
  for (const name of ['policy.hujson', 'tailnet.guard.hujson']) renameSync(join(place, 'old', name), join(place, 'new', name))
  git(place, 'add', '-A')
  assert.deepEqual(await review(place, 'new/policy.hujson').then(({ code, out }) => [code, out]), [0, 'the edit changes no meaning; 1 of 1 guards hold\n'])
  rmSync(join(place, 'new/tailnet.guard.hujson'))
  put(place, { 'new/policy.hujson': WIDER })
  const { code, out, lines } = await review(place, 'new/policy.hujson')
  assert.equal(code, 1)
  assert.match(lines[0], /^new\/policy\.hujson:6:3: error: never \* -> tag:web:443: no longer in the guard; /)
  assert.match(out, /^ {2}hint: TLS ends elsewhere; HEAD:old\/tailnet\.guard\.hujson:1$/m)
})

test('a policy that is new is judged by itself and by the guard', async () => {
  const place = repository({ 'README.md': 'none', 'tailnet.guard.hujson': `[${NEVER}]` })
  put(place, { 'policy.hujson': GOOD })
  const fresh = await review(place, 'policy.hujson')
  assert.deepEqual([fresh.code, fresh.out], [0, 'HEAD:policy.hujson is not there, so this policy is new: accepted; 1 of 1 guards hold\n'])
  put(place, { 'policy.hujson': WIDER })
  assert.deepEqual((await review(place, 'policy.hujson')).code, 1)
  rmSync(join(place, 'tailnet.guard.hujson'))
  const unguarded = await review(place, 'policy.hujson')
  assert.deepEqual([unguarded.code, changed(unguarded).length], [1, 1])
  put(place, { 'policy.hujson': BAD })
  const refused = await review(place, 'policy.hujson')
  assert.deepEqual([refused.code, refused.last], [1, 'refused: action="drop" is not supported'])
})

test('a guard before the change that cannot be used is told, and fails nothing', async () => {
  for (const [broken, why] of [
    ['[{"nver": {}}]', 'line 1, column 3|unknown key "nver"'],
    ['[{"noMoreThan": "gone.hujson"}]', 'there was no gone\\.hujson'],
    ['[', 'hujson|unexpected|\\[hujson_syntax\\]'],
  ]) {
    const place = repository({ 'policy.hujson': GOOD, 'tailnet.guard.hujson': broken })
    put(place, { 'tailnet.guard.hujson': `[${ONLY}]` })
    const { code, lines } = await review(place, 'policy.hujson')
    assert.equal(code, 0, broken)
    assert.match(lines[0], new RegExp(`: notice: HEAD:tailnet\\.guard\\.hujson is no guard to compare with: .*(${why})`), broken)
  }
})

test('of a guard before the change the assertions that can be read count, whatever is wrong with others', async () => {
  for (const broken of ['{"noMoreThan": "gone.hujson"}', '{"nver": {}}']) {
    const place = repository({ 'policy.hujson': GOOD, 'tailnet.guard.hujson': `[${broken}, ${NEVER}]` })
    put(place, { 'policy.hujson': WIDER, 'tailnet.guard.hujson': '[]' })
    const { code, lines } = await review(place, 'policy.hujson')
    assert.equal(code, 1, broken)
    assert.match(lines.join('\n'), /: error: never \* -> tag:web:443: no longer in the guard; /)
    assert.match(lines.join('\n'), /: notice: not all of HEAD:tailnet\.guard\.hujson can be compared with: /)
  }
})

test('a policy outside of the repository, which the guard names, is the same before and after', async () => {
  const outside = join(folder(), 'most.hujson')
  writeFileSync(outside, GOOD)
  const place = repository({ 'policy.hujson': GOOD })
  put(place, { 'tailnet.guard.hujson': JSON.stringify([{ noMoreThan: relative(place, outside) }]) })
  git(place, 'add', '.')
  git(place, 'commit', '-qm', 'guarded')
  const same = await review(place, 'policy.hujson')
  assert.deepEqual([same.code, same.lines], [0, []])
  put(place, { 'policy.hujson': WIDER, 'tailnet.guard.hujson': '[]' })
  const { code, lines } = await review(place, 'policy.hujson')
  assert.equal(code, 1)
  assert.match(lines[0], /: error: noMoreThan \S+most\.hujson: no longer in the guard; /)
})

test('beside a BASE that is a file, the guard there is the one before', async () => {
  const [before, after] = [folder(), folder()]
  put(before, { 'policy.hujson': GOOD, 'tailnet.guard.hujson': `[${NEVER}]` })
  put(after, { 'policy.hujson': WIDER })
  const { code, lines } = await review(after, join(before, 'policy.hujson'), 'policy.hujson')
  assert.deepEqual([code, changed({ lines }).length], [1, 1])
  // Of two versions in one folder the guard is the same.
  put(before, { 'next.hujson': WIDER })
  const beside = await review(before, 'policy.hujson', 'next.hujson')
  assert.deepEqual([beside.code, changed(beside)], [1, []])
  assert.match(beside.lines[0], /^next\.hujson:6:3: error: never \* -> tag:web:443: .* \[guard\]$/)
})

test('check judges each policy by the guard beside it, or all by --guard', async () => {
  const place = folder()
  put(place, { 'a/policy.hujson': WIDER, 'a/tailnet.guard.hujson': `[\n${NEVER}]`, 'b/policy.hujson': WIDER })
  const found = await check(place, 'a', 'b')
  assert.deepEqual(
    [found.code, found.lines, found.out.trimEnd().split('\n').slice(-2)],
    [
      1,
      ['a/policy.hujson:6:3: error: never * -> tag:web:443: ann@corp.example reaches tag:web:443 by tcp [guard]'],
      ['a/policy.hujson: accepted; 0 of 1 guards hold', 'b/policy.hujson: accepted'],
    ],
  )
  const both = await check(place, 'a', 'b', '--guard', 'a/tailnet.guard.hujson')
  assert.deepEqual([both.code, both.lines.length], [1, 2])
  const told = JSON.parse((await check(place, 'a/policy.hujson', '--json')).out)
  assert.deepEqual([told.passed, told.accepted, told.files[0].guard.holds], [false, true, false])
  assert.match((await check(place, 'a/policy.hujson', '--format', 'junit')).out, /<testsuite name="a\/policy\.hujson" tests="1" failures="1"/)
  // Standard input lies in no folder, and an empty guard asks for nothing.
  assert.equal((await run(['check', '-'], WIDER, { cwd: join(place, 'a') })).out, 'accepted\n')
  put(place, { 'b/tailnet.guard.hujson': '[]' })
  assert.deepEqual((await check(place, 'b')).out, 'accepted\n')
})

test('check with a guard: undecided, refused, and no guard', async () => {
  const undecided = file('tailnet.guard.hujson', '[{"never": {"from": "group:eng@corp.example", "to": "tag:web"}}]')
  const policy = file('policy.hujson', GOOD)
  const open = await check('.', policy, '--guard', undecided)
  assert.deepEqual([open.code, open.lines.length], [0, 1])
  assert.match(open.lines[0], /: warning: never group:eng@corp\.example -> tag:web: undecided: /)
  assert.equal((await check('.', policy, '--guard', undecided, '--strict')).code, 1)
  const bad = await check('.', file('policy.hujson', BAD), '--guard', undecided)
  assert.deepEqual([bad.code, bad.last], [1, 'refused: action="drop" is not supported'])
  for (const [guard, why] of [
    [file('tailnet.guard.hujson', '[{"may": {}}]'), /line 1, column 3: unknown key "may"\n$/],
    ['/nonexistent', /cannot read \/nonexistent/],
  ]) {
    const { code, err } = await check('.', policy, '--guard', guard)
    assert.equal(code, 2)
    assert.match(err, why)
  }
})

test('a guard that is given as a file to check stands for the policies beside it', async () => {
  const place = folder()
  put(place, {
    'a/policy.hujson': WIDER,
    'a/more.hujson': GOOD,
    'a/tailnet.guard.hujson': `[${NEVER}]`,
    'a/deep/policy.hujson': WIDER,
    'b/tailnet.guard.hujson': '[]',
  })
  const { code, out } = await check(place, 'a/tailnet.guard.hujson', 'a/policy.hujson')
  assert.deepEqual(
    [code, out.trimEnd().split('\n').slice(-2)],
    [1, ['a/more.hujson: accepted; 1 of 1 guards hold', 'a/policy.hujson: accepted; 0 of 1 guards hold']],
  )
  const alone = await check(place, 'b/tailnet.guard.hujson')
  assert.deepEqual([alone.code, alone.err], [2, 'tailnet-kit: b/tailnet.guard.hujson: no policy lies beside it; name the policies, with --guard\n'])
})
