// Headscale as the views ask for it: what its own API answers, in the shape of the other service. Must not live here: a view.
import type { AclText, Device, Key, NewAuthKey, TailnetClient, User } from 'tailnet-kit/slim'
import {
  ConflictError,
  HeadscaleClient,
  type HeadscaleClientOptions,
  type HeadscaleNode,
  type HeadscalePreAuthKey,
  type HeadscaleStoredPolicy,
  type HeadscaleUser,
  contextFromHeadscale,
} from 'tailnet-kit/headscale'
import { HeadscaleSandbox, type HeadscaleSandboxOptions } from 'tailnet-kit/sandbox'
import { known } from './kit.js'

/** What of a node a policy does not ask, as the other service has it. */
const device = ({ online, lastSeen, expiry }: HeadscaleNode) => ({
  connectedToControl: online,
  lastSeen: lastSeen ?? '',
  keyExpiryDisabled: expiry === null,
  expires: expiry ?? '',
})

const keyOf = ({ id, user, reusable, ephemeral, used, expiration, aclTags }: HeadscalePreAuthKey): Key => ({
  id,
  description: user?.name ?? '',
  keyType: 'auth',
  expires: expiration ?? undefined,
  invalid: (used && !reusable) || (expiration !== null && Date.parse(expiration) < Date.now()),
  capabilities: { devices: { create: { reusable, ephemeral, preauthorized: false, tags: aclTags } } },
})

/** A text is its own ETag: a server keeps whatever is written last, so a write begins with a look at what is stored. */
const aclOf = ({ text }: HeadscaleStoredPolicy): AclText => ({ format: 'hujson', text, etag: text })

/** A client with the operations that the views need; the rest of the other service's there is not. */
export function headscale(options: HeadscaleClientOptions) {
  const { nodes, users, policy, preAuthKeys } = new HeadscaleClient(options)
  const list = async () => {
    const [all, people] = await Promise.all([nodes.list(), users.list()])
    const context = contextFromHeadscale({ nodes: all, users: people })
    Object.assign(known, context)
    return { all, people, devices: context.devices ?? [] }
  }
  // The page judges while one types, and the server judges once more.
  const update = async (edit: (text: string) => string | Promise<string>) => aclOf(await policy.update(edit, { check: false }))
  const userOf = ({ id, name, email, displayName }: HeadscaleUser, all: HeadscaleNode[]): User => {
    const own = all.filter(({ user, tags }) => user.id === id && tags.length === 0)
    const lastSeen = own
      .map(({ lastSeen }) => lastSeen ?? '')
      .sort()
      .at(-1)
    const seen = { lastSeen, currentlyConnected: own.some(({ online }) => online), deviceCount: own.length }
    return { id, loginName: name || email, displayName, type: 'member', status: 'active', ...seen } as User
  }
  const service = {
    acl: {
      get: async () => aclOf(await policy.get()),
      update,
      set: (text: string, { ifMatch }: { ifMatch: string }) =>
        update((stored) => {
          if (stored !== ifMatch) throw new ConflictError('Somebody else has saved another policy meanwhile.')
          return text
        }),
    },
    devices: {
      list: async (): Promise<Device[]> => {
        const { all, devices } = await list()
        return devices.map((one, index) => ({ ...one, ...device(all[index] as HeadscaleNode) }))
      },
      delete: (id: string) => nodes.delete(id),
      routes: {
        set: async (id: string, routes: string[]) => {
          const { availableRoutes, approvedRoutes } = await nodes.setApprovedRoutes(id, routes)
          return { advertisedRoutes: availableRoutes, enabledRoutes: approvedRoutes }
        },
      },
    },
    users: {
      list: async () => {
        const { all, people } = await list()
        return people.map((one) => userOf(one, all))
      },
      delete: (id: string) => users.delete(id),
    },
    keys: {
      list: async () => (await preAuthKeys.list()).map(keyOf),
      /** What is a description there is a user here: whose the devices become. */
      create: async ({ description, expirySeconds = 0, capabilities }: NewAuthKey) => {
        const { reusable, ephemeral, tags } = capabilities?.devices.create ?? {}
        const [user] = description ? await users.list({ name: description }) : []
        if (description && !user) throw new Error(`There is no user ${description}.`)
        const expiration = new Date(Date.now() + expirySeconds * 1000)
        return preAuthKeys.create({ reusable, ephemeral, expiration, ...(user ? { user: user.id } : { aclTags: tags }) })
      },
      delete: (id: string) => preAuthKeys.delete(id),
    },
  }
  return service as unknown as TailnetClient
}

/** A Headscale in this page, with what it holds for after a reload; `begun` is the policy of a new one. */
export async function inPage(state: HeadscaleSandboxOptions['state']) {
  const box = new HeadscaleSandbox(state && { state })
  const { nodes, users, policy } = new HeadscaleClient({ ...box, dangerouslyAllowBrowser: true })
  let now = state
  const held = {
    ...box,
    revision: 0,
    snapshot: () => now,
    begun: (await new HeadscaleClient({ ...new HeadscaleSandbox(), dangerouslyAllowBrowser: true }).policy.get()).text,
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init)
      const response = await box.fetch(request)
      if (request.method !== 'GET') {
        now = { users: await users.list(), nodes: await nodes.list(), policy: (await policy.get()).text }
        held.revision++
      }
      return response
    },
  }
  return held
}
