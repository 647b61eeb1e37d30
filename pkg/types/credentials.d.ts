// Functions for `apiKey`: access tokens of OAuth clients and federated identities. Must not live here: the client's options.

import type { Scope } from './admin.js'

/** What the client and the gateway tell the function behind `apiKey`. */
export interface KeyRequest {
  /** Where the key is going. */
  baseURL: string
  /** What the call is sent with. */
  fetch: typeof fetch
  /** That of the call. */
  signal?: AbortSignal
  /** The key that was just answered with 401. */
  rejected?: string
}

/**
 * Gives an access token: from memory, from the store, or by one request for all who wait. `baseURL` comes from the options or, where they have
 * none, from the client. It rejects with what the token endpoint said: AuthenticationError (401), PermissionDeniedError (403), BadRequestError (400)
 * and the other errors of a call, none of which holds the secret or a token.
 */
export type TokenSource = (request?: Partial<KeyRequest>) => Promise<string>

/** Where tokens outlive the process: KV, a Durable Object, a Map. One that fails, or takes more than two seconds, is done without. */
export interface TokenStore {
  /** What was kept under this name, which is made of service, client, scopes and tags; no secret is in it. */
  get(key: string): StoredToken | null | undefined | Promise<StoredToken | null | undefined>
  /** Keeps a token. The tokens are as secret as keys. */
  set(key: string, token: StoredToken): void | Promise<void>
  /** Forgets one that was answered with 401. */
  delete(key: string): void | Promise<void>
}

/** A token as it is kept: plain data. */
export interface StoredToken {
  /** The token itself. */
  accessToken: string
  /** Its end, in milliseconds since 1970. */
  expiresAt: number
  /** Its scopes as granted. */
  scopes: string[]
  /** Its tags as granted. */
  tags: string[]
}

/** Which tokens, and how they are asked for. */
export interface TokenOptions {
  /** Fewer scopes than the client has; all of them by default. */
  scopes?: Scope[]
  /** Tags among those of the client; all of them by default. */
  tags?: string[]
  /** Where tokens outlive the process. */
  store?: TokenStore
  /** Milliseconds before its end at which a token is replaced; 60 000 by default. */
  renewBefore?: number
  /** Where tokens are given, if not where the client sends its calls. https, or http on a loopback host. */
  baseURL?: string
  /** Used in place of the client's. */
  fetch?: typeof fetch
  /** Milliseconds for a token, all attempts together; 30 000 by default, 0 for none. */
  timeout?: number
}

/**
 * Tokens for an OAuth client. A token is replaced before it ends, and after a 401 of a call that used it; a request that fails in passing is
 * repeated, one that is refused (400, 401, 403) is not. Throws `invalid_argument` for malformed options.
 * @example
 * const { key } = await client.keys.create({ keyType: 'client', scopes: ['dns:read'] })
 * const apiKey = oauth({ clientSecret: key, store: new Map() })
 * await new TailnetClient({ baseURL, fetch, apiKey, tailnet: 'example.com' }).dns.searchPaths.get()
 */
export declare function oauth(
  options: TokenOptions & {
    /** The client, where the secret does not name it: one of the service's form does. */
    clientId?: string
    /** The secret, or a function that gives it for each token. */
    clientSecret: string | (() => string | Promise<string>)
  },
): TokenSource

/**
 * The same for a federated identity: the token of an identity provider for one of the service.
 * @example
 * const apiKey = federated({ clientId: 'k1', idToken: () => readToken() }) // the token that your CI writes
 * function readToken() { return 'header.claims.signature' }
 */
export declare function federated(
  options: Omit<TokenOptions, 'scopes' | 'tags'> & {
    /** The federated identity. */
    clientId: string
    /** The provider's token, or a function that gives it for each of ours. Its form and its end are checked before it is sent. */
    idToken: string | (() => string | Promise<string>)
  },
): TokenSource
