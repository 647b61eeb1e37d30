// `tailnet-kit check` and `test`: findings, ignored findings, exit codes. Must not live here: verdicts, formats other than text and JSON.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { policy as policyOf } from 'tailnet-kit'
import { ignoring } from '../node_modules/tailnet-kit/bin/ignore.js'
import { COMMAND, file, folder, run } from '../command.mjs'
import { BAD, FAILING, GOOD, TESTS, policy, watching } from './tools.mjs'

const DOUBLE = GOOD.replace('\t],\n}', '\t\t{"action": "accept", "src": ["ann@corp.example"], "dst": ["tag:web:80"]},\n\t],\n}')
const ignored = (comment) =>
  DOUBLE.replace('\t\t{"action": "accept", "src": ["ann', `\t\t// tailnet-kit-ignore ${comment}\n\t\t{"action": "accept", "src": ["ann`)
/** Runs a program without the right of root to read everything; only root has it to give away. */
const FENCE = ['setpriv', '--bounding-set=-dac_override,-dac_read_search']
const isFenced = process.getuid?.() === 0 && spawnSync(FENCE[0], [...FENCE.slice(1), 'true']).status === 0

test('check says what the service would say, where, and what to do about it', async () => {
  assert.deepEqual(await run(['check', policy(GOOD)]), { code: 0, out: 'accepted\n', err: '' })
  const bad = policy(BAD)
  const { code, out, err } = await run(['check', bad])
  assert.deepEqual([code, err], [1, ''])
  const [first, source, underline, ...rest] = out.trimEnd().split('\n')
  assert.equal(first, `${bad}:6:14: error: action="drop" is not supported [invalid_action]`)
  assert.equal(source, '  6 |     {"action": "drop", "src": ["group:ops"], "dst": ["tag:web:80"]},')
  assert.equal(underline, `    | ${' '.repeat(4 + '{"action": '.length)}${'^'.repeat('"drop"'.length)}`)
  assert.equal(rest.at(-1), 'refused: action="drop" is not supported')
  const hint = await run(['check', '-'], GOOD.replace('["tag:web:80"]', '["tag:wbe:80"]'))
  assert.match(hint.out, /^ {2}hint: .*did you mean `tag:web`\?$/m)
})

test('the underline stands below the cells of its place, whatever the letters before it fill', async () => {
  for (const [letters, cells] of [
    ['\t', 2],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['ｶﾅ', 2],
    ['Ａ', 2],
    ['🚒', 2],
    ['🇩🇪', 2],
    ['👍🏽', 2],
    ['❤\ufe0f', 2],
  ]) {
    const { out } = await run(['check', '-'], BAD.replace('"drop"', `/*${letters}*/"drop"`))
    const [, , underline] = out.split('\n')
    assert.equal(underline, `    | ${' '.repeat(4 + '{"action": /**/'.length + cells)}${'^'.repeat('"drop"'.length)}`, letters)
  }
  const marked = await run(['check', '-'], BAD.replace('"drop"', '"日🚒"'))
  assert.equal(marked.out.split('\n')[2].trimStart(), `| ${' '.repeat(4 + '{"action": '.length)}${'^'.repeat(6)}`)
})

test('check names a syntax error, a failing test, and takes standard input', async () => {
  const broken = await run(['check', '-'], '{"acls": nope}')
  assert.equal(broken.code, 1)
  assert.match(broken.out, /^-:1:10: error: .* \[hujson_syntax\]\n {2}1 \| \{"acls": nope\}\n {4}\| {10}\^/)
  assert.match(broken.out, /\nrefused: hujson: line 1, column 10: .*\n$/)
  const failing = await run(['check', '-'], FAILING)
  assert.equal(failing.code, 1)
  assert.match(failing.out, /want: Drop, got: Accept/)
  assert.match(failing.out, /refused: test\(s\) failed\n$/)
})

test('a reader that stops early changes no exit code, and ends a watch', async () => {
  const unread = async (...args) => {
    const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.destroy()
    const [code] = await once(child, 'close')
    return code
  }
  const [good, bad] = [policy(GOOD), policy(BAD)]
  assert.equal(await unread('check', good), 0)
  for (const format of ['text', 'json', 'github', 'sarif']) assert.equal(await unread('check', bad, '--format', format), 1, format)
  const untidy = () => file('a.hujson', '{"a":1,\n"b":2}')
  assert.equal(await unread('fmt', '--check', '--diff', untidy(), untidy(), untidy()), 1)
  assert.equal(await unread('check', '--watch', bad), 1)
})

test('no character hides or reorders the letters around it', async () => {
  const text = GOOD.replaceAll('["group:ops"]', '["a\u202eb\u200b"]')
  for (const format of ['text', 'github', 'markdown']) {
    const { out } = await run(['check', '-', '--format', format], text)
    assert.match(out, /a\\+u202eb\\+u200b/)
    assert.doesNotMatch(out, /[\u200b\u202e]/)
  }
})

