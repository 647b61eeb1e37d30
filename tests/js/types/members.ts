// Every member of the declarations, used as a user would. Compiled twice, as ESM and as CommonJS; never run. Must not
// live here: what members do.

import * as kit from 'tailnet-kit'
import { formatPolicy, tailnetPolicy, type CodeMirrorExtension, type CodeMirrorView, type EditorOptions } from 'tailnet-kit/codemirror'
import { createGateway, type GatewayOptions } from 'tailnet-kit/gateway'
import { language, type CompletionKind, type LanguageService, type TokenType } from 'tailnet-kit/language'
import { register, type Disposable, type MonacoModule } from 'tailnet-kit/monaco'
import { Sandbox, type SandboxOptions, type SandboxState } from 'tailnet-kit/sandbox'
import * as slim from 'tailnet-kit/slim'

/** Compiles for a value that is assignable to `A`, but not for `any`. */
function is<A>() {
  return <B extends A>(value: 0 extends 1 & B ? never : B): void => void value
}

// ---------------------------------------------------------------- start
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

// ---------------------------------------------------------------- client
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

// ---------------------------------------------------------------- offline
export function hujson(text: string): void {
  const { parse, tryParse, standardize, minimize, format, stringify, isStandard, find, pointerAt, patch, fromJSON5 } = kit.hujson
  is<unknown>()(parse(text))
  const result: kit.Result<unknown> = tryParse(text)
  if (result.ok) is<unknown>()(result.value)
  for (const issue of result.issues) {
    is<'error' | 'warning'>()(issue.severity)
    is<string[]>()([issue.code, issue.message, issue.hint ?? '', issue.pointer ?? ''])
    is<number[]>()([issue.line, issue.column, issue.offset, issue.length])
  }
  is<string[]>()([standardize(text), minimize(text), format(text), stringify({ a: 1 }), fromJSON5(text), pointerAt(text, 3)])
  is<boolean>()(isStandard(text))
  const found = find(text, '/a')
  is<number | undefined>()((found && found.line + found.column + found.offset + found.length) || undefined)
  is<unknown>()(found?.value)
  const operations: kit.JsonPatchOperation[] = [
    { op: 'add', path: '/a', value: 1 },
    { op: 'replace', path: '/a', value: 2 },
    { op: 'test', path: '/a', value: 2 },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'move', from: '/b', path: '/c' },
    { op: 'remove', path: '/c' },
  ]
  is<string>()(patch(text, operations))
}

