// The service the page talks to, its client, and what it begins with. Must not live here: how a client is made (clients.ts), the dialog that chooses the
// service (connect.ts), a stored key.
import type { AclText, Device, TailnetClient } from 'tailnet-kit/slim'
import beginningOfAll from 'virtual:example'
import { type Connection, connectTo, connection, described, inPage, isHeadscale } from './connection.js'
import { examples } from './examples.js'
import { known, once } from './kit.js'
import { forget, recall, typed } from './storage.js'

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
  connectTo(candidate ? to : { ...to })
  client = candidate ? async () => candidate : opened()
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
