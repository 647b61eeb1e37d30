// Headscale: the client of its own API, and what that lists. Must not live here: the other service's client (`client.d.ts`), policies (`policy.d.ts`).

import type { APIPromise, CallOptions, ClientOptions } from './client.js'
import type { PolicyCheck, PolicyContext } from './policy.js'

/** Options of a client of Headscale: those of `TailnetClient` without a tailnet, as a server has one alone. `pathStyle` has no effect. */
export type HeadscaleClientOptions = Omit<ClientOptions, 'tailnet'>

/** One operation, as in the gateway's `allow` and `authorize` and in logs. */
export type HeadscaleOperationName =
  | 'nodes.register'
  | 'nodes.list'
  | 'nodes.get'
  | 'nodes.delete'
  | 'nodes.expire'
  | 'nodes.rename'
  | 'nodes.setTags'
  | 'nodes.setApprovedRoutes'
  | 'users.list'
  | 'users.create'
  | 'users.rename'
  | 'users.delete'
  | 'preAuthKeys.list'
  | 'preAuthKeys.create'
  | 'preAuthKeys.expire'
  | 'preAuthKeys.delete'
  | 'apiKeys.list'
  | 'apiKeys.create'
  | 'apiKeys.expire'
  | 'apiKeys.delete'
  | 'policy.get'
  | 'policy.set'
  | 'policy.check'
  | 'auth.register'
  | 'auth.approve'
  | 'auth.reject'
  | 'health'

/** `nodes.*`: all of a namespace; `nodes.read`: those of it that change nothing; `*.read`: all that change nothing; `*.*`: all. */
export type HeadscaleOperationGroup = `${'nodes' | 'users' | 'preAuthKeys' | 'apiKeys' | 'policy' | 'auth' | '*'}.${'*' | 'read'}`

/** A user. `name`, `email` or `providerId` name the user in policies. */
export interface HeadscaleUser {
  /** A number in digits. */
  id: string
  name: string
  /** RFC 3339. */
  createdAt: string
  displayName: string
  email: string
  /** The id that the identity provider has for the user; empty for a user made by hand. */
  providerId: string
  /** `oidc`, or empty. */
  provider: string
  profilePicUrl: string
  [field: string]: unknown
}

/** A machine. */
export interface HeadscaleNode {
  /** A number in digits. */
  id: string
  machineKey: string
  nodeKey: string
  discoKey: string
  ipAddresses: string[]
  /** What the machine calls itself. */
  name: string
  /** Its name in the network, which `rename` sets. */
  givenName: string
  /** Whose it is; of a node with tags a user `tagged-devices` that stands for all such. */
  user: HeadscaleUser
  online: boolean
  /** With the `tag:` in front. */
  tags: string[]
  /** RFC 3339; null where it never was connected. */
  lastSeen: string | null
  /** When its key ends; null for never. */
  expiry: string | null
  createdAt: string
  /** `REGISTER_METHOD_AUTH_KEY`, `…_CLI`, `…_OIDC` or `…_UNSPECIFIED`. */
  registerMethod: string
  /** The routes that it may serve, announced or not. */
  approvedRoutes: string[]
  /** The routes that it announces. */
  availableRoutes: string[]
  /** The routes that it serves now. Servers list them in `nodes.list` alone. */
  subnetRoutes: string[]
  [field: string]: unknown
}

/** A key with which machines sign in. */
export interface HeadscalePreAuthKey {
  /** A number in digits. */
  id: string
  /** Whose the machines become; null where they get tags. */
  user: HeadscaleUser | null
  /** Whole in the answer to `create`; in lists its secret is `***`. */
  key: string
  reusable: boolean
  ephemeral: boolean
  used: boolean
  /** RFC 3339; null for never. */
  expiration: string | null
  createdAt: string
  aclTags: string[]
}

/** A key of the API. */
export interface HeadscaleApiKey {
  /** A number in digits. */
  id: string
  /** The part that is no secret. */
  prefix: string
  /** RFC 3339; null for never. */
  expiration: string | null
  createdAt: string
  /** Null where it was never used. */
  lastSeen: string | null
}