export function policy(text: string, devices: kit.Device[]): void {
  const { check, preview, explain, runTests, filters, ssh, access, diffAccess, prove, diff, review, toJSON, edit } = kit.policy
  const context: kit.PolicyContext = { devices, users: [{ loginName: 'alice@example.com', role: 'admin' }], domains: ['example.com'] }
  const checked: kit.PolicyCheck = check({ acls: [] }, context)
  is<[boolean, string | null, kit.Issue[], kit.TestReport]>()([checked.accepted, checked.message, checked.issues, checked.tests])
  const { matches, unknown, user } = preview(text, { ipPort: '100.100.1.1:80' }, context)
  for (const { users, ports, lineNumber } of matches) is<[string[], string[], number | null]>()([users, ports, lineNumber])
  is<[kit.RuleRef[], string]>()([unknown, user])
  const queries: (kit.PreviewQuery | string)[] = [
    { user: 'alice@example.com' },
    { tag: 'tag:web' },
    { host: 'printer' },
    { ipPort: '100.100.1.1:80' },
    'printer',
  ]
  for (const query of queries) preview(text, query)
  const subjects: (kit.Subject | string)[] = [{ user: 'a' }, { group: 'group:a' }, { tag: 'tag:a' }, { host: 'a' }, { ip: '100.100.1.1' }, 'group:a']
  const because: kit.Explanation[] = subjects.map((from) => explain(text, { from, to: 'web:80', proto: 'udp' }, context))
  for (const { verdict, because: rules, nearMisses, unresolved } of because) {
    is<'allowed' | 'denied' | 'unknown'>()(verdict)
    for (const { section, index, line } of rules) is<['acls' | 'grants' | 'ssh', number, number]>()([section, index, line])
    for (const { rule, why } of nearMisses) is<[kit.RuleRef, string]>()([rule, why])
    is<string[]>()(unresolved)
  }
  const report: kit.TestReport = runTests(text, context)
  for (const { section, index, line, src, passed, errors } of report.results) {
    is<['tests' | 'sshTests', number, number, string, boolean | null, string[]]>()([section, index, line, src, passed, errors])
  }
  is<boolean>()(report.passed)
  for (const { src, dst, proto, app } of Object.values(filters(text, context)).flat()) {
    for (const { net, ports } of dst) is<string[]>()([net, ports])
    is<[string[], number[], Record<string, unknown> | undefined]>()([src, proto, app])
  }
  for (const { from, users, action, acceptEnv } of Object.values(ssh(text, context)).flat()) {
    is<[string[], Record<string, string>, 'accept' | 'check', string[] | undefined]>()([from, users, action, acceptEnv])
  }
  const matrix: kit.AccessMatrix = access(text)
  for (const { source, destination, ports, because: rules } of matrix.cells) {
    is<[string | undefined, string | undefined]>()([matrix.sources[source], matrix.destinations[destination]])
    is<[string[], kit.RuleRef[]]>()([ports, rules])
  }
  const changes: kit.AccessChange[] = diffAccess(text, { acls: [] }, context)
  for (const { source, gained, lost } of changes)
    for (const { destination, ports } of [...gained, ...lost]) is<[string, string, string[]]>()([source, destination, ports])
  const never: kit.Assertion = { why: 'customers', never: { from: '*', to: ['tag:db'], ports: '22', proto: 'tcp' } }
  const proof: kit.Proof = prove(text, [never, { always: { from: 'a', to: 'b', users: 'root' } }, { sameAs: 'main' }], context, { bases: { main: text } })
  for (const { assertion, holds, line, counterexample, because: rules, why } of proof.results) {
    is<[kit.Assertion, boolean | null, number | null, string | undefined, kit.RuleRef[]]>()([assertion, holds, line, why, rules])
    if (counterexample)
      is<[string, string, string, number, kit.RuleRef | null]>()([
        counterexample.from,
        counterexample.to,
        counterexample.protocol,
        counterexample.port,
        counterexample.rule,
      ])
  }
  for (const { pointer, kind, before, after } of diff(text, text))
    is<[string, 'added' | 'removed' | 'changed', unknown, unknown]>()([pointer, kind, before, after])
  const { unchanged, issues, lockedOut, exposed, tests, summary } = review(text, { acls: [] }, { context })
  is<[boolean, kit.Issue[], kit.Party[], string]>()([unchanged, issues, lockedOut, summary])
  for (const { destination, to, opens } of exposed) is<[string, 'everybody' | 'outsiders' | 'anyone', kit.Opening[]]>()([destination, to, opens])
  for (const { section, line, src } of [...tests.added, ...tests.removed]) is<['tests' | 'sshTests', number, string]>()([section, line, src])
  is<kit.AclPolicy>()(toJSON(text))
  const edited = edit.addRule(edit.removeRule(text, 0), { action: 'accept', src: ['*'], dst: ['*:*'] }, 1)
  is<string>()(edit.setGroup(edit.setHost(edited, 'web', null), 'group:ops', ['alice@example.com']))
}

export function prefixes(): void {
  const { check, checkMany, normalize, contains, overlaps, merge, exclude, sameSet } = kit.cidr
  const lenient: kit.CidrOptions = { hostBits: 'mask', bareAddress: 'host', ipv4Mapped: 'unwrap' }
  for (const verdict of [check('10.0.0.0/8', lenient), ...checkMany(['::/0'], lenient)]) {
    if (verdict.ok) is<[string, 4 | 6]>()([verdict.cidr, verdict.version])
    else is<[string, string, string | undefined]>()([verdict.code, verdict.message, verdict.suggestion])
  }
  is<string>()(normalize('10.1.2.3/8', lenient))
  is<boolean[]>()([contains('::/0', '::/1'), overlaps('::/0', '::/1'), sameSet([], [])])
  is<string[]>()([...merge(['10.0.0.0/8']), ...exclude(['10.0.0.0/8'], ['10.0.0.0/9'])])
  const { active, pending, enabledOnly, exitNode, overlaps: pairs } = kit.routes.summarize({ advertisedRoutes: [], enabledRoutes: [] })
  is<[string[], string[], string[], 'no' | 'half' | 'yes', [string, string][]]>()([active, pending, enabledOnly, exitNode, pairs])
  is<kit.Issue[]>()([...kit.dns.checkNameserver('1.1.1.1'), ...kit.dns.checkSearchPath('example.com')])
}

