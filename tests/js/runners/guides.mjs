// The guides: their code is that of `examples`, which is built, started and called as they say. Frameworks and test runners are installed in `docs`.
// Must not live here: examples that need none of these (`examples.mjs`).

import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { equal, ok } from '../cases/assert.mjs'
import { FLAGS, executable } from '../lib/browser.mjs'
import { electron } from '../lib/electron.mjs'
import { framework, hydrated, inSource, plain, readme } from '../lib/element-apps.mjs'
import { started } from '../lib/examples.mjs'
import { previewTab } from '../lib/headscale-page.mjs'
import { HERE, project, run } from '../lib/project.mjs'
import * as templates from '../lib/templates.mjs'
import { SECRET, cookie, fault, forged, gateway } from './examples.mjs'

const ROOT = join(HERE, '../..')
const DOCS = join(ROOT, 'docs')
const program = (name) => join(DOCS, 'node_modules/.bin', name)
const ENV = { NEXT_TELEMETRY_DISABLED: '1', CI: '1' }

export default async ({ tarball, baseURL }) => {
  // Beside the frameworks, so that each is found as in a real project.
  const dir = mkdtempSync(join(DOCS, 'run-'))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }))
  await project(tarball, {}, dir)
  // A framework would take a folder with a lock file for the root of the project, and not find itself.
  rmSync(join(dir, 'package-lock.json'), { force: true })
  cpSync(join(ROOT, 'examples'), join(dir, 'examples'), { recursive: true })
  const at = (name) => join(dir, 'examples', name)
  const secrets = { SERVICE_URL: baseURL, API_KEY: 'tskey-sandbox', TAILNET: 'example.com', SESSION_SECRET: SECRET }
  const env = { ...ENV, ...secrets }
  const cases = [
    ['what guides show', async () => shown()],
    ['react', () => page(dir, at('react'), baseURL)],
    ...['react', 'vue', 'svelte'].map((name) => [`elements in ${name}`, () => framework(dir, at('elements'), name)]),
    ['elements in a plain page', () => plain(dir, '/examples/elements/plain/')],
    ['elements rendered by a server', () => rendered(dir)],
    ['a preview in a dashboard of Headscale', () => previewTab(dir)],
    [
      'what the README shows of React',
      () => readme(dir, { vite: program('vite'), text: readFileSync(join(ROOT, 'README.md'), 'utf8'), examples: at('elements') }),
    ],
    ['next', () => serving(() => next(dir, at, env), dir)],
    ['sveltekit', () => serving(() => svelte(dir, at, env), dir)],
    ['vitest', () => vitest(dir, at('vitest'))],
    ['jest', () => jest(at('jest'))],
    ['electron', () => electron(dir, at('electron'), { env: secrets, tsc: program('tsc') }, listing)],
  ]
  const outcomes = []
  for (const [name, check] of cases)
    outcomes.push({
      name,
      error: await check().then(
        () => null,
        (error) => String(error?.message ?? error),
      ),
    })
  return outcomes
}

/** Checks that each block of a guide that names a file is a part of that file, with all of it shown but the first comment. */
function shown() {
  let blocks = 0
  for (const guide of readdirSync(join(DOCS, 'guides'))) {
    for (const [, path, text] of readFileSync(join(DOCS, 'guides', guide), 'utf8').matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)) {
      ok(readFileSync(join(ROOT, path), 'utf8').includes(text), `${guide} shows ${path} as it is`)
      blocks++
    }
  }
  ok(blocks > 9, 'guides show examples')
}

/** Checks that the window lists the devices, which it has from the main process. */
async function listing(window) {
  await window.locator('li').nth(11).waitFor()
  equal(await window.locator('li').count(), 12)
  equal(await window.evaluate(() => Object.keys(globalThis.tailnet)), ['devices'])
}

