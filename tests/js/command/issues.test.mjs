// The pages of the codes, in docs/issues: each code has one, the command says it of the example and not of the mend, and each place that names a
// code links to it. Must not live here: what each code means.

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { ISSUES, pageOf } from '../node_modules/tailnet-kit/bin/issues.js'
import { folder, run } from '../command.mjs'
import { REPOSITORY } from './tools.mjs'

const PAGES = join(REPOSITORY, 'docs/issues')
const codes = readdirSync(PAGES)
  .map((name) => name.slice(0, -'.md'.length))
  .filter((code) => code !== 'README')
const pages = new Map(codes.map((code) => [code, readFileSync(join(PAGES, `${code}.md`), 'utf8')]))

/** A page in its parts: the words of each, and its files by name. */
function parts(page) {
  const [, what, why, example, mend] = /^# [\w-]+\n\n(.*?)\n\n## Why\n\n(.*?)\n\n## Example\n\n(.*?)\n## Mend\n\n(.*)$/s.exec(page)
  const files = (text) => Object.fromEntries([...text.matchAll(/^```h?u?json (\S+)\n(.*?)^```$/gms)].map(([, name, contents]) => [name, contents]))
  return { what, why, example: files(example), mend: files(mend) }
}

/** The codes that the command says of these files: of the change where there is one, else of the policy. */
async function said(files) {
  const place = folder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true })
    writeFileSync(join(place, name), text)
  }
  const verb = 'before/policy.hujson' in files ? ['review', 'before/policy.hujson'] : ['check']
  const known = 'devices.json' in files ? ['--devices', 'devices.json'] : []
  const { out, err } = await run([...verb, 'policy.hujson', ...known, '--json'], '', { cwd: place })
  assert.equal(err, '')
  return JSON.parse(out).issues.map(({ code }) => code)
}

test('each code that is declared has a page, and the list of pages has each', () => {
  const declared = readFileSync('node_modules/tailnet-kit/types/issue.d.cts', 'utf8').split('type NameserverIssueCode')[0]
  for (const [, code] of declared.matchAll(/'([a-z_]+)'/g)) assert.ok(pages.has(code), code)
  const listed = [...readFileSync(join(PAGES, 'README.md'), 'utf8').matchAll(/^\| \[`([\w-]+)`\]\(\1\.md\) \| (.*) \|$/gm)]
  assert.deepEqual(listed.map(([, code]) => code).sort(), [...codes].sort())
  for (const [, code, what] of listed) assert.equal(what, parts(pages.get(code)).what.replaceAll('\n', ' '), code)
  assert.deepEqual(Object.keys(ISSUES).sort(), [...codes].sort())
})

for (const part of [0, 1, 2, 3]) {
  const some = codes.filter((_, at) => at % 4 === part)
  test(`an example has its code and its mend has not: ${some[0]} to ${some.at(-1)}`, async () => {
    for (const code of some) {
      const { example, mend } = parts(pages.get(code))
      const [before, after] = await Promise.all([said(example), said({ ...example, ...mend })])
      assert.ok(before.includes(code), `${code}: the example has ${before}`)
      assert.ok(!after.includes(code), `${code}: the mend has it, too`)
    }
  })
}

test('the report as SARIF has the words of each page and links to it', async () => {
  const { example } = parts(pages.get('unknown_group'))
  const { out } = await run(['check', '-', '--format', 'sarif'], example['policy.hujson'])
  const rule = JSON.parse(out).runs[0].tool.driver.rules.find(({ id }) => id === 'unknown_group')
  assert.deepEqual(rule, {
    id: 'unknown_group',
    name: 'UnknownGroup',
    shortDescription: { text: 'A group is used that `groups` does not define.' },
    fullDescription: { text: 'Nobody would be in it. Most often the name is misspelt, or the definition was renamed.' },
    help: {
      text: `A group is used that \`groups\` does not define.\nNobody would be in it. Most often the name is misspelt, or the definition was renamed.\n${pageOf('unknown_group')}`,
    },
    helpUri: pageOf('unknown_group'),
  })
})

test('the address of a page is that of the repository at the version', () => {
  const { version, repository } = JSON.parse(readFileSync('node_modules/tailnet-kit/package.json', 'utf8'))
  const address = repository.url.replace(/^git\+|\.git$/g, '')
  assert.equal(pageOf('unknown_group'), `${address}/blob/v${version}/docs/issues/unknown_group.md`)
  assert.equal(pageOf('not_a_code'), undefined)
})

test('the command links to the page: a terminal by the code, Markdown, and JSON', async () => {
  const { example } = parts(pages.get('unknown_group'))
  const { out } = await run(['check', '-'], example['policy.hujson'], { env: { FORCE_COLOR: '1', NO_COLOR: '' } })
  assert.ok(out.includes(`[\x1b]8;;${pageOf('unknown_group')}\x1b\\unknown_group\x1b]8;;\x1b\\]`), out)
  const markdown = (await run(['check', '-', '--format', 'markdown'], example['policy.hujson'])).out
  assert.ok(markdown.includes(`[\`unknown_group\`](${pageOf('unknown_group')})`), markdown)
  const json = JSON.parse((await run(['check', '-', '--json'], example['policy.hujson'])).out)
  assert.equal(json.issues.find(({ code }) => code === 'unknown_group').page, pageOf('unknown_group'))
})
