// Declarations of `tailnet-kit/sandbox`. Must not live here: the client, the gateway.

import type {
  AuditEntry,
  Contacts,
  Device,
  DeviceAttributes,
  DeviceInvite,
  Key,
  LogType,
  NetworkFlows,
  NewLogStream,
  PostureIntegration,
  Scope,
  ServiceHost,
  SettingsChange,
  SplitDns,
  User,
  UserInvite,
  VIPService,
  Webhook,
  WebhookEvent,
} from './index.js'
import type { HeadscaleNode, HeadscaleUser } from './types/headscale.cjs'

/** Options of a sandbox. */
export interface SandboxOptions {
  /** Its tailnets, `example.com` and `alice@gmail.com` by default; those missing in `state` are created. */
  tailnet?: string | string[]
  /** The accepted key; `tskey-sandbox` by default. */
  apiKey?: string
  /** The initial state; a small, realistic tailnet by default. */
  state?: SandboxState
  /** The clock, in milliseconds. */
  now?: () => number
  /** Origins whose pages may read and change, such as `https://dash.example`, besides loopback and its own; all others are refused with 403. */
  origins?: string[]
  /** Accepted values of `Host` besides loopback names; anything else is refused with 403. Any host by default. */
  hosts?: string[]
  /** Receives the deliveries of webhooks. By default those to a loopback address are sent by the global fetch. All are kept in `deliveries`. */
  deliver?: (request: Request) => Response | void | Promise<Response | void>
  /** How an empty list is answered: `absent` as null or not at all, as the service does at times. `empty` by default. */
  lists?: 'empty' | 'absent'
}

/** Everything a sandbox keeps, as plain data, including secrets. Members besides the tailnets belong to the sandbox: pass them back unchanged. */
export interface SandboxState {
  /** The tailnets by name. */
  tailnets: Record<string, SandboxTailnet>
}

/** Everything about one tailnet. Missing members are made up when needed. */
export interface SandboxTailnet {
  /** The devices, with all fields. */
  devices: Device[]
  /** The policy, as text. */
  acl: string
  /** True once it was replaced: then `ifMatch: 'ts-default'` fails. */
  aclChanged?: boolean
  /** The DNS settings. */
  dns: {
    /** Addresses of the DNS servers. */
    nameservers: string[]
    /** Whether MagicDNS is on. */
    magicDNS: boolean
    /** Search domains. */
    searchPaths: string[]
    /** Resolvers of single domains. */
    splitDNS?: SplitDns
    /** Whether the DNS servers replace those of a device's local network. */
    overrideLocalDNS?: boolean
    /** Those that even devices with an exit node ask. */
    useWithExitNode?: string[]
  }
  /** The users; missing members are made up. */
  users?: (Partial<Omit<User, 'loginName' | 'role'>> & {
    /** Login name. */
    loginName: string
    /** Role, such as `admin`. */
    role?: string
  })[]
  /** The keys with their secrets. */
  keys?: (Key & { /** The secret. */ secret?: string })[]
  /** The access tokens. */
  tokens?: {
    /** The token itself. */
    token: string
    /** The OAuth client that got it; for a user's own token, the key behind it. */
    keyId?: string
    /** What it may do. */
    scopes: string[]
    /** The tags for which it acts. */
    tags: string[]
    /** When it expires, RFC 3339. */
    expires: string
  }[]
  /** Posture attributes by the id of the device. */
  attributes?: Record<string, DeviceAttributes>
  /** Settings that were changed. */
  settings?: SettingsChange
  /** The contacts. */
  contacts?: Contacts
  /** The webhooks, with their secrets. */
  webhooks?: Webhook[]
  /** The services. */
  services?: VIPService[]
  /** The hosts of each service, by its name. */
  serviceHosts?: Record<string, ServiceHost[]>
  /** The log of changes, oldest first. */
  log?: AuditEntry[]
  /** The log of traffic. */
  flows?: NetworkFlows[]
  /** The invites to share a device. */
  deviceInvites?: DeviceInvite[]
  /** The open invites to become a user. */
  userInvites?: UserInvite[]
  /** Where logs are streamed to, with secrets. */
  logStreams?: Partial<Record<LogType, NewLogStream>>
  /** The external ids for trust policies at AWS. */
  awsExternalIds?: string[]
  /** The posture integrations, with their secrets. */
  postureIntegrations?: PostureIntegration[]
}

/**
 * The whole service, in process. It makes no network requests, except to webhooks on this machine.
 * @example
 * const sandbox = new Sandbox()
 * const client = new TailnetClient({ baseURL: sandbox.baseURL, fetch: sandbox.fetch, apiKey: 'tskey-sandbox', tailnet: 'example.com' })
 */
