// The API client: options and calls. Must not live here: what travels (`wire.d.ts`), errors.

import type { KeyRequest } from './credentials.js'
import type { TailnetError } from './errors.js'
import type { AclPolicy } from './grammar.js'
import type { PolicyCheck } from './policy.js'
import type {
  Contacts,
  ContactType,
  NewAuthKey,
  NewFederatedIdentity,
  NewOAuthClient,
  NewUserInvite,
  Key,
  SettingsChange,
  TailnetSettings,
  User,
  UserInvite,
  UserRole,
} from './admin.js'
import type { AuditEntry, AwsExternalId, LogStream, LogStreamStatus, LogType, LogWindow, NetworkFlows, NewLogStream } from './logs.js'
import type { NewPostureIntegration, PostureIntegration } from './posture.js'
import type { NewVIPService, ServiceApproval, ServiceHost, ServiceName, VIPService } from './services.js'
import type { NewWebhook, Webhook, WebhookSubscription } from './webhooks.js'
import type {
  AcceptedInvite,
  AclDetails,
  AclJson,
  AclPreview,
  AclText,
  AclValidation,
  AttributeBatch,
  AttributeKey,
  AttributeValue,
  Device,
  DeviceAttributes,
  DeviceFilter,
  DeviceInvite,
  DnsConfiguration,
  DnsPreferences,
  Fields,
  Nameservers,
  NewDeviceInvite,
  PolicyTest,
  Routes,
  SearchPaths,
  SplitDns,
} from './wire.js'

/** Everything a client is made from. Nothing is read from the environment. */
export interface ClientOptions {
  /** The service: https, or http on a loopback host (others need `allowInsecureHTTP`). In a page also a path, resolved against the page. */
  baseURL: string
  /** The tailnet of calls on a tailnet. There is no default: if it is neither here nor in the call, they throw `invalid_argument`. */
  tailnet?: string
  /**
   * The key; null behind a proxy that adds it; or a function called for the key at each attempt, such as `oauth(…)`. After a 401 the function is called
   * once more, with the refused key, and the call is sent again if it returns another one.
   */
  apiKey: string | null | ((request: KeyRequest) => string | Promise<string>)
  /** Replaces the global fetch. Called without `this`. */
  fetch?: typeof fetch
  /** Milliseconds for one attempt, headers and body; 30 000 by default, 0 for none. */
  timeout?: number
  /** Milliseconds for all attempts together. After that the call fails with code `timeout`, too. */
  totalTimeout?: number
  /**
   * How often a failed attempt is retried; 2 by default. 429 always; 408, 500, 502, 503, 504 and connection failures
   * for reads, `acl.preview`, `acl.validate` and the calls that replace a state (set…, set, replace, update,
   * authorize, approve, suspend, restore, expireKey, attributes.batch). Never 501; `acl.set`, `contacts.update`,
   * `contacts.resendVerification`, `webhooks.test`, `webhooks.rotateSecret`, a `services.set` that renames
   * and every create and delete on 429 only.
   */
  maxRetries?: number
  /** Headers of every call; null removes a default one. */
  defaultHeaders?: Record<string, string | null>
  /** `domain` for services that know only the earlier form of paths. */
  pathStyle?: 'tailnet' | 'domain'
  /** Where log lines go; the console by default. The key never appears. */
  logger?: Logger
  /** Which lines are written; `warn` by default. */
  logLevel?: 'off' | 'error' | 'warn' | 'info' | 'debug'
  /** Functions that see, and may change, every attempt. */
  hooks?: Hooks
  /** Must be true for a key in a page, a web worker or a service worker: whoever opens the page can read it. */
  dangerouslyAllowBrowser?: boolean
  /** Lets the key travel over plain http to a host that is not loopback. */
  allowInsecureHTTP?: boolean
  /** The longest body that is read; 64 MiB by default. A longer one is an APIResponseError. */
  maxResponseBytes?: number
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which fails with APIUserAbortError. Several calls may share a signal. */
  signal?: AbortSignal
  /** Milliseconds for one attempt. */
  timeout?: number
  /** How often a failed attempt is retried. */
  maxRetries?: number
  /** Headers of this call; null removes one. */
  headers?: Record<string, string | null>
  /** The tailnet of this call. */
  tailnet?: string
}

/** A promise of the data that also gives the response. */
export interface APIPromise<T> extends Promise<T> {
  /**
   * The data together with its response, whose body is already read.
   * @example
   * const { data, response } = await client.devices.list().withResponse()
   * response.headers.get('content-type') // → 'application/json'
   */
  withResponse(): Promise<{
    /** The data. */
    data: T
    /** Status and headers. */
    response: Response
  }>
}