// ---------------------------------------------------------------- errors
export function errors(thrown: unknown): string {
  if (thrown instanceof kit.APIError) {
    const { status, headers, body, requestID, retryAfter, attempts, method, path, details } = thrown
    is<[number, Headers, unknown, string | null, number | null]>()([status, headers, body, requestID, retryAfter])
    is<[number, string, string]>()([attempts, method, path])
    for (const detail of details) is<[string | undefined, string[]]>()([detail.user, detail.errors])
  }
  const api = [
    kit.BadRequestError,
    kit.AuthenticationError,
    kit.PermissionDeniedError,
    kit.NotFoundError,
    kit.ConflictError,
    kit.PreconditionFailedError,
    kit.RateLimitError,
    kit.NotImplementedError,
    kit.InternalServerError,
  ]
  const others = [
    kit.APIConnectionError,
    kit.APIConnectionTimeoutError,
    kit.APIUserAbortError,
    kit.InvalidArgumentError,
    kit.ETagUnavailableError,
    kit.NotInitializedError,
  ]
  for (const kind of api) if (thrown instanceof kind) is<number>()(thrown.status)
  for (const kind of others) if (thrown instanceof kind) is<string>()(thrown.code)
  if (thrown instanceof kit.APIResponseError) is<unknown>()(thrown.body)
  if (thrown instanceof kit.HuJSONSyntaxError) is<kit.Issue>()(thrown.issue)
  if (thrown instanceof kit.JSONPatchError) is<number>()(thrown.operation)
  if (thrown instanceof kit.PolicyRefusedError) is<kit.PolicyCheck>()(thrown.check)
  return kit.isTailnetError(thrown, 'not_found') ? thrown.code : kit.isTailnetError(thrown) ? thrown.message : ''
}

/** Codes are types: a code narrows the error, and a misspelt one does not compile. */
export function codes(thrown: unknown, prefix: kit.CidrCheck): string {
  if (kit.isTailnetError(thrown, 'policy_refused')) is<kit.PolicyCheck>()(thrown.check)
  if (kit.isTailnetError(thrown, 'rate_limit')) is<[429 | number, number | null]>()([thrown.status, thrown.retryAfter])
  if (kit.isTailnetError(thrown, 'webhook_signature')) is<'missing' | 'malformed' | 'expired' | 'mismatch'>()(thrown.reason)
  if (kit.isTailnetError(thrown, 'unexpected_status')) is<'unexpected_status'>()(thrown.code)
  if (kit.isTailnetError(thrown, 'connection')) is<'connection'>()(thrown.code)
  // @ts-expect-error a misspelt code
  kit.isTailnetError(thrown, 'policy_refuse')
  // @ts-expect-error an error of this code has no check
  if (kit.isTailnetError(thrown, 'not_found')) thrown.check
  // @ts-expect-error a misspelt code in a comparison
  if (kit.isTailnetError(thrown) && thrown.code === 'ratelimit') return ''
  // @ts-expect-error a misspelt code of a prefix
  if (!prefix.ok && prefix.code === 'hostbits') return ''
  const known: kit.ErrorCode[] = ['invalid_argument', 'not_initialized'] satisfies (keyof kit.ErrorByCode)[]
  const answered: kit.APIErrorCode[] = known.filter((code): code is kit.APIErrorCode & kit.ErrorCode => code === 'not_found')
  if (!kit.isTailnetError(thrown)) return answered.join()
  switch (thrown.code) {
    case 'hujson_syntax':
      return `line ${thrown.issue.line}`
    case 'json_patch':
      return `operation ${thrown.operation}`
    case 'malformed_response':
      return String(thrown.body)
    case 'not_found':
    case 'server_error':
      return `status ${thrown.status}`
    default:
      return thrown.message
  }
}

// ---------------------------------------------------------------- webhooks
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

