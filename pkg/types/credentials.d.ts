// Functions for `apiKey`: access tokens of OAuth clients and federated identities. Must not live here: the client's options.

import type { Scope } from './admin.js'

/** What the client and the gateway pass to the function behind `apiKey`. */
export interface KeyRequest {
  /** Where the key will be sent. */
  baseURL: string
  /** The fetch function that the call uses. */
  fetch: typeof fetch
  /** The signal of the call. */
  signal?: AbortSignal
  /** The key that was just answered with 401. */
  rejected?: string
}

/**
 * Gives an access token: from memory, from the store, or by one request that waiting callers share. `baseURL` comes from the options or, without one
 * there, from the client. It rejects with the error of the token endpoint: AuthenticationError (401), PermissionDeniedError (403), BadRequestError (400)
 * and the other errors of a call, none of which contains the secret or a token.
 */
export type TokenSource = (request?: Partial<KeyRequest>) => Promise<string>

/** Keeps tokens beyond the life of the process: KV, a Durable Object, a Map. A store that fails, or takes more than two seconds, is ignored. */
export interface TokenStore {
  /** The token kept under this name, which is made from service, client, scopes and tags, and contains no secret. */
  get(key: string): StoredToken | null | undefined | Promise<StoredToken | null | undefined>
  /** Keeps a token, and is awaited. Tokens are as secret as keys. */
  set(key: string, token: StoredToken): unknown
  /** Forgets a token that was answered with 401. */
  delete(key: string): unknown
}

/** A stored token: plain data. */
export interface StoredToken {
  /** The token itself. */
  accessToken: string
  /** When it expires, in milliseconds since 1970. */
  expiresAt: number
  /** The granted scopes. */
  scopes: string[]
  /** The granted tags. */
  tags: string[]
}

/** Which tokens to request, and how. */
export interface TokenOptions {
  /** The scopes to ask for; all of the client's by default. */
  scopes?: Scope[]
  /** The tags to ask for, among those of the client; all of them by default. */
  tags?: string[]
  /** Keeps tokens beyond the life of the process. */
  store?: TokenStore
  /** How many milliseconds before it expires a token is replaced; 60 000 by default. */
  renewBefore?: number
  /** The service that gives tokens, if not the one that the client calls. https, or http on a loopback host. */
  baseURL?: string
  /** Used in place of the client's fetch. */
  fetch?: typeof fetch
  /** Milliseconds to get a token, all attempts together; 30 000 by default, 0 for no limit. */
  timeout?: number
}

/**
 * Tokens for an OAuth client. A token is replaced before it expires, and after a 401 of a call that used it. A request that fails temporarily is
 * retried; one that is refused (400, 401, 403) is not. Throws `invalid_argument` for malformed options.
 * @example
 * const { key } = await client.keys.create({ keyType: 'client', scopes: ['dns:read'] })
 * const apiKey = oauth({ clientSecret: key, store: new Map() })
 * await new TailnetClient({ baseURL, fetch, apiKey, tailnet: 'example.com' }).dns.searchPaths.get()
 */
export declare function oauth(
  options: TokenOptions & {
    /** The id of the client; not needed if the secret contains it, as the service's secrets do. */
    clientId?: string
    /** The secret, or a function that gives it for each token. */
    clientSecret: string | (() => string | Promise<string>)
  },
): TokenSource

/**
 * The same for a federated identity: exchanges the token of an identity provider for one of the service.
 * @example
 * const apiKey = federated({ clientId: 'k1', idToken: () => readToken() }) // the token that your CI writes
 * function readToken() { return 'header.claims.signature' }
 */
export declare function federated(
  options: Omit<TokenOptions, 'scopes' | 'tags'> & {
    /** The federated identity. */
    clientId: string
    /** The provider's token, or a function that gives it for each exchange. Its form and expiry are checked before it is sent. */
    idToken: string | (() => string | Promise<string>)
  },
): TokenSource
