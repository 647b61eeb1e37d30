// Starts each example and calls it; gateways are also called from a real page. Must not live here: how they start.

import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import { extname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { equal } from '../cases/assert.mjs'
import { FLAGS, PATIENCE, executable } from '../lib/browser.mjs'
import { bun, deno, worker } from '../lib/examples.mjs'
import { HERE, project } from '../lib/project.mjs'

const KEY = 'tskey-sandbox'
const COOKIE = 'session=known'
const DEVICES = '/api/v2/tailnet/example.com/devices'
const SEARCH = '/api/v2/tailnet/example.com/dns/searchpaths'
const inline = (name) => `/node_modules/tailnet-kit/${name}.js`

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  cpSync(join(HERE, '../../examples'), join(dir, 'examples'), { recursive: true })
  const env = { SERVICE_URL: baseURL, API_KEY: KEY, TAILNET: 'example.com', SESSION: 'known', SESSION_SECRET: SECRET }
  const cases = [
    ['workerd sandbox', () => worker(dir, 'sandbox', { API_KEY: KEY }), sandbox],
    ['workerd sandbox after a restart', () => worker(dir, 'sandbox', { API_KEY: KEY }), remembers],
    ['deno sandbox', () => deno(dir, 'sandbox.ts', { API_KEY: KEY, STATE: 'deno.sqlite' }), sandbox],
    ['deno sandbox after a restart', () => deno(dir, 'sandbox.ts', { API_KEY: KEY, STATE: 'deno.sqlite' }), remembers],
    ['bun sandbox', () => bun(dir, 'sandbox.ts', { API_KEY: KEY, STATE: 'bun.sqlite' }), sandbox],
    ['bun sandbox after a restart', () => bun(dir, 'sandbox.ts', { API_KEY: KEY, STATE: 'bun.sqlite' }), remembers],
    [
      'workerd gateway behind Cloudflare Access',
      async () => worker(dir, 'gateway', { ...env, ACCESS_TEAM: await access.open(), ACCESS_AUDIENCE: AUDIENCE }),
      (base) =>
        gateway(
          base,
          '/gate',
          dir,
          { [ACCESS]: access.token() },
          access.refused().map((token) => ({ [ACCESS]: token })),
        ),
    ],
    ['deno gateway', () => deno(dir, 'gateway.ts', env), (base) => gateway(base, '/gate', dir, { cookie: cookie() }, forged)],
    ['bun gateway', () => bun(dir, 'gateway.ts', env), (base) => gateway(base, '/gate', dir, { cookie: cookie() }, forged)],
    [
      'workerd one-time key',
      async () => worker(dir, 'one-time-key', { ...env, PERSON: 'ann@example.com', CLIENT_SECRET: await clientSecret(baseURL) }),
      (base) => oneTimeKey(base, baseURL),
    ],
    [
      'workerd webhook',
      async () => worker(dir, 'webhook', { WEBHOOK_SECRET: 'fresh', OLD_WEBHOOK_SECRET: 'old', CHAT_URL: await room.open() }),
      (base) => webhook(base),
    ],
  ]
  const outcomes = []
  for (const [name, start, check] of cases) outcomes.push({ name, error: await fault(start, check) })
  room.close()
  access.close()
  return outcomes
}