/** Anything shaped like the console. */
export interface Logger {
  /** Not used so far: errors are thrown. */
  error(...a: unknown[]): void
  /** Not used so far. */
  warn(...a: unknown[]): void
  /** An attempt that failed and is retried. */
  info(...a: unknown[]): void
  /** Each attempt and its outcome. */
  debug(...a: unknown[]): void
}

/** Functions that see every attempt. If they throw, the call fails. A body can be read only once: read that of a `clone()`. */
export interface Hooks {
  /** Before an attempt: may return another request, or a response instead of sending. */
  beforeRequest?(request: Request): Request | Response | void | Promise<Request | Response | void>
  /** After an attempt: may return another response. */
  afterResponse?(request: Request, response: Response): Response | void | Promise<Response | void>
  /** Before an attempt is retried. */
  beforeRetry?(info: {
    /** How many attempts were made. */
    attempt: number
    /** Milliseconds until the next. */
    delay: number
    /** What went wrong. */
    error: TailnetError
    /** The HTTP method. */
    method: string
    /** The path below the base URL. */
    path: string
  }): void | Promise<void>
}

/**
 * A client of one service. Makes no connections, timers or random values until it is called.
 * The examples of its members go on from this one.
 * @example
 * const sandbox = new Sandbox() // or your own service: its baseURL, a key, and no fetch
 * const { baseURL, fetch } = sandbox
 * const client = new TailnetClient({ baseURL, fetch, apiKey: 'tskey-sandbox', tailnet: 'example.com' })
 * const [device] = await client.devices.list()
 */
export declare class TailnetClient {
  /** Throws `invalid_argument`, naming the option, if one is missing, malformed or unknown; so do the calls for theirs. */
  constructor(options: ClientOptions)
  /**
   * Another client that differs only in these options.
   * @example await client.withOptions({ tailnet: 'alice@gmail.com' }).devices.list()
   */
  withOptions(options: Partial<ClientOptions>): TailnetClient
  /**
   * A request that the kit has no method for. `path` is absolute, e.g. `/api/v2/…`.
   * @example const answer = await client.request('GET', '/api/v2/tailnet/example.com/users', { query: { role: 'owner' } })
   */
  request<T = unknown>(
    method: string,
    path: string,
    init?: CallOptions & {
      /** Query parameters; a list gives one for each value. */
      query?: Record<string, string | string[]> | URLSearchParams
      /** Sent as JSON; a string as it is; null means no body. */
      body?: unknown
    },
  ): APIPromise<T>
  /**
   * Aborts the calls that are running; they and every later call fail with APIUserAbortError.
   * @example client.close() // or `using client = …`, which does it at the end of the block
   */
  close(): void
  /** The devices of the tailnet. */
  readonly devices: ClientDevices
  /** Invites to share a device with users of other tailnets. `create`, `resend` and `accept` need the token of a user. */
  readonly deviceInvites: ClientDeviceInvites
  /** The policy of the tailnet. */
  readonly acl: ClientAcl
  /** The DNS settings of the tailnet. */
  readonly dns: ClientDns
  /** Keys that devices join with, access tokens, OAuth clients, federated identities. */
  readonly keys: ClientKeys
  /** The users of the tailnet. */
  readonly users: ClientUsers
  /** Invites to become a user. Writes need the token of a user: to that of an OAuth client they are a PermissionDeniedError. */
  readonly userInvites: ClientUserInvites
  /** The settings of the tailnet. */
  readonly settings: ClientSettings
  /** The addresses that the service writes to. */
  readonly contacts: ClientContacts
  /** The webhooks, which are sent events. */
  readonly webhooks: ClientWebhooks
  /** Services: names with addresses of their own, served by several devices. */
  readonly services: ClientServices
  /** The logs. Answers hold the whole window, without paging: ask for short ones. */
  readonly logs: ClientLogs
  /** Integrations with providers that report on devices. */
  readonly postureIntegrations: ClientPostureIntegrations
}

/** The posture attributes of devices. */
export interface ClientDevicesAttributes {
  /**
   * All of a device, including those of the service.
   * @example
   * const { attributes } = await client.devices.attributes.get(device.id)
   * attributes['node:os'] // → 'macOS'
   */
  get(id: string, o?: CallOptions): APIPromise<DeviceAttributes>
  /**
   * Sets one.
   * @example await client.devices.attributes.set(device.id, 'custom:tier', { value: 2, comment: 'rented' })
   */
  set(
    id: string,
    key: AttributeKey,
    attribute: {
      /** The first value fixes the type of the key in the tailnet. */
      value: AttributeValue
      /** When it expires; never if absent. */
      expiry?: string | Date
      /** Why, for the audit log. */
      comment?: string
    },
    o?: CallOptions,
  ): APIPromise<void>
  /**
   * Removes one.
   * @example await client.devices.attributes.delete(device.id, 'custom:tier')
   */
  delete(id: string, key: AttributeKey, o?: CallOptions): APIPromise<void>
  /**
   * Many devices at once: null removes, what is not named stays.
   * @example await client.devices.attributes.batch({ nodes: { [device.id]: { 'custom:tier': { value: 3 }, 'custom:old': null } } })
   */
  batch(changes: AttributeBatch, o?: CallOptions): APIPromise<void>
}

