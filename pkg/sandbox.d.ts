// Declarations of `tailnet-kit/sandbox`. Must not live here: the client, the gateway.

import type {
  AuditEntry,
  Contacts,
  Device,
  DeviceAttributes,
  Key,
  NetworkFlows,
  PostureIntegration,
  Scope,
  ServiceHost,
  SettingsChange,
  SplitDns,
  User,
  VIPService,
  Webhook,
  WebhookEvent,
} from './index.js'

/** What a sandbox is made from. */
export interface SandboxOptions {
  /** The tailnets there are, `example.com` and `alice@gmail.com` by default; those that `state` lacks are made. */
  tailnet?: string | string[]
  /** The key that is accepted; `tskey-sandbox` by default. */
  apiKey?: string
  /** What it starts with; a small, realistic tailnet by default. */
  state?: SandboxState
  /** The clock, in milliseconds. */
  now?: () => number
  /** Pages that may read and change, such as `https://dash.example`, beside those of loopback and its own; all others are refused with 403. */
  origins?: string[]
  /** What `Host` may say beside loopback names; anything else is refused with 403. Any host by default. */
  hosts?: string[]
  /** Takes the deliveries of webhooks. By default those to a loopback address are sent, by the global fetch. All are kept in `deliveries`. */
  deliver?: (request: Request) => Response | void | Promise<Response | void>
  /** How a list with nothing in it is answered: `absent` as the service does at times, not at all or as null. `empty` by default. */
  lists?: 'empty' | 'absent'
}

/** Everything a sandbox keeps, as plain data. Secrets are in it. What a snapshot holds beside the tailnets is the sandbox's own: hand it back as it is. */
export interface SandboxState {
  /** The tailnets by name. */
  tailnets: Record<string, SandboxTailnet>
}

/** Everything of one tailnet. What is optional is made up where it is asked for. */
export interface SandboxTailnet {
  /** Their devices, with all fields. */
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
    /** Whether the DNS servers replace those of a device's own network. */
    overrideLocalDNS?: boolean
    /** Those that even devices which use an exit node ask. */
    useWithExitNode?: string[]
  }
  /** The users; what is not said of one is made up. */
  users?: (Partial<Omit<User, 'loginName' | 'role'>> & {
    /** Login name. */
    loginName: string
    /** Role, such as `admin`. */
    role?: string
  })[]
  /** The keys with their secrets. */
  keys?: (Key & { /** What nobody is shown twice. */ secret?: string })[]
  /** The access tokens. */
  tokens?: {
    /** The token itself. */
    token: string
    /** The OAuth client that got it; of a user's own token the key that stands for it. */
    keyId?: string
    /** What it may do. */
    scopes: string[]
    /** The tags for which it acts. */
    tags: string[]
    /** When it ends, RFC 3339. */
    expires: string
  }[]
  /** Posture attributes by the id of the device. */
  attributes?: Record<string, DeviceAttributes>
  /** Settings that were ever changed. */
  settings?: SettingsChange
  /** Whom the service writes to. */
  contacts?: Contacts
  /** Who is told of events, with their secrets. */
  webhooks?: Webhook[]
  /** Names with addresses of their own. */
  services?: VIPService[]
  /** By the name of a service, who answers for it. */
  serviceHosts?: Record<string, ServiceHost[]>
  /** What was changed, oldest first. */
  log?: AuditEntry[]
  /** What devices sent each other. */
  flows?: NetworkFlows[]
  /** Who tells it about devices, with their secrets. */
  postureIntegrations?: PostureIntegration[]
}

/**
 * The whole service, in process. It reaches no network, but webhooks on this machine.
 * @example
 * const sandbox = new Sandbox()
 * const client = new TailnetClient({ baseURL: sandbox.baseURL, fetch: sandbox.fetch, apiKey: 'tskey-sandbox', tailnet: 'example.com' })
 */
export declare class Sandbox {
  /** Throws `invalid_argument` for a state that makes no sense. */
  constructor(options?: SandboxOptions)
  /** A base URL that a client takes as it is. */
  readonly baseURL: string
  /** Bound: pass it as `fetch` to a client, as the handler of an edge function, or put it behind a server. */
  readonly fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  /** Grows with each change of what it keeps. */
  readonly revision: number
  /**
   * A copy of everything it keeps.
   * @example const { tailnets } = sandbox.snapshot()
   */
  snapshot(): SandboxState
  /**
   * Puts everything back to such a copy.
   * @example
   * const before = sandbox.snapshot()
   * await client.devices.delete(device.id)
   * sandbox.restore(before)
   */
  restore(state: SandboxState): void
  /**
   * Moves the clock on: keys, tokens and attributes end, devices fall silent, webhooks are told.
   * @example sandbox.advance(90 * 24 * 3600_000)
   */
  advance(ms: number): void
  /**
   * What a machine does that signs in, by a key or as a user; gives the device as the API shows it. A key that is dead or may not do this: `invalid_argument`.
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
          /** Which tailnet; the key's own where absent. */
          tailnet?: string
        }
    ) & {
      /** What the machine calls itself. */
      hostname: string
      /** Its operating system; `linux` where absent. */
      os?: string
      /** Tags that it asks for. */
      tags?: string[]
      /** Routes that it offers. */
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
    /** Where; the key's own tailnet where absent. */
    tailnet?: string
    /** Whose it is, a login name; one of the tailnet where absent. */
    user?: string
    /** How long it lives, in seconds; 3600 where absent. */
    expiresIn?: number
  }): string
  /** All deliveries so far, oldest first. */
  readonly deliveries: readonly WebhookDelivery[]
  /**
   * Waits until none is under way.
   * @example
   * await client.acl.update((text) => `${text}// changed\n`)
   * await sandbox.settled()
   */
  settled(): Promise<void>
}

/** What a webhook was sent. */
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
  /** What happened, whatever the form of the body. */
  events: WebhookEvent[]
  /** The status of the answer; null before it is there, and where there was none. */
  status: number | null
}

export { version } from './types/version.cjs'
