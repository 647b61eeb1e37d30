// Every call of the client to a sandbox, and every method of the sandbox, by name and in order: later calls use what earlier ones made. Must not
// live here: what is asserted.

import { TailnetClient, oauth, verifyWebhook } from 'tailnet-kit'
import { Sandbox } from 'tailnet-kit/sandbox'

const NOW = Date.UTC(2026, 10, 22, 12)
const WINDOW = { start: new Date(NOW - 86_400_000), end: new Date(NOW + 86_400_000) }
/** @type {import('tailnet-kit').Traffic} */
const TRAFFIC = { proto: 6, src: '100.64.0.1:1', dst: '100.64.0.2:2', txPkts: 1, txBytes: 2, rxPkts: 3, rxBytes: 4 }
const REFUSAL = { message: 'no', data: [{ user: 'a', errors: ['b'] }] }
const TOLD = { 'retry-after': '1', 'x-request-id': 'r' }
const AT = new Date(NOW - 60_000).toISOString()

/** The state of a new sandbox, with parts added that no call makes. */
function started() {
  const state = new Sandbox({ tailnet: 'example.com', now: () => NOW }).snapshot()
  const { devices } = state.tailnets['example.com']
  Object.assign(devices[0], {
    distro: { name: 'debian', version: '13', codeName: 'trixie' },
    postureIdentity: { serialNumbers: ['s'] },
    multipleConnections: true,
    sshEnabled: true,
    nodeId: 'n1',
  })
  const told = { logged: AT, nodeId: devices[0].id, start: AT, end: AT }
  state.tailnets['example.com'].flows = [{ ...told, virtualTraffic: [TRAFFIC], subnetTraffic: [TRAFFIC], exitTraffic: [TRAFFIC], physicalTraffic: [TRAFFIC] }]
  state.tailnets['example.com'].serviceHosts = { 'svc:wiki': [{ stableNodeID: 'n1', approvalLevel: 'not-approved', configured: 'ready' }] }
  return state
}

const requests = []
const sandbox = new Sandbox({ state: started(), tailnet: 'example.com', now: () => NOW, deliver: (request) => void requests.push(request.clone()) })
const { baseURL, fetch } = sandbox
const client = new TailnetClient({ baseURL, fetch, tailnet: 'example.com', apiKey: 'tskey-sandbox', maxRetries: 0 })

const device = (await client.devices.list())[0]?.id ?? ''
const other = (await client.devices.list())[1]?.id ?? ''
/** Ids and secrets that earlier calls made. */
const made = { auth: '', client: '', secret: '', federated: '', hook: '', hookSecret: '', newSecret: '', posture: '' }
const member = async () => (await client.users.list()).find(({ role }) => role === 'member')?.id ?? ''
const lower = {
  capabilities: { devices: { create: { reusable: true, ephemeral: true, preauthorized: true, tags: ['tag:web'] } } },
  expirySeconds: 60,
  description: 'ci',
}

/** The snapshot, with its users typed: their declaration is `Omit` of a type with an index signature, which loses the named members. */
function snapshot() {
  const { users = [], ...tailnet } = sandbox.snapshot().tailnets['example.com'] ?? {
    devices: [],
    acl: '',
    dns: { nameservers: [], magicDNS: false, searchPaths: [] },
  }
  return { tailnet, users: /** @type {Partial<import('tailnet-kit').User>[]} */ (users) }
}

/** @returns {Promise<import('tailnet-kit').StoredToken | undefined>} */
async function storedToken() {
  const store = new Map()
  await oauth({ clientSecret: made.secret, store })({ baseURL, fetch })
  return [...store.values()][0]
}