/** The subnet routes of a device. */
export interface ClientDevicesRoutes {
  /**
   * What it advertises and what is enabled.
   * @example const { advertisedRoutes, enabledRoutes } = await client.devices.routes.get(device.id)
   */
  get(id: string, o?: CallOptions): APIPromise<Routes>
  /**
   * Replaces the enabled routes. Checks every prefix first, unless `validate` is false; sends the routes exactly as given.
   * @example await client.devices.routes.set(device.id, ['10.0.0.0/8', '::/0'])
   */
  set(
    id: string,
    routes: string[],
    o?: CallOptions & { /** Whether prefixes are checked before anything is sent; true by default. */ validate?: boolean },
  ): APIPromise<Routes>
}

/** The devices of the tailnet. */
export interface ClientDevices {
  /**
   * All devices of the tailnet.
   * @example
   * const tagged = await client.devices.list({ fields: 'all', filter: { tags: 'tag:web' } })
   * tagged.map(({ hostname }) => hostname) // → ['web-1', 'web-2']
   */
  list(
    params?: {
      /** Which fields; `default` if absent. */
      fields?: Fields
      /** Which devices. Each is checked again here, as a service may ignore the filter; fields that it needs are requested. */
      filter?: DeviceFilter
    },
    o?: CallOptions,
  ): APIPromise<Device[]>
  /**
   * One device.
   * @example const { advertisedRoutes } = await client.devices.get(device.id, { fields: 'all' })
   */
  get(id: string, params?: { /** Which fields; `default` if absent. */ fields?: Fields }, o?: CallOptions): APIPromise<Device>
  /**
   * Removes a device from its tailnet. A device of another tailnet is a NotImplementedError.
   * @example await client.devices.delete(device.id)
   */
  delete(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Admits a waiting device. `authorized: false` logs a device out: it must sign in again; an ephemeral one is removed.
   * @example await client.devices.authorize(device.id)
   */
  authorize(id: string, params?: { /** Whether it is admitted; true if absent. */ authorized?: boolean }, o?: CallOptions): APIPromise<void>
  /**
   * Renames a device; '' restores its host name. The service normalizes the name: read it back.
   * @example
   * await client.devices.setName(device.id, 'desk')
   * const { name } = await client.devices.get(device.id)
   * name // → 'desk.example.com'
   */
  setName(id: string, name: string, o?: CallOptions): APIPromise<void>
  /**
   * Replaces the tags. The last tag cannot be removed: BadRequestError.
   * @example await client.devices.setTags(device.id, ['tag:web'])
   */
  setTags(id: string, tags: string[], o?: CallOptions): APIPromise<void>
  /**
   * Whether the key of a device expires. The time of expiry is kept meanwhile.
   * @example await client.devices.setKey(device.id, { keyExpiryDisabled: true })
   */
  setKey(id: string, key: { /** True for a key that never expires. */ keyExpiryDisabled: boolean }, o?: CallOptions): APIPromise<void>
  /**
   * Expires the key of a device now: it must sign in again.
   * @example await client.devices.expireKey(device.id)
   */
  expireKey(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Changes the address, which breaks open connections. That it is in 100.64.0.0/10 is checked first.
   * @example await client.devices.setIP(device.id, '100.80.0.7')
   */
  setIP(id: string, ipv4: string, o?: CallOptions): APIPromise<void>
  /** The posture attributes of devices. */
  readonly attributes: ClientDevicesAttributes
  /** The subnet routes of a device. */
  readonly routes: ClientDevicesRoutes
}

/** Invites to share a device with users of other tailnets. `create`, `resend` and `accept` need the token of a user. */
export interface ClientDeviceInvites {
  /**
   * Those of a device.
   * @example const invites = await client.deviceInvites.list(device.id)
   */
  list(device: string, o?: CallOptions): APIPromise<DeviceInvite[]>
  /**
   * Makes invites, and mails those that have an address. Retried on 429 only.
   * @example const [{ inviteUrl }] = await client.deviceInvites.create(device.id, [{ email: 'eve@example.org', allowExitNode: true }])
   */
  create(device: string, invites: NewDeviceInvite[], o?: CallOptions): APIPromise<DeviceInvite[]>
  /**
   * One of them.
   * @example
   * const [{ id }] = await client.deviceInvites.create(device.id, [{}])
   * const { accepted } = await client.deviceInvites.get(id)
   */
  get(id: string, o?: CallOptions): APIPromise<DeviceInvite>
  /**
   * Takes one back.
   * @example
   * const [{ id }] = await client.deviceInvites.create(device.id, [{}])
   * await client.deviceInvites.delete(id)
   */
  delete(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Mails one again, at most once a minute. Retried on 429 only.
   * @example
   * const [{ id }] = await client.deviceInvites.create(device.id, [{ email: 'eve@example.org' }])
   * sandbox.advance(60_000)
   * await client.deviceInvites.resend(id)
   */
  resend(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Accepts one, by its URL or the code at the end of that. Retried on 429 only.
   * @example
   * const [{ inviteUrl = '' }] = await client.deviceInvites.create(device.id, [{}])
   * const { device: shared } = await client.deviceInvites.accept(inviteUrl)
   */
  accept(invite: string, o?: CallOptions): APIPromise<AcceptedInvite>
}

/** The policy of the tailnet. */
export interface ClientAcl {
  /**
   * The text as its authors wrote it, with the ETag.
   * @example const { text, etag } = await client.acl.get()
   */
  get(params?: { /** The text. */ format?: 'hujson' }, o?: CallOptions): APIPromise<AclText>
  /** The parsed form; also from a service that sends the stored text instead. */
  get(params: { /** The parsed form. */ format: 'json' }, o?: CallOptions): APIPromise<AclJson>
  /**
   * The text with the service's remarks about it.
   * @example const { warnings, errors } = await client.acl.getDetails()
   */
  getDetails(o?: CallOptions): APIPromise<AclDetails>
  /**
   * Replaces the policy if it still has this ETag, or unconditionally with `overwrite`. An ETag that is null, as the service sent none, throws
   * ETagUnavailableError, and nothing is sent.
   * @example
   * const { text, etag } = await client.acl.get()
   * await client.acl.set(policy.edit.setHost(text, 'nas', '192.168.10.5'), { ifMatch: etag })
   */
  set(
    acl: string | AclPolicy,
    how:
      | {
          /** The ETag of the document that this one replaces, quoted or bare; `ts-default`: only if the policy was never set. */ ifMatch:
            | string
            | null /** The text comes back. */
          format?: 'hujson'
        }
      | {
          /** Replaces whatever is there. */ overwrite: true
          /** The text comes back. */ format?: 'hujson'
        },
    o?: CallOptions,
  ): APIPromise<AclText>
  /** The same; returns the parsed form. */
  set(
    acl: string | AclPolicy,
    how:
      | {
          /** The ETag of the document that this one replaces, quoted or bare; `ts-default`: only if the policy was never set. */ ifMatch:
            | string
            | null /** The parsed form comes back. */
          format: 'json'
        }
      | {
          /** Replaces whatever is there. */ overwrite: true
          /** The parsed form comes back. */ format: 'json'
        },
    o?: CallOptions,
  ): APIPromise<AclJson>
  /**
   * Reads, edits, checks locally, and writes unless somebody else did meanwhile; on a conflict it reads again and reapplies the edit.
   * If the service would refuse the document, it throws PolicyRefusedError and writes nothing.
   * @example await client.acl.update((text) => policy.edit.setGroup(text, 'group:dev', ['bob@example.com']))
   */
  update(
    edit: (text: string) => string | Promise<string>,
    o?: CallOptions & {
      /** How many attempts; 3 by default. The last conflict is the cause of the error. */
      attempts?: number
      /**
       * Whether the document is checked before it is written; true by default. The policy engine is then loaded when an update first needs it.
       * Pass `policy.check` instead if nothing should be loaded, as in a bundle that must be a single file.
       */
      check?: boolean | ((acl: string) => PolicyCheck)
    },
  ): Promise<AclText>
  /**
   * Which rules of this document concern a user, or one address and port. Nothing is saved.
   * @example
   * const { matches } = await client.acl.preview('{"acls": [{"action": "accept", "src": ["*"], "dst": ["*:*"]}]}', { user: 'bob@example.com' })
   * matches[0].ports // → ['*:*']
   */
  preview(acl: string | AclPolicy, params: { /** Login name. */ user: string } | { /** `ip:port`. */ ipPort: string }, o?: CallOptions): APIPromise<AclPreview>
  /**
   * Lets the service judge a policy, or run these tests against the policy in force. Nothing is saved. What it cannot parse is a BadRequestError.
   * @example
   * const { outcome } = await client.acl.validate([{ src: 'dave@example.com', deny: ['tag:db:5432'] }])
   * outcome // → 'valid'
   */
  validate(acl: string | AclPolicy | PolicyTest[], o?: CallOptions): APIPromise<AclValidation>
}

/** The DNS servers. */
export interface ClientDnsNameservers {
  /**
   * Their addresses.
   * @example const { dns: addresses } = await client.dns.nameservers.get()
   */
  get(o?: CallOptions): APIPromise<Nameservers>
  /**
   * Replaces them. An empty list also turns MagicDNS off, and it stays off.
   * @example await client.dns.nameservers.set([]) // → { dns: [], magicDNS: false }
   */
  set(dns: string[], o?: CallOptions): APIPromise<Nameservers & { /** Whether MagicDNS is on. */ magicDNS: boolean }>
}

/** The DNS preferences. */
export interface ClientDnsPreferences {
  /**
   * The present settings.
   * @example const { magicDNS } = await client.dns.preferences.get()
   */
  get(o?: CallOptions): APIPromise<DnsPreferences>
  /**
   * Sets them. MagicDNS needs a nameserver.
   * @example await client.dns.preferences.set({ magicDNS: false }) // → { magicDNS: false }
   */
  set(p: DnsPreferences, o?: CallOptions): APIPromise<DnsPreferences>
}

/** The search domains. */
export interface ClientDnsSearchPaths {
  /**
   * The present settings.
   * @example const { searchPaths } = await client.dns.searchPaths.get()
   */
  get(o?: CallOptions): APIPromise<SearchPaths>
  /**
   * Replaces them.
   * @example await client.dns.searchPaths.set(['corp.example.com']) // → { searchPaths: ['corp.example.com'] }
   */
  set(paths: string[], o?: CallOptions): APIPromise<SearchPaths>
}

/** Resolvers by domain. */
export interface ClientDnsSplit {
  /**
   * All of them.
   * @example const { 'corp.example.com': resolvers = [] } = await client.dns.split.get()
   */
  get(o?: CallOptions): APIPromise<SplitDns>
  /**
   * Changes the named domains; null removes one. Returns the whole map.
   * @example await client.dns.split.update({ 'corp.example.com': ['10.0.0.53'], 'old.example.com': null })
   */
  update(domains: Record<string, string[] | null>, o?: CallOptions): APIPromise<SplitDns>
  /**
   * Replaces all. Returns the whole map.
   * @example await client.dns.split.replace({ 'corp.example.com': ['10.0.0.53'] })
   */
  replace(domains: SplitDns, o?: CallOptions): APIPromise<SplitDns>
}

/** All DNS settings as one document. */
export interface ClientDnsConfiguration {
  /**
   * The present settings; false and empty members are absent.
   * @example const { nameservers = [], preferences } = await client.dns.configuration.get()
   */
  get(o?: CallOptions): APIPromise<DnsConfiguration>
  /**
   * Replaces all of it: what is left out is cleared. Where the service answers with nothing, `null` or `{}`, the result is what was sent.
   * @example await client.dns.configuration.set({ nameservers: [{ address: '9.9.9.9' }], preferences: { magicDNS: true } })
   */
  set(c: DnsConfiguration, o?: CallOptions): APIPromise<DnsConfiguration>
}

/** The DNS settings of the tailnet. */
export interface ClientDns {
  /** The DNS servers. */
  readonly nameservers: ClientDnsNameservers
  /** The DNS preferences. */
  readonly preferences: ClientDnsPreferences
  /** The search domains. */
  readonly searchPaths: ClientDnsSearchPaths
  /** Resolvers by domain. */
  readonly split: ClientDnsSplit
  /** All DNS settings as one document. */
  readonly configuration: ClientDnsConfiguration
}

/** Keys that devices join with, access tokens, OAuth clients, federated identities. */
export interface ClientKeys {
  /**
   * All that the caller may see, whoever created them.
   * @example const alive = (await client.keys.list()).filter(({ invalid }) => !invalid)
   */
  list(o?: CallOptions): APIPromise<Key[]>
  /**
   * Creates a key. Only this answer contains the secret. Retried on 429 only: if the answer is lost, list the keys, delete it and create another.
   * @example
   * const { id, key } = await client.keys.create({ capabilities: { devices: { create: { tags: ['tag:web'] } } }, expirySeconds: 600 })
   */
  create(key: NewAuthKey | NewOAuthClient, o?: CallOptions): APIPromise<Key & { /** The secret. */ key: string }>
  /** Creates a federated identity, which has no secret. */
  create(key: NewFederatedIdentity, o?: CallOptions): APIPromise<Key>
  /**
   * One key. A key that no longer works is `invalid`, or a NotFoundError.
   * @example
   * const { id } = await client.keys.create({ capabilities: { devices: {} } })
   * const { expires } = await client.keys.get(id)
   */
  get(id: string, o?: CallOptions): APIPromise<Key>
  /**
   * Replaces an OAuth client or a federated identity: what is left out is cleared.
   * @example
   * const { id } = await client.keys.create({ keyType: 'client', scopes: ['dns'] })
   * await client.keys.set(id, { keyType: 'client', scopes: ['dns:read'] })
   */
  set(id: string, key: NewOAuthClient | NewFederatedIdentity, o?: CallOptions): APIPromise<Key>
  /**
   * Deletes a key. Devices that joined with it stay; all tokens of a client end.
   * @example
   * const { id } = await client.keys.create({ capabilities: { devices: {} } })
   * await client.keys.delete(id)
   */
  delete(id: string, o?: CallOptions): APIPromise<void>
}

/** The users of the tailnet. */
export interface ClientUsers {
  /**
   * Without a type: members only.
   * @example const admins = await client.users.list({ role: 'admin' })
   */
  list(
    params?: {
      /** Members, users of other tailnets, or both. */
      type?: 'member' | 'shared' | 'all'
      /** Only users with this role. */
      role?: UserRole | 'all'
    },
    o?: CallOptions,
  ): APIPromise<User[]>
  /**
   * One user.
   * @example
   * const [{ id }] = await client.users.list()
   * const { loginName } = await client.users.get(id)
   */
  get(id: string, o?: CallOptions): APIPromise<User>
  /**
   * Approves a waiting user.
   * @example
   * const [{ id }] = await client.users.list({ role: 'member' })
   * await client.users.approve(id)
   */
  approve(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Ends connections, tokens and keys until the user is restored.
   * @example
   * const [{ id }] = await client.users.list({ role: 'member' })
   * await client.users.suspend(id)
   */
  suspend(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Undoes a suspension.
   * @example
   * const [{ id }] = await client.users.list({ role: 'member' })
   * await client.users.restore(id)
   */
  restore(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Removes a user with their devices, keys and tokens. The owner must transfer ownership first.
   * @example
   * const [{ id }] = await client.users.list({ role: 'member' })
   * await client.users.delete(id)
   */
  delete(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Changes the role. Setting the role that a user already has fails at some services: read it first.
   * @example
   * const [{ id }] = await client.users.list({ role: 'member' })
   * await client.users.setRole(id, 'auditor')
   */
  setRole(id: string, role: UserRole, o?: CallOptions): APIPromise<void>
}

/** Invites to become a user. Writes need the token of a user: to that of an OAuth client they are a PermissionDeniedError. */
export interface ClientUserInvites {
  /**
   * The open ones.
   * @example const open = await client.userInvites.list()
   */
  list(o?: CallOptions): APIPromise<UserInvite[]>
  /**
   * Makes invites, and mails those that have an address. Retried on 429 only.
   * @example const [{ inviteUrl }] = await client.userInvites.create([{ role: 'admin', email: 'eve@example.com' }])
   */
  create(invites: NewUserInvite[], o?: CallOptions): APIPromise<UserInvite[]>
  /**
   * One of them.
   * @example
   * const [{ id }] = await client.userInvites.create([{}])
   * const invite = await client.userInvites.get(id)
   * invite.role // → 'member'
   */
  get(id: string, o?: CallOptions): APIPromise<UserInvite>
  /**
   * Takes one back.
   * @example
   * const [{ id }] = await client.userInvites.create([{}])
   * await client.userInvites.delete(id)
   */
  delete(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Mails one again, at most once a minute. Retried on 429 only.
   * @example
   * const [{ id }] = await client.userInvites.create([{ email: 'eve@example.com' }])
   * sandbox.advance(60_000)
   * await client.userInvites.resend(id)
   */
  resend(id: string, o?: CallOptions): APIPromise<void>
}

/** The settings of the tailnet. */
export interface ClientSettings {
  /**
   * Those that the caller may read: absent is not false.
   * @example const { devicesApprovalOn } = await client.settings.get()
   */
  get(o?: CallOptions): APIPromise<TailnetSettings>
  /**
   * Sends what is named and leaves the rest; the service ignores unknown names: look at the answer.
   * @example await client.settings.update({ devicesApprovalOn: true, devicesKeyDurationDays: 90 })
   */
  update(changes: SettingsChange, o?: CallOptions): APIPromise<TailnetSettings>
}

/** The addresses that the service writes to. */
export interface ClientContacts {
  /**
   * All three.
   * @example const { security } = await client.contacts.get()
   */
  get(o?: CallOptions): APIPromise<Contacts>
  /**
   * Sets another address, which must be confirmed by mail. Retried on 429 only.
   * @example await client.contacts.update('security', { email: 'sec@example.com' })
   */
  update(type: ContactType, contact: { /** The new address. */ email: string }, o?: CallOptions): APIPromise<void>
  /**
   * Sends that mail again; a BadRequestError if none is pending.
   * @example
   * await client.contacts.update('security', { email: 'sec@example.com' })
   * await client.contacts.resendVerification('security')
   */
  resendVerification(type: ContactType, o?: CallOptions): APIPromise<void>
}

/** The webhooks, which are sent events. */
export interface ClientWebhooks {
  /**
   * All of the tailnet.
   * @example const subscribed = await client.webhooks.list()
   */
  list(o?: CallOptions): APIPromise<Webhook[]>
  /**
   * Creates one. This answer contains the secret. A second one with the same URL fails, at some services with 500. Retried on 429 only.
   * @example
   * const { secret } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['policyUpdate'] })
   */
  create(webhook: NewWebhook, o?: CallOptions): APIPromise<Webhook & { /** The secret that signs deliveries. */ secret: string }>
  /**
   * One of them.
   * @example
   * const { endpointId } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['nodeCreated'] })
   * const { subscriptions } = await client.webhooks.get(endpointId)
   */
  get(id: string, o?: CallOptions): APIPromise<Webhook>
  /**
   * Replaces its subscriptions; nothing else of it can change.
   * @example
   * const { endpointId } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['nodeCreated'] })
   * await client.webhooks.update(endpointId, { subscriptions: ['nodeCreated', 'nodeDeleted'] })
   */
  update(id: string, changes: { /** All events it is sent from now on. */ subscriptions: WebhookSubscription[] }, o?: CallOptions): APIPromise<Webhook>
  /**
   * Removes one.
   * @example
   * const { endpointId } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['nodeCreated'] })
   * await client.webhooks.delete(endpointId)
   */
  delete(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Lets the service send it a `test` event, some time after the answer. Retried on 429 only.
   * @example
   * const { endpointId } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['nodeCreated'] })
   * await client.webhooks.test(endpointId)
   */
  test(id: string, o?: CallOptions): APIPromise<void>
  /**
   * Creates another secret, which is in this answer. For a day check deliveries against both. Retried on 429 only.
   * @example
   * const { endpointId } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['nodeCreated'] })
   * const { secret } = await client.webhooks.rotateSecret(endpointId)
   */
  rotateSecret(id: string, o?: CallOptions): APIPromise<Webhook & { /** The secret that signs deliveries. */ secret: string }>
}

/** Whether a device may serve it. */
export interface ClientServicesApproval {
  /**
   * The present approval.
   * @example
   * await client.services.set('svc:wiki', { ports: ['tcp:443'] })
   * const { approved } = await client.services.approval.get('svc:wiki', device.id)
   */
  get(name: ServiceName, device: string, o?: CallOptions): APIPromise<ServiceApproval>
  /**
   * Sets it.
   * @example
   * await client.services.set('svc:wiki', { ports: ['tcp:443'] })
   * await client.services.approval.set('svc:wiki', device.id, { approved: true }) // → { approved: true, autoApproved: false }
   */
  set(name: ServiceName, device: string, approval: { /** Whether it is approved. */ approved: boolean }, o?: CallOptions): APIPromise<ServiceApproval>
}

/** Services: names with addresses of their own, served by several devices. */
export interface ClientServices {
  /**
   * All of the tailnet.
   * @example const names = (await client.services.list()).map(({ name }) => name)
   */
  list(o?: CallOptions): APIPromise<VIPService[]>
  /**
   * One of them.
   * @example
   * await client.services.set('svc:wiki', { ports: ['tcp:443'] })
   * const { addrs } = await client.services.get('svc:wiki')
   */
  get(name: ServiceName, o?: CallOptions): APIPromise<VIPService>
  /**
   * Creates or replaces one: send back both addresses of an existing one. Another `name` in it renames it; that is retried on 429 only.
   * @example const { name } = await client.services.set('svc:wiki', { ports: ['tcp:443'], comment: 'what we know' })
   */
  set(name: ServiceName, service: NewVIPService, o?: CallOptions): APIPromise<VIPService>
  /**
   * Removes one.
   * @example
   * await client.services.set('svc:wiki', { ports: ['tcp:443'] })
   * await client.services.delete('svc:wiki')
   */
  delete(name: ServiceName, o?: CallOptions): APIPromise<void>
  /**
   * The devices that serve it, or could.
   * @example
   * await client.services.set('svc:wiki', { ports: ['tcp:443'] })
   * const hosts = await client.services.hosts('svc:wiki')
   */
  hosts(name: ServiceName, o?: CallOptions): APIPromise<ServiceHost[]>
  /** Whether a device may serve it. */
  readonly approval: ClientServicesApproval
}

/** Where the logs are streamed to. */
export interface ClientLogsStreaming {
  /**
   * Where a log is streamed to, without secrets. A NotFoundError if to nowhere.
   * @example
   * await client.logs.streaming.set('configuration', { destinationType: 'splunk', url: 'https://logs.example.com', token: 'from your secrets' })
   * const { destinationType } = await client.logs.streaming.get('configuration')
   */
  get(logType: LogType, o?: CallOptions): APIPromise<LogStream>
  /**
   * Streams a log to a collector; what is left out is removed.
   * @example await client.logs.streaming.set('network', { destinationType: 's3', s3Bucket: 'logs', s3Region: 'eu-west-1', compressionFormat: 'zstd' })
   */
  set(logType: LogType, stream: NewLogStream, o?: CallOptions): APIPromise<void>
  /**
   * Ends the streaming of a log.
   * @example
   * await client.logs.streaming.set('network', { destinationType: 'axiom', token: 'from your secrets' })
   * await client.logs.streaming.delete('network')
   */
  delete(logType: LogType, o?: CallOptions): APIPromise<void>
  /**
   * Counters, times and the last error of a stream.
   * @example
   * await client.logs.streaming.set('network', { destinationType: 'axiom', token: 'from your secrets' })
   * const { lastError } = await client.logs.streaming.status('network')
   */
  status(logType: LogType, o?: CallOptions): APIPromise<LogStreamStatus>
  /**
   * The external id that the trust policy of a role at AWS must name, for streams to S3. Retried on 429 only.
   * @example const { externalId } = await client.logs.streaming.awsExternalId({ reusable: true })
   */
  awsExternalId(params?: { /** Whether the id that was given before will do. */ reusable?: boolean }, o?: CallOptions): APIPromise<AwsExternalId>
  /**
   * Whether the trust policy of a role names that id. If not, an APIStatusError with status 422.
   * @example
   * const { externalId } = await client.logs.streaming.awsExternalId()
   * await client.logs.streaming.validateAws(externalId, { roleArn: 'arn:aws:iam::123456789012:role/logs' })
   */
  validateAws(id: string, role: { /** The ARN of the role. */ roleArn: string }, o?: CallOptions): APIPromise<void>
}

/** The logs. Answers hold the whole window, without paging: ask for short ones. */
export interface ClientLogs {
  /**
   * What was changed, oldest first. Entries may hold whole policies: do not log them.
   * @example const changes = await client.logs.audit({ start: new Date(Date.now() - 3600_000), end: new Date(), actor: '~ann' })
   */
  audit(
    params: LogWindow & {
      /** Changes by this actor: an id, or `~` and a part of a name. */
      actor?: string | string[]
      /** Changes of this target, in the same form. */
      target?: string | string[]
      /** Which kinds of changes. */
      event?: string | string[]
    },
    o?: CallOptions,
  ): APIPromise<AuditEntry[]>
  /**
   * What devices sent each other. Very large: ask for a few minutes.
   * @example const flows = await client.logs.network({ start: new Date(Date.now() - 60_000), end: new Date() })
   */
  network(params: LogWindow, o?: CallOptions): APIPromise<NetworkFlows[]>
  /** Where the logs are streamed to. */
  readonly streaming: ClientLogsStreaming
}

/** Integrations with providers that report on devices. */
export interface ClientPostureIntegrations {
  /**
   * All of the tailnet.
   * @example const providers = (await client.postureIntegrations.list()).map(({ provider }) => provider)
   */
  list(o?: CallOptions): APIPromise<PostureIntegration[]>
  /**
   * Creates one. A second one of a provider is a ConflictError. Retried on 429 only.
   * @example const { id } = await client.postureIntegrations.create({ provider: 'kandji', clientSecret: 'from your secrets' })
   */
  create(integration: NewPostureIntegration, o?: CallOptions): APIPromise<PostureIntegration>
  /**
   * One of them.
   * @example
   * const { id } = await client.postureIntegrations.create({ provider: 'kandji', clientSecret: 'from your secrets' })
   * const { status } = await client.postureIntegrations.get(id)
   */
  get(id: string, o?: CallOptions): APIPromise<PostureIntegration>
  /**
   * Changes what is named; a secret that is left out stays.
   * @example
   * const { id } = await client.postureIntegrations.create({ provider: 'kandji', clientSecret: 'from your secrets' })
   * await client.postureIntegrations.update(id, { cloudId: 'eu' })
   */
  update(id: string, changes: Partial<Omit<NewPostureIntegration, 'provider'>>, o?: CallOptions): APIPromise<PostureIntegration>
  /**
   * Removes one.
   * @example
   * const { id } = await client.postureIntegrations.create({ provider: 'kandji', clientSecret: 'from your secrets' })
   * await client.postureIntegrations.delete(id)
   */
  delete(id: string, o?: CallOptions): APIPromise<void>
}
