// Headscale: the client of its own API. Must not live here: its calls (`headscale-methods.d.ts`, made of the table of operations), what it lists
// (`headscale-things.d.ts`), the other service's client (`client.d.ts`), policies (`policy.d.ts`).

import type { APIPromise, CallOptions, ClientOptions } from './client.js'
import type { HeadscaleClientCalls, HeadscaleClientPolicyCalls } from './headscale-methods.js'
import type { HeadscaleNode, HeadscaleStoredPolicy, HeadscaleUser } from './headscale-things.js'
import type { PolicyCheck, PolicyContext } from './policy.js'

export * from './headscale-methods.js'
export * from './headscale-things.js'

/** Options of a client of Headscale: those of `TailnetClient` without a tailnet, as a server has one alone. `pathStyle` has no effect. */
export type HeadscaleClientOptions = Omit<ClientOptions, 'tailnet'>

/** `nodes.*`: all of a namespace; `nodes.read`: those of it that change nothing; `*.read`: all that change nothing; `*.*`: all. */
export type HeadscaleOperationGroup = `${'nodes' | 'users' | 'preAuthKeys' | 'apiKeys' | 'policy' | 'auth' | '*'}.${'*' | 'read'}`

/**
 * A client of Headscale's own API, `/api/v1`, of the releases 0.28 to 0.30: one shape of answers and errors for all of them. Options, classes and codes of
 * errors, repetitions and time limits are those of `TailnetClient`, which is for `/api/v2` of 0.30 (tailnet `-`). A server sends no CORS headers, so pages
 * need a proxy.
 *
 * A refused policy is a BadRequestError, whatever its status; a 500 with which a server has decided something is not repeated. An operation that the server
 * does not have yet throws NotImplementedError before it is sent. Ids are texts. Every call may throw the errors of `TailnetClient`: AuthenticationError,
 * NotFoundError, BadRequestError, ConflictError, APIConnectionError and so on, and InvalidArgumentError before anything is sent.
 * @example
 * const answer = { nodes: [{ id: '7', name: 'box', givenName: 'box', tags: null, expiry: '0001-01-01T00:00:00Z' }] }
 * const headscale = new HeadscaleClient({ baseURL: 'https://headscale.example.com', apiKey: 'hskey-api-k-secret', fetch: async () => Response.json(answer) })
 * const [{ id, tags, expiry }] = await headscale.nodes.list()
 * id // → '7'
 * tags // → []
 * expiry // → null
 */
export declare class HeadscaleClient {
  constructor(options: HeadscaleClientOptions)
  /** Which release answers: what it says of itself, which releases before 0.30 do not, and the release whose API it serves. */
  version(o?: CallOptions): Promise<{ version: string | null; api: '0.28' | '0.29' | '0.30' }>
  /** The policy. */
  readonly policy: HeadscaleClientPolicy
  /** Anything that has no method here. `path` is absolute: `/api/v1/…`. */
  request<T = unknown>(method: string, path: string, o?: CallOptions & { query?: Record<string, string>; body?: unknown }): APIPromise<T>
  withOptions(options: Partial<HeadscaleClientOptions>): HeadscaleClient
  /** Aborts what is under way; that, and every later call, ends in APIUserAbortError. */
  close(): void
}

/** The calls by namespace: the constructor makes them of the same rows as their declarations. */
export interface HeadscaleClient extends HeadscaleClientCalls {}

/** The policy. */
export interface HeadscaleClientPolicy extends HeadscaleClientPolicyCalls {
  /**
   * Reads, edits, judges here with the server's users and nodes, has the server check it, writes, and reads again. A server keeps whatever is written
   * last: where somebody else has written meanwhile, it throws ConflictError. PolicyRefusedError for a policy that the server would refuse; nothing is
   * written then. The language of 0.28 is not known here: NotImplementedError unless `check` is false. `check: policy.check` hands over the judge.
   */
  update(
    edit: (text: string) => string | Promise<string>,
    o?: CallOptions & { check?: boolean | ((text: string) => PolicyCheck) },
  ): APIPromise<HeadscaleStoredPolicy>
}

/**
 * A context for `policy.check` and all other verbs, of what Headscale lists: its users and nodes, dialect set. Any release from 0.28; of earlier ones forced
 * and valid tags count. Routes are served where they are both announced and approved. Throws `invalid_argument` for anything but two lists.
 * @example
 * const { dialect, users } = contextFromHeadscale({ users: [], nodes: [] }) // await headscale.users.list(), await headscale.nodes.list()
 * dialect // → 'headscale'
 * users // → []
 */
export declare function contextFromHeadscale(listed: { users: HeadscaleUser[]; nodes: HeadscaleNode[] }): PolicyContext
