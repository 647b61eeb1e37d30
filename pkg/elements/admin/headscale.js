// A Headscale as the lists ask for it: what its own API answers, in the shape of the other service. Must not live here: an element.

/** A device of the other service, as far as a list shows it. */
const device = ({ id, givenName, name, user, tags, ipAddresses, online, lastSeen, expiry, availableRoutes, approvedRoutes }) => ({
  id,
  hostname: givenName || name,
  user: user.name || user.email,
  tags,
  addresses: ipAddresses,
  connectedToControl: online,
  lastSeen: lastSeen ?? '',
  keyExpiryDisabled: expiry === null,
  expires: expiry ?? '',
  advertisedRoutes: availableRoutes,
  enabledRoutes: approvedRoutes,
})

function user({ id, name, email, displayName }, nodes) {
  const own = nodes.filter(({ user, tags }) => user.id === id && tags.length === 0)
  const lastSeen = own.map(({ lastSeen }) => lastSeen ?? '').sort()
  const seen = { lastSeen: lastSeen.at(-1), currentlyConnected: own.some(({ online }) => online), deviceCount: own.length }
  return { id, loginName: name || email, displayName, type: 'member', status: 'active', ...seen }
}

const keyOf = ({ id, user, reusable, ephemeral, used, expiration, aclTags }) => ({
  id,
  description: user?.name ?? '',
  keyType: 'auth',
  expires: expiration ?? undefined,
  invalid: (used && !reusable) || (expiration !== null && Date.parse(expiration) < Date.now()),
  capabilities: { devices: { create: { reusable, ephemeral, preauthorized: false, tags: aclTags } } },
})

const asService = ({ nodes, users, preAuthKeys }) => ({
  isHeadscale: true,
  devices: {
    list: async () => (await nodes.list()).map(device),
    delete: (id) => nodes.delete(id),
    routes: { set: async (id, routes) => device(await nodes.setApprovedRoutes(id, routes)) },
  },
  users: {
    list: async () => {
      const [all, people] = await Promise.all([nodes.list(), users.list()])
      return people.map((one) => user(one, all))
    },
    delete: (id) => users.delete(id),
  },
  keys: {
    list: async () => (await preAuthKeys.list()).map(keyOf),
    /** What is a description there is a user here: whose the devices become. */
    create: async ({ description, expirySeconds, capabilities }) => {
      const { reusable, ephemeral, tags } = capabilities.devices.create
      const [user] = description ? await users.list({ name: description }) : []
      if (description && !user) throw new Error(`There is no user ${description}.`)
      const expiration = new Date(Date.now() + expirySeconds * 1000)
      return preAuthKeys.create({ reusable, ephemeral, expiration, ...(user ? { user: user.id } : { aclTags: tags }) })
    },
    delete: (id) => preAuthKeys.delete(id),
  },
})

/** The operations that the elements need, of a client of either service. */
export const serviceOf = (client) => (client && 'preAuthKeys' in client ? asService(client) : client)