/** A server writes the tags, and nothing of what is in them. */
async function rendered(dir) {
  const script = `import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import * as elements from 'tailnet-kit/react'
console.log(Object.values(elements).map((element) => renderToString(createElement(element, { value: '{}', context: {}, className: 'wide', onRule() {} }))).join(''))`
  const said = await run(dir, process.execPath, ['--input-type=module', '--eval', script])
  for (const name of ['access', 'changes', 'flow']) ok(said.includes(`<tailnet-${name} class="wide"></tailnet-${name}>`), said)
  await hydrated(dir, said)
}

/** Builds the app without its secrets. */
async function next(dir, at, env) {
  const app = await templates.project(dir, 'next', 'next', { app: join(at('next'), 'app'), session: at('session') })
  await templates.built(app, { ...ENV, ...templates.withoutFonts(dir) })
  return started(program('next'), ['start', '--hostname', '127.0.0.1', '--port', '0'], app, env)
}

async function svelte(dir, at, env) {
  const app = await templates.project(dir, 'sveltekit', 'sveltekit', { src: join(at('sveltekit'), 'src'), 'src/lib/session': at('session') })
  await templates.built(app, ENV)
  return started(program('vite'), ['preview', '--host', '127.0.0.1', '--port', '0'], app, env)
}

/** The tests in a project of Vite's template, whose build checks their types. */
async function vitest(dir, example) {
  const app = await templates.project(dir, 'vitest', 'vanilla-ts', inSource(example))
  await templates.built(app)
  return run(app, program('vitest'), ['run', '--root', '.'], { env: ENV })
}

/** The tests with the configuration that `ts-jest config:init` writes: it checks their types. */
async function jest(example) {
  writeFileSync(join(example, 'package.json'), '{ "type": "commonjs" }')
  await run(example, program('ts-jest'), ['config:init'])
  return run(example, program('jest'), [], { env: ENV })
}

/** Checks that the app answers with a page, and that its route is a gateway. */
async function serving(start, dir) {
  const error = await fault(start, async (base) => {
    const answer = await fetch(base)
    equal([answer.status, answer.headers.get('content-type')?.split(';')[0]], [200, 'text/html'])
    await gateway(base, '/api/tailnet', dir, { cookie: cookie() }, forged)
  })
  if (error) throw new Error(error)
}

/** Checks the page, built in a project of Vite's template, in a browser: what both hooks found, and that the wasm was fetched once. */
async function page(dir, example, baseURL) {
  const app = await templates.project(dir, 'react', 'react-ts', inSource(example))
  await templates.built(app)
  const fetched = []
  const server = createServer((request, response) =>
    request.url.startsWith('/gate/') ? pass(baseURL, request, response) : file(join(app, 'dist'), request.url, response, fetched),
  )
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
  try {
    const tab = await browser.newPage()
    const faults = []
    tab.on('pageerror', (error) => faults.push(String(error?.message ?? error)))
    await tab.goto(`http://127.0.0.1:${server.address().port}/`)
    await tab
      .waitForFunction(() => /\d+ devices/.test(document.body.innerText) && /group not found/.test(document.querySelector('output').textContent), undefined, {
        timeout: 30_000,
      })
      .catch((error) => {
        throw new Error(faults.join('\n') || error.message)
      })
    await tab.fill('textarea', '{}')
    await tab.waitForFunction(() => document.querySelector('output').textContent === 'accepted')
    equal(fetched.filter((path) => path.endsWith('.wasm')).length, 1)
  } finally {
    await browser.close()
    server.close()
  }
}

/** A gateway in short: it adds the key. */
function pass(baseURL, { url, method }, response) {
  const passed = forward(baseURL + url.slice('/gate'.length), { method, headers: { authorization: `Basic ${btoa('tskey-sandbox:')}` } }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  passed.on('error', () => response.writeHead(502).end())
  passed.end()
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }

function file(dir, url, response, fetched) {
  const path = url === '/' ? '/index.html' : new URL(url, 'http://page').pathname
  fetched.push(path)
  try {
    const bytes = readFileSync(join(dir, path))
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(bytes)
  } catch {
    response.writeHead(404).end()
  }
}
