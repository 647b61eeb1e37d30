// The declarations of the client, used as a user would: starting, calls, credentials, devices on the wire, deliveries of webhooks.
// Never run. Must not live here: what calls do, errors.

import * as kit from 'tailnet-kit'
import * as slim from 'tailnet-kit/slim'
import { is } from './is.mjs'

export async function start(response: Promise<Response>, module: WebAssembly.Module): Promise<void> {
  const inputs: slim.WasmInput[] = [
    '/kit.wasm',
    new URL('https://example.com/kit.wasm'),
    await response,
    response,
    new Uint8Array(8),
    new ArrayBuffer(8),
    module,
  ]
  for (const input of inputs) is<Promise<void>>()(slim.init(input))
  slim.initSync(module)
  is<string>()(slim.version)
  is<string>()(kit.version)
}

const logger: kit.Logger = console
const hooks: kit.Hooks = {
  beforeRequest: (request) => new Request(request, { headers: { 'x-trace': '1' } }),
  afterResponse: async (request, response) => void [request.url, response.status],
  beforeRetry: ({ attempt, delay, error, method, path }) => console.log(attempt + delay, error.code, method, path),
}
const options: kit.ClientOptions = {
  baseURL: 'https://api.example.com',
  tailnet: 'example.com',
  apiKey: async () => 'key',
  fetch,
  timeout: 1000,
  totalTimeout: 5000,
  maxRetries: 1,
  defaultHeaders: { 'user-agent': null },
  pathStyle: 'domain',
  logger,
  logLevel: 'debug',
  hooks,
  dangerouslyAllowBrowser: true,
  allowInsecureHTTP: true,
  maxResponseBytes: 1024,
}
const call: kit.CallOptions = { signal: new AbortController().signal, timeout: 1, maxRetries: 0, headers: { a: 'b' }, tailnet: 'example.org' }

