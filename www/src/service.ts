// The service the page talks to, its client, and what it begins with. Must not live here: how a client is made (clients.ts), the dialog that chooses the
// service (connect.ts), a stored key.
import type { AclText, PolicyContext } from 'tailnet-kit/slim'
import built from 'virtual:example'
import { type Connection, type Service, connectTo, connection, described, inPage } from './connection.js'
import { examples } from './examples.js'
import { once } from './kit.js'
import { forget, recall, typed } from './storage.js'

/** The network of every question: devices, domains, dialect, which a text alone cannot say. */
export let known: PolicyContext = {}

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

/** Makes the page talk to this service, if it is open; otherwise opens it, with a new sandbox. */
function use(to: Connection, candidate?: Service): void {
  connectTo(candidate ? to : { ...to })
  client = candidate ? async () => candidate : opened()
}

const opened = () => once(async () => (await import('./clients.js')).open(connection))

/** The service; what it needs is fetched with the first call. */
export let client = opened()

/** Changes to a service that has answered. */
export function changeTo(to: Connection, candidate: Service): void {
  use(to, candidate)
  restart()
}

/** The policy to begin with; the network becomes the context of every question. For the unchanged sandbox both were found when the page was built. */
export async function beginning(): Promise<AclText> {
  if (described() === described(inPage) && !recall(typed('sandbox'))) {
    known = { devices: built.devices, domains: [connection.tailnet] }
    return built.acl
  }
  const { stored, network } = await client()
  const [acl] = await Promise.all([stored(), network().then((now) => (known = now))])
  return acl
}

/** Resolves when the network is known as it is after the last change of the service. */
export let looked = Promise.resolve()

/** Looks at the network again. */
export const look = (): void => {
  const [of, before] = [client, looked]
  looked = before.then(async () => {
    const now = await (await of()).network().catch(() => undefined)
    if (now && of === client) known = now
  })
}
