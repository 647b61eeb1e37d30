// What a list of devices means as a context: that of the service, those of Headscale's API, those that its command prints. Must not live here:
// reading files, whether the kit takes the context.

/** The context of a list, or of an object that is one already. Rejects where Headscale's lists have an entry that is none. */
export async function contextOf(value) {
  if (isOfHeadscale(value)) return ofHeadscale(Array.isArray(value) ? { nodes: value } : value)
  return Array.isArray(value) ? { devices: value } : value
}

const isNode = (entry) => Array.isArray(entry?.ipAddresses ?? entry?.ip_addresses)

/** Whether it is `{nodes, users}` of the API, or the nodes that `headscale nodes list -o json` prints. */
const isOfHeadscale = (value) => Array.isArray(value?.nodes) || (Array.isArray(value) && value.some(isNode))

/** Without a list of users those are known who own a node. */
async function ofHeadscale(value) {
  const { contextFromHeadscale } = await import('tailnet-kit/headscale')
  const { nodes, users } = asOfApi(value)
  return contextFromHeadscale({ nodes, users: users ?? ownersOf(nodes) })
}

/** The same as the API writes it: the command prints `ip_addresses` for `ipAddresses`, and ids as numbers. */
function asOfApi(value) {
  if (Array.isArray(value)) return value.map(asOfApi)
  if (typeof value !== 'object' || value === null) return value
  const named = Object.entries(value).map(([name, own]) => [name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), asOfApi(own)])
  return Object.fromEntries(named.map(([name, own]) => [name, name === 'id' && typeof own === 'number' ? String(own) : own]))
}

/** The users of nodes, each once; a node with tags has none. */
function ownersOf(nodes) {
  const owned = nodes.filter((node) => ['tags', 'forcedTags', 'validTags'].every((name) => !node?.[name]?.length))
  const owners = owned.map((node) => node?.user).filter((user) => user !== undefined && user !== null)
  return [...new Map(owners.map((user) => [user.id, user])).values()]
}
