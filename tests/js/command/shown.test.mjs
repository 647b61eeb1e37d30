// Every command `npx --no tailnet-kit …` that README, guides, pages and `--help` show, run by a shell in a project that has the package, in the order
// in which a page shows them. Must not live here: what a command answers.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { KEY, run, serve } from '../command.mjs'
import { REPOSITORY, git } from './tools.mjs'

const pagesIn = (folder) => readdirSync(join(REPOSITORY, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []))
const PAGES = [
  'README.md',
  'action/README.md',
  'editors/vscode/README.md',
  'www/README.md',
  'examples/README.md',
  ...pagesIn('docs'),
  ...pagesIn('docs/guides'),
]
/** The commands of a text, without what a comment or prose says after them. */
const commandsOf = (words) => [...words.matchAll(/npx --no tailnet-kit (?=[a-z])([^`#\n]*)/g)].map(([line]) => line.trim())
const shown = PAGES.map((page) => [page, commandsOf(readFileSync(join(REPOSITORY, page), 'utf8'))]).filter(([, lines]) => lines.length > 0)
/** Commands that run until somebody ends them. */
const SERVES = /tailnet-kit (sandbox|lsp)\b/

const HEADSCALE_KEY = 'hskey-api-sandbox-secret'
let tailscale
let headscale
before(async () => {
  tailscale = await serve('--tailnet', 'example.com')
  headscale = await serve('--headscale')
})
after(() => Promise.all([tailscale.kill('SIGTERM'), headscale.kill('SIGTERM')]))

/** A service of the language, with the variables by which the command finds it. */
const serviceOf = (isHeadscale) => ({
  TAILNET_BASE_URL: (isHeadscale ? headscale : tailscale).base,
  TAILNET_API_KEY: isHeadscale ? HEADSCALE_KEY : KEY,
})

/** A repository inside of the project, with the policy of the service, a guard, and what else the commands name. */
async function repository(isHeadscale) {
  const place = mkdtempSync(join(resolve('.'), 'shown-'))
  const env = serviceOf(isHeadscale)
  const pulled = await run(['pull', ...(isHeadscale ? ['--dialect', 'headscale'] : [])], '', { env })
  const listed = await fetch(`${env.TAILNET_BASE_URL}/api/v1/node`, { headers: { authorization: `Bearer ${HEADSCALE_KEY}` } })
  const files = {
    'tailnet.guard.hujson': '[]',
    'devices.json': '{"devices": [{"id": "1", "hostname": "laptop", "user": "alice@example.com", "addresses": ["100.64.0.1"]}]}',
    'policy.headscale.hujson': '{"acls": [{"action": "accept", "src": ["ann@"], "dst": ["ann@:22"]}]}\n',
    ...Object.fromEntries(['policy', 'before', 'after', 'old', 'new'].map((name) => [`${name}.hujson`, pulled.out])),
    ...(isHeadscale && { 'nodes.json': await listed.text() }),
  }
  for (const [name, words] of Object.entries(files)) writeFileSync(join(place, name), words)
  git(place, 'init', '-q')
  git(place, 'add', '.')
  git(place, 'commit', '-qm', 'start')
  return place
}

/** The environment without the variables of CI services, which change what a command compares with. */
const plain = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GITHUB_|CI_|TAILNET_|NODE_TEST)/.test(name)))

/** What an editor says first to its server. */
const HELLO = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {} } })

/** Runs a line as a shell does; one that serves is ended once it has answered, or has said where it is. */
async function performed(line, cwd, more) {
  const serves = SERVES.test(line)
  const isSandbox = line.includes('tailnet-kit sandbox')
  const child = spawn('sh', ['-c', `${line}${isSandbox && !line.includes('--port') ? ' --port 0' : ''}`], { cwd, env: { ...plain, ...more }, detached: serves })
  if (!serves) {
    child.stdin.end()
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code, out, err }
  }
  if (!isSandbox) child.stdin.write(`Content-Length: ${HELLO.length}\r\n\r\n${HELLO}`)
  const [heard] = await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
  if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  const out = String(heard)
  return { code: /^http:\/\/127\.0\.0\.1:\d+|^Content-Length: /.test(out) ? 0 : 2, out, err: '' }
}

for (const [page, lines] of shown) {
  test(`${page}: its commands run`, async () => {
    const isHeadscale = page.includes('headscale')
    const place = await repository(isHeadscale)
    for (const line of lines) {
      const { code, out, err } = await performed(line, place, serviceOf(isHeadscale))
      assert.equal(code, 0, `${line}\n${err}${out}`)
      assert.ok(out !== '' || line.includes('--output'), `${line} says nothing`)
    }
  })
}

test('the examples of each help page run', async (context) => {
  const place = await repository(false)
  const hasJq = spawnSync('jq', ['--version']).status === 0
  const names = (await run(['--help'])).out.match(/^ {2}(\w+) /gm).map((name) => name.trim())
  assert.ok(names.length > 15)
  for (const name of names) {
    const examples = (await run([name, '--help'])).out.split('Examples:\n')[1].trim().split('\n')
    for (const example of examples) {
      if (example.includes('| jq') && !hasJq) {
        context.diagnostic(`not run, as there is no jq: ${example.trim()}`)
        continue
      }
      const isHeadscale = example.includes('policy.headscale.hujson --base-url')
      const line = example.trim().replace('https://headscale.example.com', headscale.base).replace('origin/main', 'main')
      const { code, out, err } = await performed(line, place, serviceOf(isHeadscale))
      // An answer may be no, or partly; that is no wrong usage.
      assert.ok(code === 0 || code === 1 || line.includes('--exit-code'), `${line}\n${err}${out}`)
    }
  }
})
