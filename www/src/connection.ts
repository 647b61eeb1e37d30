// Where the page is connected to, and what it says of that. Must not live here: a client (clients.ts), changing to another service (service.ts).
import type { HeadscaleClient } from 'tailnet-kit/headscale'
import type { AclText, PolicyContext, TailnetClient } from 'tailnet-kit/slim'
import { the } from './dom.js'
import { type Example, examples } from './examples.js'
import { keep, recall, typeFor } from './storage.js'

/** `example` says what the sandbox in the page began with. */
export type Connection = { kind: 'page' | 'sandbox' | 'gateway' | 'headscale'; baseURL: string; tailnet: string; example?: string }

/** What the page needs of a service: its client, its policy, and the network that a policy is judged in. */
export interface Service {
  client: TailnetClient | HeadscaleClient
  stored(): Promise<AclText>
  network(): Promise<PolicyContext>
}

/** The sandbox that the page begins with. */
export const inPage: Connection = { kind: 'page', baseURL: '', tailnet: 'example.com', example: 'office' }

/** Where the page is connected to. */
export let connection = recall<Connection>('connection') ?? inPage

/** The example that the sandbox in the page began with; undefined for another service. */
export const example = ({ kind, example = 'office' } = connection): Example | undefined => (kind === 'page' ? examples[example] : undefined)

/** Whether the service is a Headscale, which has neither DNS nor settings to change, and no roles. */
export const isHeadscale = (to = connection) => to.kind === 'headscale' || example(to)?.dialect === 'headscale'

/** The words for a connection. */
export const described = (to = connection) =>
  `${to.kind === 'page' ? `Sandbox in this page: ${example(to)?.title}` : to.baseURL} · ${isHeadscale(to) ? 'Headscale' : to.tailnet}`
typeFor(described())

/** Sets where the page is connected to. */
export function connectTo(to: Connection): void {
  connection = to
  keep('connection', to)
  typeFor(described())
  the('connection').classList.remove('unreachable')
}