// ---------------------------------------------------------------- language
export async function editor(text: string, context: kit.PolicyContext): Promise<void> {
  const at: LanguageService = language
  for (const { from, to, code, fixes } of await at.diagnostics(text, context))
    for (const { title, kind, edits, fixes: fixed, preferred } of fixes)
      is<[number, number, string, string, 'fix' | 'refactor', kit.TextEdit[], string | undefined, boolean | undefined]>()([
        from,
        to,
        code,
        title,
        kind,
        edits,
        fixed,
        preferred,
      ])
  const { from, to, items } = language.complete(text, 0, context)
  for (const { label, kind, insert, snippet, detail, documentation } of items)
    is<[number, number, string, CompletionKind, string, boolean | undefined, string | undefined, string | undefined]>()([
      from,
      to,
      label,
      kind,
      insert,
      snippet,
      detail,
      documentation,
    ])
  is<string | undefined>()(language.hover(text, 0, context)?.markdown)
  is<number | undefined>()(language.definition(text, 0)?.from)
  for (const { definition, pointer } of language.references(text, 0)) is<[boolean, string]>()([definition, pointer])
  is<'group' | 'tag' | 'host' | 'ipset' | 'posture' | 'service' | undefined>()(language.renameable(text, 0)?.kind)
  is<kit.TextEdit[]>()(language.rename(text, 0, 'tag:new'))
  for (const { name, kind, detail, range, selection, children } of language.symbols(text))
    is<[string, string, string | undefined, kit.TextRange, kit.TextRange, number]>()([name, kind, detail, range, selection, children.length])
  for (const { kind } of language.folding(text)) is<'section' | 'entry' | 'list' | 'comment'>()(kind)
  is<kit.TextRange[]>()(language.selection(text, 0))
  for (const { type, definition } of language.tokens(text, { from: 0, to: 9 })) is<[TokenType, boolean | undefined]>()([type, definition])
  for (const { at, text: said, kind, tooltip } of language.inlay(text, null, context))
    is<[number, string, 'resolves' | 'test' | 'unreached', string | undefined]>()([at, said, kind, tooltip])
  is<string | undefined>()(language.actions(text, { from: 0, to: 0 }, context)[0]?.title)
  // @ts-expect-error an offset is needed
  language.hover(text)
}

// ---------------------------------------------------------------- sandbox, gateway
export async function service(): Promise<void> {
  const state: SandboxState = {
    tailnets: {
      'example.com': {
        devices: [{ id: '1' }],
        acl: '{}',
        dns: { nameservers: [], magicDNS: false, searchPaths: [] },
        users: [{ loginName: 'alice@example.com', role: 'owner' }],
      },
    },
  }
  const given: SandboxOptions = { tailnet: ['example.com'], apiKey: 'key', state, now: Date.now, deliver: (request) => void request.url, lists: 'absent' }
  const box = new Sandbox(given)
  box.restore(box.snapshot())
  await box.settled()
  for (const { status, events } of box.deliveries)
    for (const event of events) if (event.type === 'nodeDeleted') is<[number | null, string | undefined]>()([status, event.data?.nodeID])
  is<Response>()(await box.fetch(`${box.baseURL}/api/v2/device/1`, { method: 'DELETE' }))
  new kit.TailnetClient({ baseURL: box.baseURL, fetch: box.fetch, apiKey: 'key' })

  const gate: GatewayOptions = {
    baseURL: box.baseURL,
    apiKey: () => 'key',
    tailnet: 'example.com',
    allow: ['devices.list'],
    authorize: async (request, operation) => request.url !== operation,
    origins: ['https://dashboard.example.com'],
    prefix: '/api',
    fetch: box.fetch,
  }
  is<Response>()(await createGateway(gate)(new Request('https://edge.example.com/api')))
  const groups: kit.OperationGroup[] = ['devices.*', 'devices.attributes.read', '*.read']
  const names: kit.OperationName[] = ['webhooks.rotateSecret', 'devices.setName']
  const strict: GatewayOptions = {
    ...gate,
    apiKey: kit.oauth({ clientSecret: 'secret' }),
    allow: [...names, ...groups],
    authorizeTimeout: 1000,
    maxResponseBytes: 1024,
  }
  is<Response>()(await createGateway(async () => strict)(new Request('https://edge.example.com/api')))
  // @ts-expect-error a misspelt operation
  createGateway({ ...gate, allow: ['devices.lst'] })
  // @ts-expect-error a misspelt group
  createGateway({ ...gate, allow: ['device.*'] })
  // @ts-expect-error a misspelt operation in a comparison
  createGateway({ ...gate, authorize: (_, operation) => operation === 'acl.gett' })
  // @ts-expect-error a misspelt option
  createGateway({ ...gate, authorise: () => true })
}

// ---------------------------------------------------------------- editors
export function editors(monaco: MonacoModule, view: CodeMirrorView, service: NonNullable<EditorOptions['service']>): void {
  const options: EditorOptions = {
    context: async () => ({ devices: [] }),
    service,
    highlight: true,
    completion: true,
    hover: true,
    lint: true,
    rename: true,
    folding: true,
    inlay: false,
    onDiagnostics: (found, text) => found.map(({ from, to, code, fixes }) => [text.slice(from, to), code, fixes.length]),
  }
  is<CodeMirrorExtension>()(tailnetPolicy({ ...options, context: {} }))
  is<CodeMirrorExtension>()(tailnetPolicy())
  is<CodeMirrorExtension>()(tailnetPolicy({ format: (text) => text.trim() }))
  is<boolean>()(formatPolicy(view))
  const registered: Disposable = register(monaco, { ...options, languageId: 'policy' })
  registered.dispose()
}