export const service = {
  'client.devices.list': () => client.devices.list(),
  'client.devices.list all': () => client.devices.list({ fields: 'all' }),
  'client.devices.get': () => client.devices.get(device, { fields: 'all' }),
  'client.devices.authorize': () => client.devices.authorize(device),
  'client.devices.setName': () => client.devices.setName(device, 'laptop'),
  'client.devices.setTags': () => client.devices.setTags(other, ['tag:web']),
  'client.devices.setKey': () => client.devices.setKey(device, { keyExpiryDisabled: true }),
  'client.devices.expireKey': () => client.devices.expireKey(device),
  'client.devices.setIP': () => client.devices.setIP(device, '100.80.0.7'),
  'client.devices.attributes.set': () => client.devices.attributes.set(device, 'custom:tier', { value: 2, expiry: new Date(NOW + 60_000), comment: 'why' }),
  'client.devices.attributes.batch': () => client.devices.attributes.batch({ nodes: { [other]: { 'custom:tier': { value: 3 } } } }),
  'client.devices.attributes.get': () => client.devices.attributes.get(device),
  'client.devices.attributes.delete': () => client.devices.attributes.delete(device, 'custom:tier'),
  'client.devices.routes.get': () => client.devices.routes.get(device),
  'client.devices.routes.set': () => client.devices.routes.set(device, ['10.0.0.0/8']),
  'client.acl.get': () => client.acl.get(),
  'client.acl.get json': () => client.acl.get({ format: 'json' }),
  'client.acl.getDetails': () => client.acl.getDetails(),
  'client.acl.set': async () => client.acl.set((await client.acl.get()).text, { overwrite: true }),
  'client.acl.set json': async () => client.acl.set((await client.acl.get()).text, { overwrite: true, format: 'json' }),
  'client.acl.update': () => client.acl.update((text) => `${text}// more\n`),
  'client.acl.preview': async () => client.acl.preview((await client.acl.get()).text, { user: 'alice@example.com' }),
  'client.acl.preview posture': () =>
    client.acl.preview(
      {
        postures: { 'posture:new': ["node:os == 'linux'"] },
        grants: [{ src: ['alice@example.com'], dst: ['100.64.0.1'], ip: ['22', 'udp:53'], srcPosture: ['posture:new'] }],
      },
      { ipPort: '100.64.0.1:22' },
    ),
  'client.acl.validate': () => client.acl.validate('{}'),
  'client.acl.validate refused': () => client.acl.validate('{"acls": 1}'),
  'client.acl.validate tests': () => client.acl.validate([{ src: 'dave@example.com', accept: ['tag:db:5432'] }]),
  'client.dns.nameservers.set': () => client.dns.nameservers.set(['9.9.9.9']),
  'client.dns.nameservers.get': () => client.dns.nameservers.get(),
  'client.dns.preferences.set': () => client.dns.preferences.set({ magicDNS: true }),
  'client.dns.preferences.get': () => client.dns.preferences.get(),
  'client.dns.searchPaths.set': () => client.dns.searchPaths.set(['corp.example']),
  'client.dns.searchPaths.get': () => client.dns.searchPaths.get(),
  'client.dns.split.replace': () => client.dns.split.replace({ 'a.example': ['10.0.0.1'] }),
  'client.dns.split.update': () => client.dns.split.update({ 'b.example': ['10.0.0.2'] }),
  'client.dns.split.get': () => client.dns.split.get(),
  'client.dns.configuration.set': () =>
    client.dns.configuration.set({
      nameservers: [{ address: '9.9.9.9', useWithExitNode: true }],
      splitDNS: { 'a.example': [{ address: '10.0.0.1', useWithExitNode: true }] },
      searchPaths: ['a.example'],
      preferences: { magicDNS: true, overrideLocalDNS: true },
    }),
  'client.dns.configuration.get': () => client.dns.configuration.get(),
  'client.webhooks.create': async () => {
    const webhook = await client.webhooks.create({
      endpointUrl: 'https://hooks.example/',
      subscriptions: ['categoryTailnetManagement', 'nodeCreated'],
      providerType: '',
    })
    made.hook = webhook.endpointId
    made.hookSecret = webhook.secret
    return webhook
  },
  'client.webhooks.list': () => client.webhooks.list(),
  'client.webhooks.get': () => client.webhooks.get(made.hook),
  'client.webhooks.update': () =>
    client.webhooks.update(made.hook, { subscriptions: ['categoryTailnetManagement', 'categoryDeviceMisconfigurations', 'policyUpdate', 'userRoleUpdated'] }),
  'client.webhooks.test': () => client.webhooks.test(made.hook),
  'client.keys.create': async () => {
    const key = await client.keys.create(lower)
    made.auth = key.id
    made.secret = key.key
    return key
  },
  'sandbox.join': () => sandbox.join({ key: made.secret, hostname: 'ci', os: 'linux', tags: ['tag:web'], advertisedRoutes: ['10.9.0.0/16'] }),
  'sandbox.join a user': () => sandbox.join({ user: 'dave@example.com', hostname: 'tablet' }),
  'client.keys.create client': async () => {
    const key = await client.keys.create({ keyType: 'client', scopes: ['devices:core', 'dns:read'], tags: ['tag:web'], description: 'ci' })
    made.client = key.id
    made.secret = key.key
    return key
  },
  'oauth token': storedToken,
  'client.keys.create federated': () =>
    client.keys.create({
      keyType: 'federated',
      scopes: ['all'],
      issuer: 'https://ci.example',
      subject: 'repo:*',
      audience: 'kit',
      customClaimRules: { ref: 'main' },
      tags: ['tag:web'],
      description: 'ci',
    }),
  'client.keys.list': () => client.keys.list(),
  'client.keys.get': () => client.keys.get(made.auth),
  'client.keys.set': () => client.keys.set(made.client, { keyType: 'client', scopes: ['dns'] }),
  'client.keys.delete': () => client.keys.delete(made.auth),
  'client.keys.list after': () => client.keys.list(),
  'client.users.list': () => client.users.list({ type: 'all' }),
  'client.users.get': async () => client.users.get(await member()),
  'client.users.approve': async () => client.users.approve(await member()),
  'client.users.suspend': async () => client.users.suspend(await member()),
  'client.users.restore': async () => client.users.restore(await member()),
  'client.users.setRole': async () => client.users.setRole(await member(), 'auditor'),
  'client.users.delete': async () => client.users.delete(await member()),
  'client.settings.get': () => client.settings.get(),
  'client.settings.update': () =>
    client.settings.update({
      aclsExternallyManagedOn: true,
      aclsExternalLink: 'https://git.example',
      devicesApprovalOn: true,
      devicesKeyDurationDays: 9,
      usersRoleAllowedToJoinExternalTailnets: 'member',
    }),
  'client.contacts.update': () => client.contacts.update('security', { email: 'sec@example.com' }),
  'client.contacts.resendVerification': () => client.contacts.resendVerification('security'),
  'client.contacts.get': () => client.contacts.get(),
  'client.services.set': () =>
    client.services.set('svc:wiki', { ports: ['tcp:443'], comment: 'c', displayName: 'Wiki', tags: ['tag:web'], annotations: { a: 'b' } }),
  'client.services.list': () => client.services.list(),
  'client.services.get': () => client.services.get('svc:wiki'),
  'client.services.hosts': () => client.services.hosts('svc:wiki'),
  'client.services.approval.set': () => client.services.approval.set('svc:wiki', device, { approved: true }),
  'client.services.approval.get': () => client.services.approval.get('svc:wiki', device),
  'client.services.hosts after': () => client.services.hosts('svc:wiki'),
  'client.services.delete': () => client.services.delete('svc:wiki'),
  'client.postureIntegrations.create': async () => {
    const integration = await client.postureIntegrations.create({ provider: 'intune', cloudId: 'global', clientId: 'c', tenantId: 't', clientSecret: 's' })
    made.posture = integration.id
    return integration
  },
  'client.postureIntegrations.list': () => client.postureIntegrations.list(),
  'client.postureIntegrations.get': () => client.postureIntegrations.get(made.posture),
  'client.postureIntegrations.update': () => client.postureIntegrations.update(made.posture, { tenantId: 'u' }),
  'client.postureIntegrations.delete': () => client.postureIntegrations.delete(made.posture),
  'client.logs.streaming.set': () => client.logs.streaming.set('network', { destinationType: 's3', s3Bucket: 'logs', compressionFormat: 'zstd' }),
  'client.logs.streaming.get': () => client.logs.streaming.get('network'),
  'client.logs.streaming.status': () => client.logs.streaming.status('network'),
  'client.logs.streaming.delete': () => client.logs.streaming.delete('network'),
  'client.logs.streaming.awsExternalId': async () => {
    const asked = await client.logs.streaming.awsExternalId({ reusable: true })
    made.externalId = asked.externalId
    return asked
  },
  'client.logs.streaming.validateAws': () => client.logs.streaming.validateAws(made.externalId, { roleArn: 'arn:aws:iam::123456789012:role/logs' }),
  'client.userInvites.create': async () => {
    const invites = await client.userInvites.create([{ role: 'admin' }, { email: 'eve@example.com' }])
    made.userInvite = invites[1].id
    return invites
  },
  'client.userInvites.list': () => client.userInvites.list(),
  'client.userInvites.get': () => client.userInvites.get(made.userInvite),
  'client.userInvites.resend': () => client.withOptions({ fetch: async () => Response.json({}) }).userInvites.resend(made.userInvite),
  'client.userInvites.delete': () => client.userInvites.delete(made.userInvite),
  'client.deviceInvites.create': async () => {
    const invites = await client.deviceInvites.create(device, [{ multiUse: true, allowExitNode: true }, { email: 'eve@example.org' }])
    made.deviceInvite = invites[1].id
    made.inviteUrl = invites[0].inviteUrl
    return invites
  },
  'client.deviceInvites.accept': () => client.deviceInvites.accept(made.inviteUrl),
  'client.deviceInvites.list': () => client.deviceInvites.list(device),
  'client.deviceInvites.get': () => client.deviceInvites.get(made.deviceInvite),
  'client.deviceInvites.resend': () => client.withOptions({ fetch: async () => Response.json({}) }).deviceInvites.resend(made.deviceInvite),
  'client.deviceInvites.delete': () => client.deviceInvites.delete(made.deviceInvite),
  'client.devices.delete': () => client.devices.delete(other),
  'sandbox.advance': () => sandbox.advance(40 * 86_400_000),
  'client.webhooks.rotateSecret': async () => {
    const webhook = await client.webhooks.rotateSecret(made.hook)
    made.newSecret = webhook.secret
    return webhook
  },
  'client.webhooks.delete': () => client.webhooks.delete(made.hook),
  'client.devices.list later': () => client.devices.list({ fields: 'all' }),
  'client.logs.audit': () => client.logs.audit({ start: WINDOW.start, end: new Date(NOW + 41 * 86_400_000) }),
  'client.logs.network': () => client.logs.network(WINDOW),
  'client.request': () => client.request('GET', '/api/v2/tailnet/example.com/keys'),
  'sandbox.settled': () => sandbox.settled(),
  'sandbox.deliveries': () => [...sandbox.deliveries],
  verifyWebhook: async () =>
    (
      await Promise.all(requests.map((request) => verifyWebhook(request, [made.hookSecret, made.newSecret], { now: () => Date.parse(AT), tolerance: 1e9 })))
    ).flat(),
  'sandbox.token': () => sandbox.token({ scopes: ['all'] }),
  'sandbox.snapshot': snapshot,
  'sandbox.restore': () => sandbox.restore(sandbox.snapshot()),
  'error client.devices.get': () => client.devices.get('0'),
  'error client.acl.set': () => client.acl.set('{"acls": 1}', { overwrite: true }),
  'error client.acl.set tests': () => client.acl.set('{"acls": [], "tests": [{"src": "alice@example.com", "accept": ["100.64.0.1:22"]}]}', { overwrite: true }),
  'error client.acl.set taken': () => client.acl.set('{}', { ifMatch: 'old' }),
  'error client.acl.update': () => client.acl.update(() => '{"acls": 1}'),
  'error client apiKey': () => client.withOptions({ apiKey: 'wrong' }).devices.list(),
  'error client timeout': () => client.withOptions({ fetch: () => new Promise(() => {}), timeout: 5 }).devices.list(),
  'error client fetch': () => client.withOptions({ fetch: () => Promise.reject(new TypeError('no')) }).devices.list(),
  'error client signal': () => client.devices.list({}, { signal: AbortSignal.abort() }),
  'error client body': () => client.withOptions({ fetch: async () => new Response('[]') }).devices.list(),
  'error client status': () => client.withOptions({ fetch: async () => new Response('no', { status: 418 }) }).devices.list(),
  ...Object.fromEntries(
    [403, 409, 429, 500, 501].map((status) => [
      `error client ${status}`,
      () => client.withOptions({ fetch: async () => Response.json(REFUSAL, { status, headers: TOLD }) }).devices.list(),
    ]),
  ),
  'error verifyWebhook': () => verifyWebhook({ headers: {}, body: '' }, 'secret'),
}
/** Functions without an answer, or called here under another name. */
export const without = ['client.withOptions', 'client.close', 'sandbox.fetch']
export const namespaces = { client, sandbox }
