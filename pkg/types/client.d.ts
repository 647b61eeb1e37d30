// The API client: options, and the calls of the policy that are no plain operation. Must not live here: the other calls (`methods.d.ts`, made of the
// table of operations), what travels (`wire.d.ts`), errors.

import type { APIPromise, CallOptions } from './call.js'
import type { KeyRequest } from './credentials.js'
import type { TailnetError } from './errors.js'
import type { ClientAclCalls, ClientCalls } from './methods.js'
import type { PolicyCheck } from './policy.js'
import type { AclDetails, AclText } from './wire.js'

export * from './call.js'
export * from './methods.js'

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
  /** The policy of the tailnet. */
  readonly acl: ClientAcl
}

/** The calls by namespace: the constructor makes them of the same rows as their declarations. */
export interface TailnetClient extends ClientCalls {}

/** The policy of the tailnet. */
export interface ClientAcl extends ClientAclCalls {
  /**
   * The text with the service's remarks about it.
   * @example const { warnings, errors } = await client.acl.getDetails()
   */
  getDetails(o?: CallOptions): APIPromise<AclDetails>
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
}