/** Starts a server and checks it; resolves with the fault, or null. */
export async function fault(start, check) {
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

export const SECRET = 'a secret of the gateway and of the login'
const LATER = () => Date.now() + 60_000
/** The cookie of a session as RFC 2104 and the example's declaration say: the session, a dot, its signature, each in base64url. */
export function cookie(session = { user: 'ann@example.com', until: LATER() }, secret = SECRET) {
  const said = Buffer.from(JSON.stringify(session)).toString('base64url')
  return `other=1; session=${said}.${createHmac('sha256', secret).update(said).digest('base64url')}`
}
const over = cookie({ user: 'ann@example.com', until: Date.now() - 1 })
const other = cookie({ user: 'bob@example.com', until: LATER() }).split('.')[0]
export const forged = [over, cookie(undefined, 'guessed'), `${other}.${cookie().split('.').at(-1)}`, other, `${other}.`, `${other}.x`, 'session=.'].map(
  (text) => ({
    cookie: text,
  }),
)

/** The header in which Cloudflare Access says who passed it. */
const ACCESS = 'cf-access-jwt-assertion'
const AUDIENCE = '4714c1358e65fe4b408ad6d432a5f878f08194bdb4752441fd56faefa9b2b6f2'
const json64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A team of Cloudflare Access: its keys, and tokens in the form that its documentation shows. */
const access = {
  pair: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  async open() {
    const key = { ...this.pair.publicKey.export({ format: 'jwk' }), kid: 'first', alg: 'RS256', use: 'sig' }
    this.server = createServer(({ url }, response) =>
      url === '/cdn-cgi/access/certs'
        ? response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [key] }))
        : response.writeHead(404).end(),
    )
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.team = `http://127.0.0.1:${this.server.address().port}`
    return this.team
  },
  token(claims = {}, head = {}, { privateKey } = this.pair) {
    const now = Math.floor(Date.now() / 1000)
    const all = { aud: [AUDIENCE], email: 'ann@example.com', exp: now + 60, iat: now, nbf: now, iss: this.team, type: 'app', sub: '7335d417', ...claims }
    const said = `${json64({ alg: 'RS256', kid: 'first', typ: 'JWT', ...head })}.${json64(all)}`
    return `${said}.${createSign('RSA-SHA256').update(said).sign(privateKey, 'base64url')}`
  },
  /** Over, not yet, of another application, of another team, by a key of somebody else, by none, and none at all. */
  refused() {
    const now = Math.floor(Date.now() / 1000)
    const [head, , signature] = this.token().split('.')
    return [
      this.token({ exp: now - 1 }),
      this.token({ nbf: now + 60 }),
      this.token({ aud: ['another'] }),
      this.token({ iss: 'https://other.cloudflareaccess.com' }),
      this.token({}, {}, generateKeyPairSync('rsa', { modulusLength: 2048 })),
      this.token({}, { kid: 'second' }),
      this.token({}, { alg: 'none' }),
      `${head}.${json64({ aud: [AUDIENCE], exp: now + 60, iss: this.team })}.${signature}`,
      `${head}.${signature}`,
      'none',
    ]
  },
  close() {
    this.server?.close()
  },
}

/** `known` are the headers of somebody with a session, `unknown` those of others. */
export async function gateway(base, prefix, dir, known = { cookie: COOKIE }, unknown = [{ cookie: 'session=undefined' }]) {
  const ask = (path, init) => fetch(`${base}${prefix}${path}`, { ...init, headers: known })
  for (const headers of [{}, ...unknown]) equal([(await fetch(base + prefix + DEVICES, { headers })).status, headers], [401, headers])
  const { devices } = await (await ask(DEVICES)).json()
  equal(devices.length, 12)
  equal((await ask(`/api/v2/device/${devices[0].id}`)).status, 200)
  equal((await ask('/api/v2/tailnet/alice@gmail.com/devices')).status, 403)
  equal((await ask(`/api/v2/device/${devices[0].id}`, { method: 'DELETE' })).status, 403)
  // Every method reaches the gateway, which names the operation; a framework would answer 405.
  for (const [method, path] of Object.entries({ PATCH: 'settings', PUT: 'services/svc:web' })) {
    equal((await ask(`/api/v2/tailnet/-/${path}`, { method })).status, 403)
  }
  equal((await ask('/nothing')).status, 404)
  equal(await fromPage(base, prefix, dir, known), { devices: 12, etag: true, refused: 'permission_denied' })
}