export async function client(): Promise<void> {
  const one = new kit.TailnetClient(options).withOptions({ apiKey: null })
  new kit.TailnetClient({ baseURL: '/api', apiKey: null }).close()

  is<kit.Device[]>()(await one.devices.list({ fields: ['all', 'default'] }, call))
  const { data, response } = await one.devices.get('1', { fields: 'all' }).withResponse()
  is<kit.Device>()(data)
  is<Response>()(response)
  is<void>()(await one.devices.delete('1'))
  is<kit.Device[]>()(await one.devices.list({ filter: { tags: ['tag:a'], isExternal: false } }))
  is<void>()(await one.devices.authorize('1', { authorized: false }))
  is<void>()(await one.devices.setName('1', 'web', call))
  is<void>()(await one.devices.setTags('1', ['tag:a']))
  is<void>()(await one.devices.setKey('1', { keyExpiryDisabled: true }))
  is<void>()(await one.devices.expireKey('1'))
  is<void>()(await one.devices.setIP('1', '100.64.0.7'))
  is<kit.DeviceAttributes>()(await one.devices.attributes.get('1'))
  is<void>()(await one.devices.attributes.set('1', 'custom:tier', { value: 2, expiry: new Date() }))
  is<void>()(await one.devices.attributes.delete('1', 'custom:tier'))
  is<void>()(await one.devices.attributes.batch({ nodes: { 1: { 'custom:tier': null } } }))
  is<kit.AclDetails>()(await one.acl.getDetails())
  is<kit.AclPreview>()(await one.acl.preview('{}', { ipPort: '100.64.0.1:443' }))
  is<kit.AclValidation>()(await one.acl.validate([{ src: 'ann@example.com', deny: ['tag:db:5432'] }]))
  is<kit.SplitDns>()(await one.dns.split.get())
  is<kit.SplitDns>()(await one.dns.split.update({ 'corp.example': null }))
  is<kit.SplitDns>()(await one.dns.split.replace({}))
  is<kit.DnsConfiguration>()(await one.dns.configuration.get())
  is<kit.DnsConfiguration>()(await one.dns.configuration.set({ nameservers: [{ address: '9.9.9.9' }] }))
  is<kit.Key[]>()(await one.keys.list())
  is<string>()((await one.keys.create({ capabilities: { devices: {} } })).key)
  is<kit.Key>()(await one.keys.create({ keyType: 'federated', scopes: ['dns:read'], issuer: 'https://ci.example', subject: 'a' }))
  is<kit.Key>()(await one.keys.get('k1'))
  is<kit.Key>()(await one.keys.set('k1', { keyType: 'client', scopes: ['all'] }))
  is<void>()(await one.keys.delete('k1'))
  is<kit.User[]>()(await one.users.list({ type: 'all', role: 'owner' }))
  is<kit.User>()(await one.users.get('u1'))
  for (const verb of ['approve', 'suspend', 'restore', 'delete'] as const) is<void>()(await one.users[verb]('u1'))
  is<void>()(await one.users.setRole('u1', 'admin'))
  is<kit.Contacts>()(await one.contacts.get())
  is<void>()(await one.contacts.update('security', { email: 'sec@example.com' }))
  is<void>()(await one.contacts.resendVerification('security'))
  is<kit.TailnetSettings>()(await one.settings.get())
  is<kit.TailnetSettings>()(await one.settings.update({ httpsEnabled: true }))
  is<kit.Webhook[]>()(await one.webhooks.list())
  is<string>()((await one.webhooks.create({ endpointUrl: 'https://hooks.example', subscriptions: ['policyUpdate'], providerType: 'slack' })).secret)
  is<kit.Webhook>()(await one.webhooks.get('w1'))
  is<kit.Webhook>()(await one.webhooks.update('w1', { subscriptions: ['categoryTailnetManagement'] }))
  is<void>()(await one.webhooks.delete('w1'))
  is<void>()(await one.webhooks.test('w1'))
  is<string>()((await one.webhooks.rotateSecret('w1')).secret)
  is<kit.VIPService[]>()(await one.services.list())
  is<kit.VIPService>()(await one.services.get('svc:wiki'))
  is<kit.ServiceName>()((await one.services.set('svc:wiki', { ports: ['tcp:443'], annotations: { a: 'b' } })).name)
  is<void>()(await one.services.delete('svc:wiki'))
  is<kit.ServiceHost[]>()(await one.services.hosts('svc:wiki'))
  is<kit.ServiceApproval>()(await one.services.approval.get('svc:wiki', '1'))
  is<boolean>()((await one.services.approval.set('svc:wiki', '1', { approved: true })).autoApproved)
  is<kit.AuditEntry[]>()(await one.logs.audit({ start: new Date(), end: '2026-11-21T00:00:00Z', actor: ['u1'], target: '~web' }))
  for (const { virtualTraffic } of await one.logs.network({ start: '', end: '' })) is<kit.Traffic[] | undefined>()(virtualTraffic)
  is<kit.PostureIntegration[]>()(await one.postureIntegrations.list())
  is<kit.PostureIntegration>()(await one.postureIntegrations.create({ provider: 'falcon', clientSecret: 's' }))
  is<string>()((await one.postureIntegrations.get('p1')).id)
  is<kit.PostureIntegration>()(await one.postureIntegrations.update('p1', { tenantId: 't' }))
  is<void>()(await one.postureIntegrations.delete('p1'))
  is<kit.Routes>()(await one.devices.routes.get('1'))
  is<kit.Routes>()(await one.devices.routes.set('1', ['10.0.0.0/8'], { validate: false, ...call }))

  const text = await one.acl.get()
  is<kit.AclText>()(text)
  is<string | null>()(text.etag)
  const parsed = await one.acl.get({ format: 'json' })
  is<kit.AclPolicy>()(parsed.policy)
  is<kit.AclText>()(await one.acl.set(text.text, { ifMatch: text.etag ?? '' }))
  is<kit.AclText>()(await one.acl.set({ acls: [] }, { overwrite: true, format: 'hujson' }))
  is<kit.AclJson>()(await one.acl.set(text.text, { overwrite: true, format: 'json' }, call))
  // @ts-expect-error a write says what it replaces
  await one.acl.set(text.text, {})
  is<kit.AclText>()(await one.acl.update(async (before) => before.toUpperCase(), { attempts: 5, check: false, ...call }))
  is<kit.AclPreview>()(await one.acl.preview(text.text, { user: 'alice@example.com' }))

  is<kit.Nameservers>()(await one.dns.nameservers.get())
  is<boolean>()((await one.dns.nameservers.set([])).magicDNS)
  is<kit.DnsPreferences>()(await one.dns.preferences.get())
  is<boolean>()((await one.dns.preferences.set({ magicDNS: true })).magicDNS)
  is<kit.SearchPaths>()(await one.dns.searchPaths.get())
  is<string[]>()((await one.dns.searchPaths.set(['corp.example.com'])).searchPaths)
  is<unknown>()(await one.request('GET', '/api/v2/anything', { query: { a: 'b' }, body: { c: 1 }, ...call }))
  is<number>()(await one.request<number>('GET', '/api/v2/number'))
}

