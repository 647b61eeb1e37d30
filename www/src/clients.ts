// How a client of each kind of service is made, and the sandbox in the page. Must not live here: which service is in use; a stored key.
import { TailnetClient } from 'tailnet-kit/slim'
import type { SandboxState } from 'tailnet-kit/sandbox'
import { the } from './dom.js'
import { answered, startClient } from './kit.js'
import { type Connection, type Service, begin, connection, described, isHeadscale } from './connection.js'
import { keep, recall, typed } from './storage.js'

/** A key for sandboxes only, so a page may contain it. */
const SANDBOX_KEY = 'tskey-sandbox'

/** A service that is not in use yet, or the one that is. */
export async function open(to: Connection, key = to.kind === 'headscale' ? '' : SANDBOX_KEY): Promise<Service> {
  await startClient()
  const { kind, baseURL, tailnet } = to
  // A gateway has the key. Any other service is a sandbox, whose key opens nothing of value, or a Headscale whose key is typed.
  const access = { apiKey: kind === 'gateway' ? null : key || null, dangerouslyAllowBrowser: true, maxRetries: 0 }
  if (isHeadscale(to)) {
    const { headscale, inPage } = await import('./headscale.js')
    if (kind !== 'page') return headscale({ ...access, baseURL, fetch: watched(fetch, to) })
    const { box, begun } = inPage(recall(typed('sandbox', described(to))))
    begin(begun)
    return headscale({ ...access, apiKey: box.apiKey, baseURL: box.baseURL, fetch: watched(box.fetch, to, box) })
  }
  const service = (client: TailnetClient) => ({
    client,
    acl: client.acl,
    network: async () => ({ devices: await client.devices.list({ fields: 'all' }), domains: [tailnet].filter((name) => !name.includes('@')) }),
  })
  if (kind !== 'page') return service(new TailnetClient({ ...access, tailnet, baseURL, fetch: watched(fetch, to) }))
  const { Sandbox } = await import('tailnet-kit/sandbox')
  const { tailnets } = await import('./tailnets.js')
  const state = tailnets[to.example ?? '']?.()
  begin(state?.tailnets?.['example.com']?.acl)
  const box = new Sandbox({ state: recall<SandboxState>(typed('sandbox', described(to))) ?? state })
  return service(new TailnetClient({ ...access, tailnet, apiKey: SANDBOX_KEY, baseURL: box.baseURL, fetch: watched(box.fetch, to, box) }))
}

/** A fetch that shows whether the service in use answers and how fast, and that keeps the sandbox's state for after a reload. */
const watched =
  (call: typeof fetch, to: Connection, sandbox?: { snapshot(): unknown }): typeof fetch =>
  async (input, init) => {
    const [begin, request] = [performance.now(), new Request(input, init)]
    // A service that is only being tried, or was left meanwhile, says nothing about the one in use.
    const unreachable = (yes: boolean) => to === connection && the('connection').classList.toggle('unreachable', yes)
    const response = await call(request).catch((error) => {
      unreachable(true)
      throw error
    })
    unreachable(false)
    answered(`${request.method} …/${new URL(request.url).pathname.split('/').slice(-2).join('/')}`, begin)
    if (sandbox && request.method !== 'GET') keep(typed('sandbox', described(to)), sandbox.snapshot())
    return response
  }
