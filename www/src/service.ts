// The service the page talks to, its client, and the dialog that chooses it. Must not live here: what the service answers; a
// stored key.
import { type AclText, type Device, TailnetClient } from 'tailnet-kit/slim'
import type { Sandbox, SandboxState } from 'tailnet-kit/sandbox'
import beginningOfAll from 'virtual:example'
import { type Child, choose, field, h, the } from './dom.js'
import { type Example, examples } from './examples.js'
import { answered, known, once, startClient } from './kit.js'
import { forget, keep, recall, typeFor, typed } from './storage.js'

/** `example` says what the sandbox in the page began with. */
type Connection = { kind: 'page' | 'sandbox' | 'gateway'; baseURL: string; tailnet: string; example?: string }

/** A key for sandboxes only, so a page may contain it. */
const SANDBOX_KEY = 'tskey-sandbox'
const inPage: Connection = { kind: 'page', baseURL: '', tailnet: 'example.com', example: 'office' }

/** Where the page is connected to. */
export let connection = recall<Connection>('connection') ?? inPage
let sandbox: Sandbox | undefined

/** The example that the sandbox in the page began with; undefined for another service. */
export const example = ({ kind, example = 'office' } = connection): Example | undefined => (kind === 'page' ? examples[example] : undefined)

/** The policy of the example, as nobody has changed it; known once the page has what it begins with. */
export const original = (): string | undefined => (example()?.state ? begun : beginningOfAll.acl.text)
let begun: string | undefined

/** The words for a connection. */
export const described = (to = connection) => `${to.kind === 'page' ? `Sandbox in this page: ${example(to)?.title}` : to.baseURL} · ${to.tailnet}`
typeFor(described())

/** Changes to an example, with what was typed there before. False where the page shows it already. */
export function useExample(name: string): boolean {
  if (!(name in examples) || (connection.kind === 'page' && (connection.example ?? 'office') === name)) return false
  use({ ...inPage, example: name })
  return true
}

/** Puts the sandbox in the page back to what it began with, and drops what was typed for it. */
export function startOver(): void {
  forget()
  use(connection)
  restart()
}

let restart = (): unknown => undefined
/** Sets what draws everything anew when somebody chooses another service. */
export const whenAnother = (work: () => unknown) => void (restart = work)

/** Makes the page talk to this service, with the client if one is given; otherwise opens it, with a new sandbox. */
function use(to: Connection, candidate?: TailnetClient): void {
  if (!candidate) sandbox = undefined
  connection = to
  client = candidate ? async () => candidate : once(() => open(to, SANDBOX_KEY))
  keep('connection', to)
  typeFor(described())
  the('connection').classList.remove('unreachable')
}

/** The client of the service; what it needs is fetched with the first call. */
export let client = once(() => open(connection, SANDBOX_KEY))

/** The policy and devices to begin with; the devices become the context of every question. For the unchanged sandbox both were
 * found when the page was built. */
export async function beginning(): Promise<{ acl: AclText; devices: Device[] }> {
  const found = described() === described(inPage) && !recall(typed('sandbox')) ? beginningOfAll : await asked()
  const dialect = example()?.dialect
  Object.assign(known, { devices: found.devices, domains: [connection.tailnet].filter((name) => !name.includes('@')), dialect })
  if (!dialect) delete known.dialect
  return found
}

async function asked(): Promise<{ acl: AclText; devices: Device[] }> {
  const { acl, devices } = await client()
  const [stored, all] = await Promise.all([acl.get(), devices.list({ fields: 'all' })])
  return { acl: stored, devices: all }
}

async function open(to: Connection, key: string): Promise<TailnetClient> {
  await startClient()
  const { kind, baseURL, tailnet } = to
  // A gateway has the key. Any other service is a sandbox, whose key opens nothing of value.
  const access = { tailnet, apiKey: kind === 'gateway' ? null : key, dangerouslyAllowBrowser: true, maxRetries: 0 }
  if (kind !== 'page') return new TailnetClient({ ...access, baseURL, fetch: watched(fetch, to) })
  const { Sandbox } = await import('tailnet-kit/sandbox')
  const state = await example(to)?.state?.()
  begun = state?.tailnets?.['example.com']?.acl
  sandbox ??= new Sandbox({ state: recall<SandboxState>(typed('sandbox', described(to))) ?? state })
  return new TailnetClient({ ...access, apiKey: SANDBOX_KEY, baseURL: sandbox.baseURL, fetch: watched(sandbox.fetch, to) })
}

/** A fetch that shows whether the service in use answers and how fast, and that keeps the sandbox's state for after a reload. */
const watched =
  (call: typeof fetch, to: Connection): typeof fetch =>
  async (input, init) => {
    const [begin, before, request] = [performance.now(), sandbox?.revision, new Request(input, init)]
    // A service that is only being tried, or was left meanwhile, says nothing about the one in use.
    const unreachable = (yes: boolean) => to === connection && the('connection').classList.toggle('unreachable', yes)
    const response = await call(request).catch((error) => {
      unreachable(true)
      throw error
    })
    unreachable(false)
    answered(`${request.method} …/${new URL(request.url).pathname.split('/').slice(-2).join('/')}`, begin)
    if (sandbox?.revision !== before) keep(typed('sandbox', described(to)), sandbox?.snapshot())
    return response
  }

const kinds: Record<Connection['kind'], Child[]> = {
  page: ['The sandbox in this page', 'A simulated service in this tab. Closing the tab discards it.'],
  sandbox: ['A sandbox over HTTP', 'Start one with ', h('code', 'npx tailnet-kit sandbox --port 8081')],
  gateway: ['Your own service behind its gateway', 'The gateway holds the key, not this page. A path on this site, or a localhost address.'],
}

/** Asks for a service in a dialog, and changes to it if it answers. The key stays in this page's memory. */
export function chooseService(): void {
  const { kind: now, baseURL, tailnet } = connection
  const choice = ([kind, [title, ...about]]: [string, Child[]]) => {
    const box = h('input', { type: 'radio', name: 'kind', value: kind, checked: kind === now })
    return h('label.choice', box, h('span', title, ' ', h('small', ...about)))
  }
  const address = (kind: Connection['kind'], usual: string) =>
    field(`Address of the ${kind}`, h('input', { name: kind, value: kind === now ? baseURL : usual }))
  const key = h('input', { name: 'key', type: 'password', value: SANDBOX_KEY, autocomplete: 'off' })
  const content = [
    ...Object.entries(kinds).map(choice),
    h('div.of-sandbox', address('sandbox', 'http://127.0.0.1:8081'), field('API key (never stored)', key)),
    h('div.of-gateway', address('gateway', '/gateway')),
    field('Tailnet', h('input', { name: 'tailnet', value: tailnet })),
  ]
  const connect = async ({ kind = '', tailnet, key = '', ...addresses }: Record<string, string>) => {
    const wanted = { kind, tailnet, baseURL: addresses[kind] ?? '', example: connection.example } as Connection
    const candidate = await open(wanted, key)
    await candidate.dns.nameservers.get()
    use(wanted, candidate)
    restart()
  }
  void choose('Connect to', content, [['Cancel'], ['Connect', connect, 'primary']])
}