export async function credentials(): Promise<void> {
  const kept = new Map<string, kit.StoredToken>()
  const given: kit.TokenOptions = {
    scopes: ['dns', 'auth_keys:read'],
    tags: ['tag:ci'],
    renewBefore: 1000,
    baseURL: 'https://api.example.com',
    fetch,
    timeout: 1000,
  }
  const store: kit.TokenStore = {
    get: async (key) => kept.get(key),
    set: async (key, token) => void kept.set(key, token),
    delete: (key) => void kept.delete(key),
  }
  is<kit.TokenStore>()(kept)
  const source: kit.TokenSource = kit.oauth({ ...given, store, clientId: 'k1', clientSecret: async () => 'secret' })
  is<string>()(await source())
  is<string>()(await source({ baseURL: 'https://api.example.com', rejected: 'old' }))
  const apiKey = async ({ baseURL, fetch: send, signal, rejected }: kit.KeyRequest): Promise<string> => {
    is<[string, typeof fetch, AbortSignal | undefined, string | undefined]>()([baseURL, send, signal, rejected])
    return source()
  }
  for (const key of [source, apiKey, () => 'key', kit.federated({ clientId: 'k2', idToken: () => 'a.b.c' })]) new kit.TailnetClient({ ...options, apiKey: key })
  // @ts-expect-error a misspelt scope
  kit.oauth({ clientSecret: 'secret', scopes: ['dnz'] })
  // @ts-expect-error an identity has the scopes that it was made with
  kit.federated({ clientId: 'k2', idToken: 'a.b.c', scopes: ['dns'] })
}

export function wire(device: kit.Device): unknown[] {
  const { id, addresses, user, name, hostname, clientVersion, updateAvailable, os, created, lastSeen, keyExpiryDisabled, expires } = device
  const { authorized, isExternal, machineKey, nodeKey, blocksIncomingConnections, enabledRoutes, advertisedRoutes, tags } = device
  is<string>()(id)
  is<unknown>()(device['somethingNew'])
  const connectivity: kit.ClientConnectivity | null | undefined = device.clientConnectivity
  const { endpoints, derp, mappingVariesByDestIP, latency, clientSupports } = connectivity ?? {}
  const { hairPinning, ipv6, pcp, pmp, udp, upnp } = clientSupports ?? {}
  is<number | undefined>()(latency?.['New York City']?.latencyMs)
  is<boolean | undefined>()(latency?.['New York City']?.preferred)
  return [
    addresses,
    user,
    name,
    hostname,
    clientVersion,
    updateAvailable,
    os,
    created,
    lastSeen,
    keyExpiryDisabled,
    expires,
    authorized,
    isExternal,
    machineKey,
    nodeKey,
    blocksIncomingConnections,
    enabledRoutes,
    advertisedRoutes,
    tags,
    endpoints,
    derp,
    mappingVariesByDestIP,
    hairPinning,
    ipv6,
    pcp,
    pmp,
    udp,
    upnp,
  ]
}

export async function deliveries(request: Request): Promise<string[]> {
  const strict: kit.VerifyOptions = { tolerance: 60, now: () => 0 }
  const parts: kit.WebhookDeliveryInput = { headers: { 'tailscale-webhook-signature': ['t=1'] }, body: new Uint8Array() }
  const events: kit.WebhookEvent[] = [...(await kit.verifyWebhook(request, ['old', 'new'])), ...(await kit.verifyWebhook(parts, 'secret', strict))]
  return events.map((event) => {
    is<[string, number, string, string]>()([event.timestamp, event.version, event.tailnet, event.message])
    switch (event.type) {
      case 'nodeKeyExpired':
        return event.data?.expiration ?? ''
      case 'userRoleUpdated':
        return (event.data?.newRoles ?? []).join()
      case 'policyUpdate':
        return event.data?.newPolicy ?? ''
      // @ts-expect-error a misspelt type
      case 'nodeDeletd':
        return ''
      default:
        return event.type
    }
  })
}