test('nothing in a file can break a line or control the terminal', async () => {
  const text = '["a\nb\x1b[31m"]'
  const check = await run(['check', '-'], text)
  assert.equal(check.code, 1)
  assert.match(check.out, /^-:1:2: error: invalid literal: "a\\nb\\u001b\[31m" \[hujson_syntax\]\n/)
  for (const format of ['text', 'github', 'markdown']) {
    const { out } = await run(
      ['check', '-', '--format', format],
      GOOD.replace('"drop"', '"::error::\\u001b\x1b"').replace('ops"]}', 'ops"], "\u2028x\\n::error::y": 1}'),
    )
    assert.doesNotMatch(out, /\x1b|\u2028/, format)
  }
  const fmt = await run(['fmt', '-'], text)
  assert.deepEqual([fmt.code, fmt.out, fmt.err.split('\n').length, fmt.err.includes('\x1b')], [2, '', 2, false])
})

test('several files and folders: guard files, dot folders and node_modules are left out', async () => {
  const place = folder()
  for (const inner of ['sub', '.git', 'node_modules/x']) mkdirSync(join(place, inner), { recursive: true })
  for (const name of ['a.hujson', 'sub/b.hujson']) writeFileSync(join(place, name), GOOD)
  for (const name of ['other.guard.hujson', '.git/c.hujson', 'node_modules/x/d.hujson', 'notes.txt']) writeFileSync(join(place, name), BAD)
  assert.deepEqual(await run(['check', place]), { code: 0, out: `${place}/a.hujson: accepted\n${place}/sub/b.hujson: accepted\n`, err: '' })
  writeFileSync(join(place, 'sub/b.hujson'), BAD)
  const { code, out } = await run(['check', '.', 'a.hujson'], '', { cwd: place })
  assert.equal(code, 1)
  assert.match(out, /^sub\/b\.hujson:6:14: error: /)
  assert.match(out, /\na\.hujson: accepted\nsub\/b\.hujson: refused: /)
})

test('a folder is one whatever its name, links lead on, and a circle of them ends', async () => {
  const [place, elsewhere] = [folder(), folder()]
  for (const inner of ['named.hujson', 'sub/deep']) mkdirSync(join(place, inner), { recursive: true })
  for (const path of [join(place, 'named.hujson/a.hujson'), join(place, 'sub/b.hujson'), join(elsewhere, 'c.hujson')]) writeFileSync(path, GOOD)
  symlinkSync('../..', join(place, 'sub/deep/up'))
  symlinkSync(elsewhere, join(place, 'linked'))
  symlinkSync('nowhere', join(place, 'gone'))
  const names = ['linked/c.hujson', 'named.hujson/a.hujson', 'sub/b.hujson']
  assert.deepEqual(await run(['check', '.'], '', { cwd: place }), { code: 0, out: names.map((name) => `${name}: accepted\n`).join(''), err: '' })
  for (const [target, fault] of [
    ['nowhere', 'ENOENT'],
    ['b.hujson', 'ELOOP'],
  ]) {
    rmSync(join(place, 'sub/b.hujson'))
    symlinkSync(target, join(place, 'sub/b.hujson'))
    const { code, out, err } = await run(['check', '.'], '', { cwd: place })
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, new RegExp(`^tailnet-kit: cannot read sub/b\\.hujson: ${fault}: .*\n$`))
  }
})

test('a folder that cannot be read is named', { skip: process.getuid?.() === 0 && !isFenced && 'root may read everything' }, () => {
  const place = folder()
  writeFileSync(join(place, 'a.hujson'), GOOD)
  mkdirSync(join(place, 'locked'), { mode: 0 })
  const [program, ...args] = [...(isFenced ? FENCE : []), process.execPath, COMMAND, 'check', place]
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  chmodSync(join(place, 'locked'), 0o700)
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, new RegExp(`^tailnet-kit: cannot read ${place}/locked: EACCES: .*\n$`))
})

test('JSON has a version, the verdict, and each issue with its range in UTF-16 units', async () => {
  const { code, out } = await run(['check', '-', '--json'], BAD.replace('"drop"', '/* 🚒é */ "drop"'))
  const told = JSON.parse(out)
  assert.deepEqual([code, told.version, told.command, told.passed, told.accepted], [1, 1, 'check', false, false])
  const [issue] = told.issues
  // Eleven characters, two tabs, and a comment of ten units, which is fourteen bytes with the blank after it.
  assert.deepEqual([issue.file, issue.line, issue.column], ['-', 6, 14 + '/* 🚒é */ '.length + 3])
  const column = 14 + '/* 🚒é */ '.length
  assert.deepEqual(issue.range, { start: { line: 6, column }, end: { line: 6, column: column + '"drop"'.length } })
})

test('warnings pass, unless there are too many or the options make them fail', async () => {
  const path = policy(DOUBLE)
  assert.equal((await run(['check', path])).code, 0)
  assert.match((await run(['check', path])).out, /warning: .* \[covered_rule\]/)
  assert.equal((await run(['check', path, '--fail-level', 'warning'])).code, 1)
  assert.equal((await run(['check', path, '--max-warnings', '0'])).code, 1)
  assert.equal((await run(['check', path, '--max-warnings', '1'])).code, 0)
})

