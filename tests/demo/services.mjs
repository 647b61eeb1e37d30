// Services on this machine for the page to connect to: a sandbox over HTTP, and a gateway before one. Must not live here: tests.
import { createServer } from 'node:http'
import { createGateway } from '../../pkg/gateway.js'
import { TailnetClient } from '../../pkg/index.js'
import { HeadscaleClient } from '../../pkg/headscale.js'
import { HeadscaleSandbox, Sandbox } from '../../pkg/sandbox.js'
import { here } from './page.mjs'

/** Passes a request of Node to a handler of the web's requests. */
async function answer(handle, incoming, outgoing) {
  const parts = []
  for await (const part of incoming) parts.push(part)
  const { method, headers, url } = incoming
  const body = parts.length > 0 ? Buffer.concat(parts) : undefined
  const response = await handle(new Request(new URL(url, `http://${headers.host}`), { method, headers, body }))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

async function listen(handle) {
  // A page that is closed leaves unfinished requests.
  const server = createServer((incoming, outgoing) => void answer(handle, incoming, outgoing).catch(() => outgoing.destroy()))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}`
  here.expected.push(url)
  const close = () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)))
  here.services.push(close)
  return { url, close }
}

/** A sandbox over HTTP, and somebody else's client of it. */
export async function sandboxOverHTTP() {
  const sandbox = new Sandbox()
  const other = new TailnetClient({ baseURL: sandbox.baseURL, fetch: sandbox.fetch, tailnet: 'example.com', apiKey: 'tskey-sandbox' })
  return { ...(await listen(sandbox.fetch)), other, sandbox }
}

/** The same behind a proxy that removes ETags. */
export async function sandboxWithoutETag() {
  const { sandbox, other } = await sandboxOverHTTP()
  const bare = async (request) => {
    const response = await sandbox.fetch(request)
    const headers = new Headers(response.headers)
    headers.delete('etag')
    return new Response(response.body, { status: response.status, headers })
  }
  return { ...(await listen(bare)), other }
}

/** A gateway that lets the page read and write; the key stays with it. */
export async function gateway() {
  const { baseURL, fetch } = new Sandbox({ apiKey: 'tskey-secret' })
  const allow = ['devices.list', 'acl.get', 'dns.nameservers.get', 'dns.preferences.get', 'dns.searchPaths.get']
  return listen(
    createGateway({ baseURL, fetch, apiKey: 'tskey-secret', tailnet: 'example.com', allow, origins: [new URL(here.origin).origin], authorize: () => true }),
  )
}

/** A gateway before a Headscale, and somebody else's client of it. With `isOpen` it passes the caller's key on, as a proxy does. */
export async function headscaleBehindGateway({ isOpen = false } = {}) {
  const { apiKey, baseURL, fetch } = new HeadscaleSandbox()
  const other = new HeadscaleClient({ baseURL, fetch, apiKey })
  const { origin } = new URL(here.origin)
  if (!isOpen) {
    const handle = createGateway({ service: 'headscale', tailnet: '-', baseURL, fetch, apiKey, allow: ['*.*'], origins: [origin], authorize: () => true })
    return { ...(await listen(handle)), other, apiKey }
  }
  const cors = { 'access-control-allow-origin': origin, 'access-control-allow-headers': '*, authorization', 'access-control-allow-methods': '*' }
  const proxy = async (request) => {
    const { status, body, headers } = request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await fetch(request)
    return new Response(body, { status, headers: { ...Object.fromEntries(headers), ...cors } })
  }
  return { ...(await listen(proxy)), other, apiKey }
}

/** Fills in the dialog and connects. */
export async function connect(kind, url) {
  const { page } = here
  await page.getByRole('button', { name: /^Connected to/ }).click()
  await page.getByRole('radio', { name: kind }).check()
  if (url)
    await page
      .getByLabel(/^Address of the/)
      .filter({ visible: true })
      .fill(url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
}

/** Holds back the page's requests until the returned function is called. */
export async function hold(service, methods = ['POST']) {
  let release
  const released = new Promise((resolve) => (release = resolve))
  await here.page.route(`${service.url}/**`, async (route) => {
    if (methods.includes(route.request().method())) await released
    await route.continue()
  })
  return release
}
