// Each format as a whole, compared with a snapshot and with the schema of the format where there is one. Must not live here: findings.

import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { file, folder, run } from '../command.mjs'
import { HERE, TESTS, snapshot, tool } from './tools.mjs'

const place = folder()
copyFileSync(join(HERE, 'policy.hujson'), join(place, 'policy.hujson'))
const said = async (format, { command = 'check', env } = {}) => {
  const { code, out, err } = await run([command, 'policy.hujson', '--format', format], '', { cwd: place, env })
  assert.deepEqual([code, err], [1, ''])
  return out
}

for (const [format, name] of Object.entries({
  text: 'check.txt',
  json: 'check.json',
  github: 'check.github',
  gitlab: 'check.gitlab.json',
  sarif: 'check.sarif',
  junit: 'check.junit.xml',
  markdown: 'check.md',
})) {
  test(`${format} equals its snapshot`, async () => snapshot(name, await said(format)))
}

test('the tests of a policy are the cases of JUnit', async () => snapshot('test.junit.xml', await said('junit', { command: 'test' })))

test('SARIF is valid, and its columns are UTF-16 units', async () => {
  const sarif = JSON.parse(await said('sarif'))
  // The package with the schema depends on a version of ajv that still reads draft 4.
  const beside = tool.resolve('@microsoft/jest-sarif/package.json')
  const near = createRequire(beside)
  const Ajv = near('ajv')
  const ajv = new Ajv({ schemaId: 'auto' })
  ajv.addMetaSchema(near('ajv/lib/refs/json-schema-draft-04.json'))
  const schema = JSON.parse(readFileSync(join(beside, '../lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'))
  const isValid = ajv.compile(schema)
  assert.ok(isValid(sarif), JSON.stringify(isValid.errors))
  assert.ok(!isValid({ ...sarif, runs: [{ results: [] }] }), 'the schema refuses a run without tool')
  const [{ columnKind, results }] = sarif.runs
  assert.equal(columnKind, 'utf16CodeUnits')
  const text = readFileSync(join(place, 'policy.hujson'), 'utf8').split('\n')
  const failed = results.find(({ ruleId }) => ruleId === 'test_failed').locations[0].physicalLocation.region
  assert.equal(text[failed.startLine - 1].slice(failed.startColumn - 1, failed.endColumn - 1), '{"src": "tag:web", "deny": ["tag:db:5432"]}')
  assert.deepEqual(
    results.filter(({ suppressions }) => suppressions).map(({ ruleId, suppressions }) => [ruleId, suppressions[0].justification]),
    [['covered_rule', 'a lab <at "home">, 100 % ours']],
  )
})

test('SARIF names a file in the repository by a relative URI, and any other by a whole one', async () => {
  const root = join(folder(), 'root')
  mkdirSync(root)
  const named = async (name) => {
    const { out } = await run(['check', file(name, '[]', root), '--format', 'sarif'], '', { cwd: root, env: { GITHUB_WORKSPACE: root } })
    return JSON.parse(out).runs[0].results[0].locations[0].physicalLocation.artifactLocation
  }
  assert.deepEqual(await named('a#b?: c.hujson'), { uri: 'a%23b%3F%3A%20c.hujson', uriBaseId: '%SRCROOT%' })
  const outside = join(root, '../other.hujson')
  for (const name of ['../other.hujson', outside]) {
    writeFileSync(outside, '[]')
    const { out } = await run(['check', name, '--format', 'sarif'], '', { cwd: root, env: { GITHUB_WORKSPACE: root } })
    const [{ locations }] = JSON.parse(out).runs[0].results
    assert.deepEqual(locations[0].physicalLocation.artifactLocation, { uri: pathToFileURL(outside).href })
  }
})

test('JUnit is valid', async () => {
  const { validateXML } = await import(tool.resolve('xmllint-wasm'))
  const schema = readFileSync(join(TESTS, 'command/schemas/jenkins-junit.xsd'), 'utf8')
  const odd = await run(['check', '-', '--format', 'junit'], '{"\\u0000\\ud800<&\\"\'": 1}')
  for (const contents of [await said('junit'), await said('junit', { command: 'test' }), odd.out]) {
    const { valid, errors } = await validateXML({ xml: { fileName: 'report.xml', contents }, schema })
    assert.ok(valid, JSON.stringify(errors))
  }
  const { valid } = await validateXML({ xml: { fileName: 'bad.xml', contents: '<testsuites><case/></testsuites>' }, schema })
  assert.equal(valid, false)
})

test('a code quality report of GitLab has all that GitLab requires, and no fingerprint twice', async () => {
  const entries = JSON.parse(await said('gitlab'))
  for (const { description, check_name, fingerprint, severity, location } of entries) {
    assert.ok(description && check_name && /^[0-9a-f]{64}$/.test(fingerprint))
    assert.ok(['info', 'minor', 'major', 'critical', 'blocker'].includes(severity))
    assert.ok(location.path === 'policy.hujson' && location.lines.begin >= 1)
  }
  assert.equal(new Set(entries.map(({ fingerprint }) => fingerprint)).size, entries.length)
})

test('on GitHub the format is chosen by itself; ten findings of a severity are annotations, all are in the summary', async () => {
  const rules = Array.from({ length: 14 }, (_, port) => `{"action": "accept", "src": ["bob"], "dst": ["tag:none:${port + 1}"]}`)
  const [path, summary] = [file('policy.hujson', `{"acls": [\n${rules.join(',\n')}\n]}`), join(folder(), 'summary.md')]
  const { code, out } = await run(['check', path], '', { env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: join(path, '..') } })
  assert.equal(code, 1)
  const errors = out.split('\n').filter((line) => line.startsWith('::error '))
  assert.equal(errors.length, 10)
  assert.match(errors[0], /^::error file=policy\.hujson,line=2,col=\d+,endColumn=\d+,title=tailnet-kit \w+::/)
  assert.match(out, /\n\d+ more in the summary of the job\n/)
  const all = (await run(['check', path, '--json'])).out
  assert.equal(readFileSync(summary, 'utf8').match(/^- \*\*/gm).length, JSON.parse(all).issues.length)
  const other = await run(['check', path, '--format', 'text'], '', { env: { GITHUB_ACTIONS: 'true' } })
  assert.doesNotMatch(other.out, /^::/m)
})