const admin = (baseURL, method, path, body) =>
  fetch(`${baseURL}/api/v2/tailnet/example.com${path}`, {
    method,
    headers: { ...signed, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })

/** The secret of a new OAuth client that may make keys with one tag. */
const clientSecret = async (baseURL) =>
  (await (await admin(baseURL, 'POST', '/keys', { keyType: 'client', scopes: ['auth_keys'], tags: ['tag:web'] })).json()).key

async function oneTimeKey(base, baseURL) {
  const ask = (path, init) => fetch(base + path, { method: 'POST', ...init })
  equal((await ask('/key')).status, 401)
  equal((await ask('/key', { headers: { cookie: 'session=undefined' } })).status, 401)
  equal((await ask('/key', { headers: { cookie: COOKIE, origin: 'https://evil.example' } })).status, 403)
  equal([(await ask('/', { headers: { cookie: COOKIE } })).status, (await ask('/key', { method: 'GET' })).status], [404, 404])
  // All at once, while there is no token: all wait for one request, which one of them began.
  const together = await Promise.all(Array.from({ length: 5 }, () => ask('/key', { headers: { cookie: COOKIE } })))
  equal(
    together.map(({ status }) => status),
    Array(5).fill(201),
  )
  const made = await ask('/key', { headers: { cookie: COOKIE, origin: base } })
  equal([made.status, made.headers.get('cache-control')], [201, 'no-store'])
  const { key } = await made.json()
  const { keys } = await (await admin(baseURL, 'GET', '/keys?all=true')).json()
  const { id, capabilities, expirySeconds, description } = keys.find(({ id }) => key.includes(id))
  equal([expirySeconds, description, key.includes(id)], [600, 'once for ann-example-com', true])
  equal(capabilities.devices.create, { reusable: false, ephemeral: false, preauthorized: true, tags: ['tag:web'] })
}

/** The chat room of the webhook; waits for a number of lines. */
const room = {
  lines: [],
  async open() {
    this.server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      this.lines.push(JSON.parse(body).text)
      response.end()
    })
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${this.server.address().port}/`
  },
  async told(count) {
    for (let round = 0; round < 100 && this.lines.length < count; round++) await wait(20)
    return this.lines
  },
  close() {
    this.server?.close()
  },
}

async function webhook(base) {
  const event = (type, data) => ({ timestamp: new Date().toISOString(), version: 1, type, tailnet: 'example.com', message: type, data })
  const body = JSON.stringify([
    event('nodeNeedsApproval', { deviceName: 'wéb-1', url: 'https://x.example' }),
    event('nodeSigned', {}),
    event('somethingNew', null),
    event('policyUpdate', null),
  ])
  const sign = (secret, t = Math.floor(Date.now() / 1000)) => `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
  const send = (signature, init) =>
    fetch(base, { method: 'POST', body, headers: signature === undefined ? {} : { 'Tailscale-Webhook-Signature': signature }, ...init })
  equal((await fetch(base)).status, 405)
  for (const [signature, reason] of [
    [undefined, 'missing'],
    ['t=1', 'malformed'],
    [sign('fresh', 1), 'expired'],
    [sign('guessed'), 'mismatch'],
  ]) {
    const answer = await send(signature)
    equal([answer.status, (await answer.json()).reason], [401, reason])
  }
  equal([(await send(sign('fresh'))).status, (await send(sign('old'))).status], [204, 204])
  equal((await room.told(4)).sort(), [...Array(2).fill('somebody changed the policy'), ...Array(2).fill('wéb-1 waits to be let in: https://x.example')])
}

/** The outcome of a client without a key in a page of the gateway's own origin. */
async function fromPage(base, prefix, dir, known) {
  const server = createServer((request, response) =>
    request.url.startsWith(prefix) ? pass(base, request, response, known) : file(dir, prefix, request, response),
  )
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
  try {
    const page = await browser.newPage()
    const faults = []
    page.on('pageerror', (error) => faults.push(String(error?.message ?? error)))
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    const seen = await page
      .waitForFunction(() => globalThis.seen, undefined, { timeout: PATIENCE })
      .catch((error) => {
        throw new Error(faults.join('\n') || error.message)
      })
    return await seen.jsonValue()
  } finally {
    await browser.close()
    server.close()
  }
}

/** As what stands in front of a gateway does, or the browser itself: it adds the session. */
function pass(base, { url, method, headers }, response, known) {
  const passed = forward(base + url, { method, headers: { ...headers, ...known } }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  passed.on('error', () => response.writeHead(502).end())
  passed.end()
}

function file(dir, prefix, { url }, response) {
  if (url === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(html(prefix))
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
