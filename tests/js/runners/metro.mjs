// Metro: a page with every entry works without a setting for this package; on a phone, whose engine has no WebAssembly, every import throws
// an error that says so. Must not live here: how Metro is set up.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { equal } from '../cases/assert.mjs'
import { metro } from '../lib/metro.mjs'
import { project, run } from '../lib/project.mjs'

const PAGE = `import { TailnetClient, cidr, hujson, isTailnetError, policy } from 'tailnet-kit'
import { cidr as alone } from 'tailnet-kit/cidr'
import { createGateway } from 'tailnet-kit/gateway'
import { language } from 'tailnet-kit/language'
import { Sandbox } from 'tailnet-kit/sandbox'
import { cidr as unstarted } from 'tailnet-kit/slim'

const thrown = (action) => { try { return action() } catch (error) { return [error.name, error.code, isTailnetError(error)] } }
const { baseURL, fetch } = new Sandbox()
const client = new TailnetClient({ baseURL, fetch, apiKey: 'tskey-sandbox', tailnet: 'example.com', dangerouslyAllowBrowser: true })
client.dns.nameservers.get().then(({ dns }) => console.log(JSON.stringify([
  dns.length > 0, cidr.check('10.1.2.3/8').suggestion, alone.check('10.1.2.3/8').suggestion,
  hujson.parse('[1, /* two */ 2,]'), policy.check('{}').accepted, language.tokens('{"acls": []}').length > 0,
  thrown(() => createGateway({})), thrown(() => unstarted.check('10.0.0.0/8')),
])))
`
const ANSWERS = [
  true,
  '10.0.0.0/8',
  '10.0.0.0/8',
  [1, 2],
  true,
  true,
  ['InvalidArgumentError', 'invalid_argument', true],
  ['NotInitializedError', 'not_initialized', true],
]

/** A program that imports each of these where there is no WebAssembly, and prints what was thrown. */
const phone = (entries) => `delete globalThis.WebAssembly
const thrown = (action) => { try { return action() && 'nothing' } catch (error) { return error.message } }
console.log(JSON.stringify([${entries.map((entry) => `thrown(() => require('${entry}'))`)}]))
`
const SENTENCE = "tailnet-kit cannot run here: React Native's engine has no WebAssembly; run it on a server, or in a page in a WebView"

/** The entries with wasm. Editors and elements load theirs later and need a page, those for libraries of others have none; other entries are files, not code. */
const entriesOf = (dir) => {
  const { exports } = JSON.parse(readFileSync(join(dir, 'node_modules/tailnet-kit/package.json'), 'utf8'))
  return Object.keys(exports)
    .filter((entry) => !/^\.\/(codemirror|monaco|elements|react|msw|query)(\/|$)|\.(json|wasm)$/.test(entry))
    .map((entry) => `tailnet-kit${entry.slice(1)}`)
}

export default async ({ tarball }) => {
  const dir = await project(tarball, { 'page.js': PAGE })
  const entries = entriesOf(dir)
  writeFileSync(join(dir, 'phone.js'), phone(entries))
  const printed = async (app, platform) => {
    writeFileSync(join(dir, 'bundle.cjs'), await metro(dir, app, platform))
    return JSON.parse(await run(dir, process.execPath, ['bundle.cjs']))
  }
  const outcomes = []
  for (const [app, platform, wanted] of [
    ['page.js', 'web', ANSWERS],
    ['phone.js', 'ios', entries.map(() => SENTENCE)],
    ['phone.js', 'android', entries.map(() => SENTENCE)],
  ]) {
    const error = await printed(app, platform)
      .then((answers) => equal(answers, wanted))
      .then(
        () => null,
        (fault) => String(fault?.message ?? fault),
      )
    outcomes.push({ name: `${app} for ${platform}`, error })
  }
  return outcomes
}
