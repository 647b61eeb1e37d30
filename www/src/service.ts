// The service the page talks to, and what it begins with. Must not live here: how a client of it is made (clients.ts), the dialog that chooses it
// (connect.ts), a stored key.
import type { AclText, Device, TailnetClient } from 'tailnet-kit/slim'
import beginningOfAll from 'virtual:example'
import { the } from './dom.js'
import { type Example, examples } from './examples.js'
import { known, once } from './kit.js'
import { forget, keep, recall, typeFor, typed } from './storage.js'

/** `example` says what the sandbox in the page began with. */
export type Connection = { kind: 'page' | 'sandbox' | 'gateway' | 'headscale'; baseURL: string; tailnet: string; example?: string }

const inPage: Connection = { kind: 'page', baseURL: '', tailnet: 'example.com', example: 'office' }

/** Where the page is connected to. */
export let connection = recall<Connection>('connection') ?? inPage

/** The example that the sandbox in the page began with; undefined for another service. */
export const example = ({ kind, example = 'office' } = connection): Example | undefined => (kind === 'page' ? examples[example] : undefined)

/** Whether the service is a Headscale, which has neither DNS nor settings to change, and no roles. */
export const isHeadscale = (to = connection) => to.kind === 'headscale' || example(to)?.dialect === 'headscale'

/** The policy of the example, as nobody has changed it; known once the page has what it begins with. */
export const original = (): string | undefined => (example() === examples.office ? beginningOfAll.acl.text : begun)
let begun: string | undefined
export const begin = (text: string | undefined) => void (begun = text)

/** The words for a connection. */
export const described = (to = connection) =>
  `${to.kind === 'page' ? `Sandbox in this page: ${example(to)?.title}` : to.baseURL} · ${isHeadscale(to) ? 'Headscale' : to.tailnet}`
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
  connection = candidate ? to : { ...to }
  client = candidate ? async () => candidate : opened()
  keep('connection', to)
  typeFor(described())
  the('connection').classList.remove('unreachable')
}

const opened = () => once(async () => (await import('./clients.js')).open(connection))

/** The client of the service; what it needs is fetched with the first call. */
export let client = opened()

/** Changes to a service that has answered this client. */
export function changeTo(to: Connection, candidate: TailnetClient): void {
  use(to, candidate)
  restart()
}

/** The policy and devices to begin with; the devices become the context of every question. For the unchanged sandbox both were
 * found when the page was built. */
export async function beginning(): Promise<{ acl: AclText; devices: Device[] }> {
  const found = described() === described(inPage) && !recall(typed('sandbox')) ? beginningOfAll : await asked()
  Object.assign(known, { devices: found.devices, domains: [connection.tailnet].filter((name) => !name.includes('@')) })
  // The users of a Headscale came with its devices, and with them its dialect.
  if (isHeadscale()) delete known.domains
  else for (const name of ['dialect', 'users'] as const) delete known[name]
  return found
}

async function asked(): Promise<{ acl: AclText; devices: Device[] }> {
  const { acl, devices } = await client()
  const [stored, all] = await Promise.all([acl.get(), devices.list({ fields: 'all' })])
  return { acl: stored, devices: all }
}