test('--report writes the report in other formats, too', async () => {
  const [sarif, markdown] = ['r.sarif', 'r.md'].map((name) => join(folder(), name))
  const { code, out } = await run(['check', 'policy.hujson', '--format', 'text', '--report', `sarif=${sarif}`, '--report', `markdown=${markdown}`], '', {
    cwd: place,
  })
  assert.equal(code, 1)
  assert.equal(out, await said('text'))
  assert.equal(readFileSync(sarif, 'utf8'), await said('sarif'))
  assert.equal(readFileSync(markdown, 'utf8'), await said('markdown'))
  for (const [words, why] of [
    ['r.sarif', '--report takes FORMAT=FILE, not `r.sarif`'],
    ['xml=r', '--report takes text, json, github, gitlab, sarif, junit, markdown, not `xml`'],
    ['sarif=/none/r', "cannot write /none/r: ENOENT: no such file or directory, open '/none/r'"],
  ]) {
    const { code, err } = await run(['check', 'policy.hujson', '--report', words], '', { cwd: place })
    assert.deepEqual([code, err], [2, `tailnet-kit: ${why}\n`])
  }
})

test('paths are relative to the repository, wherever the command runs', async () => {
  const { out } = await run(['check', 'policy.hujson', '--format', 'gitlab'], '', { cwd: place, env: { CI_PROJECT_DIR: join(place, '..') } })
  assert.equal(JSON.parse(out)[0].location.path, `${place.split('/').at(-1)}/policy.hujson`)
})

test('a case of JUnit keeps its name when lines move, and no two have one name', async () => {
  const names = async (text) => {
    const { out } = await run(['check', '-', '--format', 'junit'], text)
    return [...out.matchAll(/<testcase classname="[^"]*" name="([^"]*)"/g)].map(([, name]) => name)
  }
  const text = readFileSync(join(place, 'policy.hujson'), 'utf8')
  const before = await names(text)
  assert.deepEqual(await names(`// One\n// and two lines.\n${text}`), before)
  assert.equal(new Set(before).size, before.length)
  const twice = await names('{"groups": {"group:a": ["bob@x.example", "bob@x.example", "bob@x.example"]}}')
  assert.equal(new Set(twice).size, twice.length)
  assert.ok(
    before.every((name) => !/^\d+:\d+ /.test(name)),
    before.join('\n'),
  )
})

test('on GitHub a failure is an annotation, at its place where it has one', async () => {
  const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: place }
  const failed = async (...args) => {
    const { code, err } = await run(args, '', { cwd: place, env })
    return [code, err]
  }
  assert.deepEqual(await failed('check', 'gone.hujson'), [
    2,
    "::error title=tailnet-kit::cannot read gone.hujson: ENOENT: no such file or directory, open 'gone.hujson'%0Athe path is relative to the folder that the command runs in\n",
  ])
  assert.deepEqual(await failed('chekc'), [
    2,
    '::error title=tailnet-kit::unknown command `chekc`: did you mean `check`?%0A`tailnet-kit COMMAND --help` says what a command takes\n',
  ])
  writeFileSync(join(place, 'broken.hujson'), '{\n"acls": nope}')
  const [code, err] = await failed('diff', 'broken.hujson', 'policy.hujson')
  assert.equal(code, 2)
  assert.match(err, /^::error file=broken\.hujson,line=2,col=9,title=tailnet-kit::broken\.hujson:2:9: error: .*%0Amend the text there first/)
})

test('an error that nobody expected is told by its message and the calls, never by a line of the source', async () => {
  const before = ['--require', file('fault.cjs', `setTimeout(() => { throw new TypeError('odd') }, 500) // ${'x'.repeat(5000)}`)]
  const plain = await run(['sandbox', '--port', '0'], '', { before })
  assert.equal(plain.code, 2)
  assert.match(plain.err, /^tailnet-kit: TypeError: odd\n {4}at /m)
  assert.doesNotMatch(plain.err, /xxx/)
  const annotated = await run(['sandbox', '--port', '0'], '', { before, env: { GITHUB_ACTIONS: 'true' } })
  assert.match(annotated.err, /^::error title=tailnet-kit::odd%0Athis is a fault of tailnet-kit: please report it/m)
})
