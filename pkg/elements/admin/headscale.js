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

/** A text is its own ETag: a server keeps whatever is written last, so a write begins with a look at what is stored. */
const acl = ({ text }) => ({ format: 'hujson', text, etag: text })

/** The page has judged the text, and the server does once more. */
const asAcl = (policy) => ({
  get: async () => acl(await policy.get()),
  update: async (edit) => acl(await policy.update(edit, { check: false })),
  set: async (text, { ifMatch }) => {
    const write = (stored) => {
      if (stored !== ifMatch) throw Object.assign(new Error('Somebody else has saved another policy meanwhile.'), { code: 'conflict' })
      return text
    }
    return acl(await policy.update(write, { check: false }))
  },
})

const asService = ({ nodes, policy, users, preAuthKeys }) => ({
  isHeadscale: true,
  acl: asAcl(policy),
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