test('a comment makes a finding in the value after it ignored', async () => {
  const { code, out } = await run(['check', '-', '--json', '--max-warnings', '0'], ignored('covered_rule: the group goes away in May'))
  const { issues, ignored: passed } = JSON.parse(out)
  assert.deepEqual([code, issues, passed.map((one) => [one.code, one.line, one.reason])], [0, [], [['covered_rule', 8, 'the group goes away in May']]])
  const whole = await run(['check', '-', '--json'], `// é 🚒\n// tailnet-kit-ignore covered_rule: all of it\n${DOUBLE}`)
  assert.deepEqual(JSON.parse(whole.out).issues, [])
  const elsewhere = await run(['check', '-', '--json'], DOUBLE.replace('\t"groups"', '\t// tailnet-kit-ignore covered_rule: not here\n\t"groups"'))
  assert.deepEqual(
    JSON.parse(elsewhere.out)
      .issues.map((one) => one.code)
      .sort(),
    ['covered_rule', 'unused_ignore'],
  )
  const quoted = await run(['check', '-', '--json'], DOUBLE.replace('"groups"', '"// tailnet-kit-ignore covered_rule: x": 1, "groups"'))
  assert.ok(!JSON.parse(quoted.out).issues.some((one) => one.code === 'unused_ignore'))
})

test('each warning that a policy can have is silenced before its place', async () => {
  const { documents } = await import(pathToFileURL(join(TESTS, 'lib/documents.mjs')))
  const codes = new Set()
  for (const { title, text, context } of documents()) {
    const warned = (text) => policyOf.check(text, context).issues.filter(({ severity }) => severity === 'warning')
    for (const { code, offset } of warned(text)) {
      const silenced = `${text.slice(0, offset)}// tailnet-kit-ignore ${code}: asked\n${text.slice(offset)}`
      const before = warned(text).filter((one) => one.code === code).length
      const { findings, faults } = ignoring('policy.hujson', silenced, warned(silenced))
      assert.ok(findings.filter((one) => one.code === code).length < before && faults.length === 0, `${title}: ${code}`)
      codes.add(code)
    }
  }
  assert.ok(codes.size > 25, [...codes].join(' '))
})

test('a comment that has no effect, gives no reason, or is about an error is reported', async () => {
  const told = async (text) => {
    const { code, out } = await run(['check', '-', '--json'], text)
    return [code, JSON.parse(out).issues.map((one) => [one.code, one.severity, one.line])]
  }
  assert.deepEqual(await told(ignored('covered_rule')), [
    0,
    [
      ['unused_ignore', 'warning', 7],
      ['covered_rule', 'warning', 8],
    ],
  ])
  assert.deepEqual(await told(ignored('broad_rule: it is narrow')), [
    0,
    [
      ['unused_ignore', 'warning', 7],
      ['covered_rule', 'warning', 8],
    ],
  ])
  const refused = BAD.replace('\t\t{', '\t\t// tailnet-kit-ignore invalid_action: I want it\n\t\t{')
  assert.deepEqual(await told(refused), [
    1,
    [
      ['unused_ignore', 'warning', 6],
      ['invalid_action', 'error', 7],
    ],
  ])
})

test('test runs the tests of a policy and says what it cannot decide', async () => {
  const passing = GOOD.replace('"acls"', '"tests": [{"src": "ann@corp.example", "accept": ["tag:web:80"]}],\n\t"acls"')
  assert.deepEqual(await run(['test', policy(passing)]), { code: 0, out: '1 of 1 tests pass\n', err: '' })
  const failing = policy(FAILING)
  const { code, out } = await run(['test', failing])
  assert.equal(code, 1)
  assert.match(out, new RegExp(`^${failing}:5:12: error: .*want: Drop, got: Accept \\[test_failed\\]\n`))
  assert.match(out, /\n {2}hint: the rule at line 7 lets it through\n0 of 1 tests pass\n$/)
  assert.equal((await run(['test', policy(GOOD)])).out, 'no tests\n')
})

test('colours are printed only where they are wanted', async () => {
  const path = policy(BAD)
  assert.doesNotMatch((await run(['check', path], '', { env: { FORCE_COLOR: '0' } })).out, /\x1b/)
  assert.match((await run(['check', path], '', { env: { FORCE_COLOR: '1', NO_COLOR: '' } })).out, /\x1b\[31merror\x1b\[39m/)
})

test('--watch runs again when the file changes, and ends by a signal', async () => {
  const path = policy(GOOD)
  const { child, runs, said } = watching('check', path)
  await runs()
  assert.equal(said(), 'accepted\n')
  const again = runs()
  writeFileSync(path, BAD)
  await again
  assert.match(said(), /^accepted\n.*:6:14: error: [^]*refused: /)
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'close'), [1, null])
})