/** The policy as the server stores it. */
export interface HeadscaleStoredPolicy {
  /** Byte for byte. */
  text: string
  /** RFC 3339; null where it comes from a file. */
  updatedAt: string | null
}

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
  readonly nodes: {
    /** All machines, or those of the user with this name. NotFoundError for an unknown user. */
    list(query?: { user?: string }, o?: CallOptions): APIPromise<HeadscaleNode[]>
    get(id: string, o?: CallOptions): APIPromise<HeadscaleNode>
    delete(id: string, o?: CallOptions): APIPromise<void>
    /** Ends the key of a machine: now, or at this time, or never (null, since 0.29). */
    expire(id: string, at?: string | Date | null, o?: CallOptions): APIPromise<HeadscaleNode>
    /** BadRequestError for a name that is no DNS label, or is taken. */
    rename(id: string, name: string, o?: CallOptions): APIPromise<HeadscaleNode>
    /** Replaces the tags. A node that has tags keeps at least one. */
    setTags(id: string, tags: string[], o?: CallOptions): APIPromise<HeadscaleNode>
    /** Replaces the routes that it may serve; each prefix is checked first. Either default route means both. */
    setApprovedRoutes(id: string, routes: string[], o?: CallOptions): APIPromise<HeadscaleNode>
    /** Signs in a machine that waits with this key, for the user with this name. */
    register(query: { user: string; key: string }, o?: CallOptions): APIPromise<HeadscaleNode>
  }
  readonly users: {
    /** All users, or the one with exactly this name, mail address or id. */
    list(query?: { name?: string } | { email?: string } | { id?: string }, o?: CallOptions): APIPromise<HeadscaleUser[]>
    /** ConflictError for a name that is taken. */
    create(user: { name: string; displayName?: string; email?: string; pictureUrl?: string }, o?: CallOptions): APIPromise<HeadscaleUser>
    rename(id: string, name: string, o?: CallOptions): APIPromise<HeadscaleUser>
    /** BadRequestError for a user who still has nodes. */
    delete(id: string, o?: CallOptions): APIPromise<void>
  }
  readonly preAuthKeys: {
    list(o?: CallOptions): APIPromise<HeadscalePreAuthKey[]>
    /** `user` is an id. The whole key is in this answer and nowhere else. */
    create(
      key: { user?: string; reusable?: boolean; ephemeral?: boolean; expiration?: string | Date; aclTags?: string[] },
      o?: CallOptions,
    ): APIPromise<HeadscalePreAuthKey>
    expire(id: string, o?: CallOptions): APIPromise<void>
    delete(id: string, o?: CallOptions): APIPromise<void>
  }
  readonly apiKeys: {
    list(o?: CallOptions): APIPromise<HeadscaleApiKey[]>
    /** Gives the key, which is in this answer and nowhere else. */
    create(key?: { expiration?: string | Date }, o?: CallOptions): APIPromise<string>
    expire(prefix: string, o?: CallOptions): APIPromise<void>
    delete(prefix: string, o?: CallOptions): APIPromise<void>
  }
  readonly policy: {
    get(o?: CallOptions): APIPromise<HeadscaleStoredPolicy>
    /** Writes over whatever is stored. BadRequestError with the server's words for a policy that it refuses. */
    set(text: string, o?: CallOptions): APIPromise<HeadscaleStoredPolicy>
    /** Has the server judge a policy; nothing is stored. BadRequestError with its words. Since 0.29. */
    check(text: string, o?: CallOptions): APIPromise<void>
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
  /** Since 0.29. */
  readonly auth: {
    /** Signs in a machine that waits with this id, for the user with this name. */
    register(query: { user: string; authId: string }, o?: CallOptions): APIPromise<HeadscaleNode>
    /** Lets in who waits for an SSH check or at a login page. */
    approve(authId: string, o?: CallOptions): APIPromise<void>
    reject(authId: string, o?: CallOptions): APIPromise<void>
  }
  health(o?: CallOptions): APIPromise<{ databaseConnectivity: boolean }>
  /** Anything that has no method here. `path` is absolute: `/api/v1/…`. */
  request<T = unknown>(method: string, path: string, o?: CallOptions & { query?: Record<string, string>; body?: unknown }): APIPromise<T>
  withOptions(options: Partial<HeadscaleClientOptions>): HeadscaleClient
  /** Aborts what is under way; that, and every later call, ends in APIUserAbortError. */
  close(): void
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
