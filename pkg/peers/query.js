// `tailnet-kit/query`: the client's methods as options of queries and mutations. Must not live here: the methods, requests.

import { invalid } from '../common/arguments.js'
import { OPERATION, PLACE } from '../common/operations.js'

/** How the methods are called that change nothing. */
const READS = ['list', 'get', 'getDetails', 'hosts', 'audit', 'network', 'status', 'preview', 'validate', 'validateAws']

/** The namespaces in which a write to one of them shows, beside its own and the audit log. */
const SHOWS_IN = {
  acl: ['devices', 'services'],
  devices: ['services'],
  postureIntegrations: ['devices'],
  services: ['devices'],
  settings: ['devices', 'users'],
  users: ['devices', 'keys'],
}

export function queries(client) {
  return each(client, 'queries', (path, method) => isRead(path) && queryOptions(client, path, method))
}

export function mutations(client, queryClient) {
  if (typeof queryClient?.invalidateQueries !== 'function') invalid('`queryClient` must be a QueryClient')
  return each(client, 'mutations', (path, method) => !isRead(path) && mutationOptions(client, queryClient, path, method))
}

const isRead = (path) => READS.includes(path.split('.').at(-1))
const namespaceOf = (path) => path.split('.')[0]

const queryOptions =
  (client, path, method) =>
  (...given) => {
    const takes = method[OPERATION]
    const args = Array.from({ length: takes }, (_, at) => given[at])
    const own = given[takes]
    const [service, tailnet] = client[PLACE]
    const told = args.slice(0, args.findLastIndex((one) => one !== undefined) + 1)
    return {
      queryKey: [service, own?.tailnet ?? tailnet, path, ...told],
      queryFn: ({ signal } = {}) => method(...args, signal ? { ...own, signal } : own),
    }
  }

const mutationOptions = (client, queryClient, path, method) => ({
  mutationFn: async (args = []) => method(...(Array.isArray(args) ? args : invalid('`args` must be the list of the arguments'))),
  onSuccess: async () => {
    const [service] = client[PLACE]
    const written = namespaceOf(path)
    const shown = [written, ...(SHOWS_IN[written] ?? [])]
    // The tailnet of a single call may be another one, so all of the service count.
    const predicate = ({ queryKey: [base, , read] }) =>
      base === service && typeof read === 'string' && (shown.includes(namespaceOf(read)) || read === 'logs.audit')
    await queryClient.invalidateQueries({ predicate })
  },
})

/** The namespaces of a client with what `made` gives for each method; a method for which it gives nothing is left out. */
function each(client, name, made) {
  if (client?.[PLACE] === undefined) invalid(`\`${name}\` needs a TailnetClient`)
  const inside = (namespace, path) => {
    const found = {}
    for (const [key, member] of Object.entries(namespace)) {
      const at = path === '' ? key : `${path}.${key}`
      const value = typeof member === 'function' ? made(at, member) : inside(member, at)
      if (value) found[key] = value
    }
    return Object.keys(found).length > 0 ? found : undefined
  }
  return inside(client, '')
}
