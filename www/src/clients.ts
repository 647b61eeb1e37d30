// How a client of each kind of service is made, and the sandbox in the page. Must not live here: which service is in use; a stored key.
import { TailnetClient } from 'tailnet-kit/slim'
import type { HeadscaleSandboxState, SandboxState } from 'tailnet-kit/sandbox'
import { the } from './dom.js'
import { answered, startClient } from './kit.js'
import { type Connection, type Service, connection, described, isHeadscale } from './connection.js'
import { keep, recall, typed } from './storage.js'

/** A key for sandboxes only, so a page may contain it. */
const SANDBOX_KEY = 'tskey-sandbox'

/** A sandbox in the page with what it held before a reload, or with its example. */
async function sandbox(to: Connection) {
  const kept = typed('sandbox', described(to))
  const [{ HeadscaleSandbox, Sandbox }, { tailnets }] = await Promise.all([import('tailnet-kit/sandbox'), import('./tailnets.js')])
  if (isHeadscale(to)) return new HeadscaleSandbox({ state: recall<HeadscaleSandboxState>(kept) })
  const state = recall<SandboxState>(kept) ?? tailnets[to.example ?? '']?.()
  return Object.assign(new Sandbox({ state }), { apiKey: SANDBOX_KEY })
}

/** A service that is not in use yet, or the one that is. */
export async function open(to: Connection, key = isHeadscale(to) ? null : SANDBOX_KEY): Promise<Service> {
  await startClient()
  const box = to.kind === 'page' ? await sandbox(to) : undefined
  // A gateway has the key. Any other service is a sandbox, whose key opens nothing of value, or a Headscale whose key is typed.
  const { baseURL, apiKey } = box ?? { baseURL: to.baseURL, apiKey: to.kind === 'gateway' ? null : key }
  const options = { apiKey, baseURL, dangerouslyAllowBrowser: true, maxRetries: 0, fetch: watched(box?.fetch ?? fetch, to, box) }
  if (isHeadscale(to)) {
    const { HeadscaleClient, contextFromHeadscale } = await import('tailnet-kit/headscale')
    const client = new HeadscaleClient(options)
    const stored = async () => {
      const { text } = await client.policy.get()
      return { format: 'hujson', text, etag: text } as const
    }
    return { client, stored, network: async () => contextFromHeadscale({ nodes: await client.nodes.list(), users: await client.users.list() }) }
  }
  const client = new TailnetClient({ ...options, tailnet: to.tailnet })
  const domains = [to.tailnet].filter((name) => !name.includes('@'))
  return { client, stored: () => client.acl.get(), network: async () => ({ devices: await client.devices.list({ fields: 'all' }), domains }) }
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
