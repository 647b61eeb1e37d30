// The examples, each started and called; gateways also from a real page in front of them. Must not live here: how they start.

import { cpSync, existsSync, readFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { equal } from '../cases/assert.mjs'
import { FLAGS, executable } from '../lib/browser.mjs'
import { bun, deno, next, worker } from '../lib/examples.mjs'
import { HERE, project } from '../lib/project.mjs'

const KEY = 'tskey-sandbox'
const COOKIE = 'session=known'
const DEVICES = '/api/v2/tailnet/example.com/devices'
const SEARCH = '/api/v2/tailnet/example.com/dns/searchpaths'
const inline = (name) => `/node_modules/tailnet-kit/${name}.js`

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  cpSync(join(HERE, '../../examples'), join(dir, 'examples'), { recursive: true })
  const env = { SERVICE_URL: baseURL, API_KEY: KEY, TAILNET: 'example.com', SESSION: 'known' }
  const cases = [
    ['workerd sandbox', () => worker(dir, 'sandbox.js', { API_KEY: KEY }), sandbox],
    ['workerd sandbox after a restart', () => worker(dir, 'sandbox.js', { API_KEY: KEY }), remembers],
    ['deno sandbox', () => deno(dir, 'sandbox.js', { API_KEY: KEY, STATE: 'deno.sqlite' }), sandbox],
    ['deno sandbox after a restart', () => deno(dir, 'sandbox.js', { API_KEY: KEY, STATE: 'deno.sqlite' }), remembers],
    ['bun sandbox', () => bun(dir, 'sandbox.js', { API_KEY: KEY, STATE: 'bun.sqlite' }), sandbox],
    ['bun sandbox after a restart', () => bun(dir, 'sandbox.js', { API_KEY: KEY, STATE: 'bun.sqlite' }), remembers],
    ['workerd gateway', () => worker(dir, 'gateway.js', env), (base) => gateway(base, '/gate', dir)],
    ['deno gateway', () => deno(dir, 'gateway.js', env), (base) => gateway(base, '/gate', dir)],
    ['bun gateway', () => bun(dir, 'gateway.js', env), (base) => gateway(base, '/gate', dir)],
    ['edge route of next', () => next(dir, env), (base) => gateway(base, '/api/tailnet', dir)],
  ]
  const outcomes = []
  for (const [name, start, check] of cases) outcomes.push({ name, error: await fault(start, check) })
  return outcomes
}

/** Null if all went well. */
async function fault(start, check) {
  let server
  try {
    server = await start()
    await check(server.base)
    return null
  } catch (error) {
    return String(error?.message ?? error)
  } finally {
    await server?.stop()
  }
}

const signed = { authorization: `Basic ${btoa(`${KEY}:`)}` }
const set = (base, paths) => fetch(base + SEARCH, { method: 'POST', headers: signed, body: JSON.stringify({ searchPaths: paths }) })
const get = async (base) => (await (await fetch(base + SEARCH, { headers: signed })).json()).searchPaths

async function sandbox(base) {
  equal((await fetch(base + DEVICES)).status, 401)
  equal((await (await fetch(base + DEVICES, { headers: signed })).json()).devices.length, 12)
  equal((await set(base, ['kept.example'])).status, 200)
  equal(await get(base), ['kept.example'])
}

const remembers = async (base) => equal(await get(base), ['kept.example'])

async function gateway(base, prefix, dir) {
  const ask = (path, init) => fetch(`${base}${prefix}${path}`, { ...init, headers: { cookie: COOKIE } })
  equal((await fetch(base + prefix + DEVICES)).status, 401)
  equal((await fetch(base + prefix + DEVICES, { headers: { cookie: 'session=undefined' } })).status, 401)
  const { devices } = await (await ask(DEVICES)).json()
  equal(devices.length, 12)
  equal((await ask(`/api/v2/device/${devices[0].id}`)).status, 200)
  equal((await ask('/api/v2/tailnet/alice@gmail.com/devices')).status, 403)
  equal((await ask(`/api/v2/device/${devices[0].id}`, { method: 'DELETE' })).status, 403)
  equal((await ask('/nothing')).status, 404)
  equal(await fromPage(base, prefix, dir), { devices: 12, etag: true, refused: 'permission_denied' })
}

/** What a client without a key sees in a page of the gateway's own origin. */
async function fromPage(base, prefix, dir) {
  const server = createServer((request, response) => (request.url.startsWith(prefix) ? pass(base, request, response) : file(dir, prefix, request, response)))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
  try {
    const page = await browser.newPage()
    const faults = []
    page.on('pageerror', (error) => faults.push(String(error?.message ?? error)))
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    const seen = await page.waitForFunction(() => globalThis.seen, undefined, { timeout: 30_000 }).catch((error) => {
      throw new Error(faults.join('\n') || error.message)
    })
    return await seen.jsonValue()
  } finally {
    await browser.close()
    server.close()
  }
}

function pass(base, { url, method, headers }, response) {
  const passed = forward(base + url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  passed.on('error', () => response.writeHead(502).end())
  passed.end()
}

function file(dir, prefix, { url }, response) {
  if (url === '/') return response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': COOKIE }).end(html(prefix))
  const path = join(dir, new URL(url, 'http://page').pathname)
  if (!existsSync(path) || extname(path) !== '.js') return response.writeHead(404).end()
  return response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(path))
}

const html = (prefix) => `<!doctype html>
<script type="importmap">${JSON.stringify({ imports: { 'tailnet-kit': inline('index') } })}</script>
<script type="module">
import { TailnetClient } from 'tailnet-kit'
const client = new TailnetClient({ apiKey: null, baseURL: '${prefix}', tailnet: 'example.com' })
const { length: devices } = await client.devices.list()
const { etag } = await client.acl.get()
const refused = await client.dns.searchPaths.set([]).catch((error) => error.code)
globalThis.seen = { devices, etag: etag !== null, refused }
</script>`
