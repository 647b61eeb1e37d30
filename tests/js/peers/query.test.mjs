// Options of queries and mutations, with TanStack Query itself. Must not live here: what the client sends.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TailnetClient } from 'tailnet-kit'
import { mutations, queries } from 'tailnet-kit/query'
import { Sandbox } from 'tailnet-kit/sandbox'
import { tool, until } from './tools.mjs'

const { MutationObserver, QueryClient, QueryObserver } = tool('@tanstack/query-core')

function made(more = {}) {
  const { baseURL, fetch } = new Sandbox()
  const client = new TailnetClient({ baseURL, fetch, apiKey: 'tskey-sandbox', tailnet: 'example.com', maxRetries: 0, ...more })
  return { client, baseURL, queryClient: new QueryClient({ defaultOptions: { queries: { retry: false } } }) }
}

/** Every method of a client or of what was made of it, by its path. */
function paths(of, path = '') {
  return Object.entries(of).flatMap(([key, member]) => {
    const at = path === '' ? key : `${path}.${key}`
    const isLeaf = typeof member === 'function' || typeof member.mutationFn === 'function'
    return isLeaf ? [[at, member]] : paths(member, at)
  })
}

test('a key begins with the service, the tailnet and the operation, and has the arguments', () => {
  const { client, baseURL } = made()
  const { devices, acl, users } = queries(client)
  assert.deepEqual(devices.get('123').queryKey, [baseURL, 'example.com', 'devices.get', '123'])
  assert.deepEqual(devices.list({ fields: 'all' }).queryKey, [baseURL, 'example.com', 'devices.list', { fields: 'all' }])
  assert.deepEqual(devices.list().queryKey, devices.list(undefined).queryKey)
  assert.deepEqual(users.list({}, { tailnet: 'other.example' }).queryKey, [baseURL, 'other.example', 'users.list', {}])
  assert.notDeepEqual(acl.get().queryKey, acl.getDetails().queryKey)
})

test('a query fetches, and its signal ends the call', async () => {
  const { client, queryClient } = made()
  const list = await queryClient.fetchQuery(queries(client).devices.list({ fields: 'all' }))
  assert.ok(list.some((device) => Array.isArray(device.advertisedRoutes)))
  const { nameservers } = queries(client).dns
  assert.ok(Array.isArray((await queryClient.fetchQuery(nameservers.get())).dns))
  const hanging = made({ fetch: (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) })
  const query = queries(hanging.client).devices.list()
  const controller = new AbortController()
  const call = query.queryFn({ signal: controller.signal })
  controller.abort()
  await assert.rejects(call, { name: 'APIUserAbortError' })
})

// The HTTP method says it: the two POSTs that change nothing are named in the service's documents.
test('what reads is a query, everything else a mutation', async () => {
  const sent = []
  const fetch = async (input, init) => {
    sent.push(new Request(input, init).method)
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  }
  const { client, queryClient } = made({ fetch })
  const all = [queries(client), mutations(client, queryClient)].map((one) => paths(one).map(([path]) => path))
  const unsent = []
  const methods = paths({ ...client }).filter(([path]) => path !== 'acl.update')
  assert.deepEqual([...all[0], ...all[1]].sort(), [...methods.map(([path]) => path), 'acl.update'].sort())
  const window = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' }
  const given = {
    'acl.preview': ['{}', { user: 'ann@example.com' }],
    'acl.set': ['{}', { overwrite: true }],
    'contacts.resendVerification': ['account'],
    'contacts.update': ['account', { email: 'ann@example.com' }],
    'devices.attributes.delete': ['100', 'custom:a'],
    'devices.attributes.set': ['100', 'custom:a', { value: 1 }],
    'devices.routes.set': ['100', ['10.0.0.0/8']],
    'devices.setIP': ['100', '100.64.0.9'],
    'devices.setName': ['100', 'db'],
    'devices.setTags': ['100', ['tag:db']],
    'dns.nameservers.set': [['1.1.1.1']],
    'dns.preferences.set': [{ magicDNS: true }],
    'dns.searchPaths.set': [['example.com']],
    'logs.audit': [window],
    'logs.network': [window],
    'services.approval.get': ['svc:a', '100'],
    'services.approval.set': ['svc:a', '100', { approved: true }],
    'users.setRole': ['1', 'member'],
  }
  for (const [path, method] of methods) {
    sent.length = 0
    const arities = [['100', {}, {}], ['100', {}], ['100'], [{}], []]
    for (const args of given[path] ? [given[path]] : arities) if (sent.length === 0) await Promise.resolve(method(...args)).catch(() => {})
    if (sent.length === 0) unsent.push(path)
    if (sent.length === 0) continue
    const isRead = sent[0] === 'GET' || ['acl.preview', 'acl.validate'].includes(path)
    assert.equal(all[0].includes(path), isRead, `${path} sends ${sent[0]}`)
  }
  assert.ok(unsent.length < methods.length / 8, `not asked: ${unsent}`)
})

test('after a write the lists that show it are fetched anew, and others are not', async () => {
  const { client, queryClient } = made()
  const { devices, users } = queries(client)
  const [device] = await queryClient.fetchQuery(devices.list())
  const seen = { devices: [], users: [] }
  const watch = (options, kept) => {
    const observer = new QueryObserver(queryClient, { ...options, staleTime: Number.POSITIVE_INFINITY })
    return observer.subscribe(({ data, isFetching }) => isFetching || kept.push(data))
  }
  const ends = [watch(devices.get(device.id), seen.devices), watch(users.list(), seen.users)]
  await until(() => seen.devices.length > 0 && seen.users.length > 0)
  const before = seen.users.length
  const observer = new MutationObserver(queryClient, mutations(client, queryClient).devices.setTags)
  await observer.mutate([device.id, ['tag:db']])
  await until(() => seen.devices.at(-1).tags?.includes('tag:db') && queryClient.isFetching() === 0)
  assert.equal(seen.users.length, before)
  for (const end of ends) end()
  queryClient.clear()
})

test('the policy is written with its check, and devices that it may sign out are fetched anew', async () => {
  const { client, queryClient } = made()
  await queryClient.fetchQuery(queries(client).devices.list())
  const { update } = mutations(client, queryClient).acl
  await assert.rejects(update.mutationFn([() => '{"acls": [{"action": "deny"}]}']), { code: 'policy_refused' })
  await update.mutationFn([(text) => `// seen\n${text}`])
  await update.onSuccess()
  assert.equal(queryClient.getQueryState(queries(client).devices.list().queryKey).isInvalidated, true)
})

test('what is no client, no query client and no list of arguments is refused', async () => {
  const { client, queryClient } = made()
  assert.throws(() => queries({}), { code: 'invalid_argument' })
  assert.throws(() => mutations(client), { code: 'invalid_argument' })
  await assert.rejects(mutations(client, queryClient).devices.setTags.mutationFn('123'), { code: 'invalid_argument' })
})