export declare class Sandbox {
  /** Throws `invalid_argument` for a malformed state. */
  constructor(options?: SandboxOptions)
  /** A base URL that a client accepts. */
  readonly baseURL: string
  /** Bound: pass it as `fetch` to a client, use it as the handler of an edge function, or put it behind a server. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Grows with each change of the state. */
  readonly revision: number
  /**
   * A copy of the whole state.
   * @example const { tailnets } = sandbox.snapshot()
   */
  snapshot(): SandboxState
  /**
   * Restores such a copy.
   * @example
   * const before = sandbox.snapshot()
   * await client.devices.delete(device.id)
   * sandbox.restore(before)
   */
  restore(state: SandboxState): void
  /**
   * Moves the clock forward: keys, tokens and attributes expire, devices go offline, webhooks get events.
   * @example sandbox.advance(90 * 24 * 3600_000)
   */
  advance(ms: number): void
  /**
   * Signs a machine in, by a key or as a user; returns the device as the API shows it. A key that is not valid for this is an `invalid_argument`.
   * @example
   * const { name } = sandbox.join({ user: 'dave@example.com', hostname: 'tablet' })
   * name // → 'tablet.example.com'
   */
  join(
    machine: (
      | {
          /** The secret of an auth key. */
          key: string
        }
      | {
          /** A login name. */
          user: string
          /** Its tailnet; the key's own if absent. */
          tailnet?: string
        }
    ) & {
      /** The host name that the machine reports. */
      hostname: string
      /** Its operating system; `linux` if absent. */
      os?: string
      /** Tags that it asks for. */
      tags?: string[]
      /** Routes that it advertises. */
      advertisedRoutes?: string[]
    },
  ): Device
  /**
   * An access token at once, without the token endpoint.
   * @example const reader = client.withOptions({ apiKey: sandbox.token({ scopes: ['dns:read'] }) })
   */
  token(grant: {
    /** What it may do. */
    scopes: Scope[]
    /** The tags for which it acts. */
    tags?: string[]
    /** Its tailnet; the key's own if absent. */
    tailnet?: string
    /** Its user, by login name; if absent it belongs to the tailnet. */
    user?: string
    /** Its lifetime in seconds; 3600 if absent. */
    expiresIn?: number
  }): string
  /** All deliveries so far, oldest first. */
  readonly deliveries: readonly WebhookDelivery[]
  /**
   * Waits until no delivery is running.
   * @example
   * await client.acl.update((text) => `${text}// changed\n`)
   * await sandbox.settled()
   */
  settled(): Promise<void>
}

/** A delivery to a webhook. */
export interface WebhookDelivery {
  /** The webhook. */
  endpointId: string
  /** Its address. */
  endpointUrl: string
  /** When it was sent, RFC 3339, by the sandbox's clock. */
  at: string
  /** The value of the header that signs the body. */
  signature: string
  /** The body. */
  body: string
  /** The events, whatever the format of the body. */
  events: WebhookEvent[]
  /** The status of the answer; null as long as there is none, or if there never was one. */
  status: number | null
}

/** What a sandbox of Headscale holds. */
export interface HeadscaleSandboxState {
  /** The users. */
  users: HeadscaleUser[]
  /** The nodes; one with tags is nobody's. */
  nodes: HeadscaleNode[]
  /** The policy, in Headscale's dialect. An empty one means that none is stored. */
  policy: string
}

/** Options of a sandbox of Headscale. */
export interface HeadscaleSandboxOptions {
  /** The key of the API that it begins with; `hskey-api-sandbox-secret` by default. */
  apiKey?: string
  /** What it begins with; a small team by default. */
  state?: HeadscaleSandboxState
  /** In the form of which release it refuses: the JSON of gRPC of 0.29, or `application/problem+json` of 0.30, which is the default. */
  errors?: '0.29' | '0.30'
  /** The clock, in milliseconds. */
  now?: () => number
}

/**
 * Headscale, in process: its own API `/api/v1`, with all that it keeps. Policies are judged in its dialect, with its users and nodes, and refused in its
 * words. Like a real server it sends no CORS headers. It makes no network requests.
 * @example
 * const headscale = new HeadscaleSandbox()
 * const headers = { authorization: `Bearer ${headscale.apiKey}` }
 * const { nodes } = await (await headscale.fetch('/api/v1/node', { headers })).json()
 * nodes[0].givenName // → 'ann-laptop'
 */
export declare class HeadscaleSandbox {
  /** Throws `invalid_argument` for a malformed state. */
  constructor(options?: HeadscaleSandboxOptions)
  /** A base URL that a client accepts. */
  readonly baseURL: string
  /** The key of the API that it began with. */
  readonly apiKey: string
  /** Bound: pass it as `fetch` to a client. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /**
   * Users, nodes and policy as they are now, for another sandbox to begin with; keys are not among them. Throws once the key that it began with is gone.
   * @example const { policy } = new HeadscaleSandbox().snapshot()
   */
  snapshot(): HeadscaleSandboxState
}

export type { HeadscaleNode, HeadscaleUser } from './types/headscale.cjs'
export { version } from './types/version.cjs'
