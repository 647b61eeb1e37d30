// Declarations of `tailnet-kit/gateway`. Must not live here: the client, the sandbox.

import type { KeyRequest } from './types/credentials.cjs'
import type { HeadscaleOperationGroup, HeadscaleOperationName } from './types/headscale.cjs'
import type { OperationGroup, OperationName } from './types/operation.cjs'

/** Options of a gateway. An unknown option is an error. */
export interface GatewayOptions {
  /** The service. */
  baseURL: string
  /**
   * The key, which is sent to the service only; or a function called for it at each request, such as `oauth(…)`, which is called
   * once more after a 401, with the refused key.
   */
  apiKey: string | ((request: KeyRequest) => string | Promise<string>)
  /** The only tailnet that is let through, by its name or as `-`; `-` is the key's own. Of Headscale it is `-`. */
  tailnet: string
  /**
   * Whose paths and operations the gateway knows; `tailscale` by default. `headscale`: those of `HeadscaleClient`, and of `/api/v2` those of
   * `TailnetClient`; a name that both have stands for both. Which release answers may be asked whatever `allow` says, as part of `health`.
   */
  service?: 'tailscale' | 'headscale'
  /**
   * Operations let through, by name or in groups, e.g. `['devices.list', 'acl.preview', 'keys.*']`; by default `['devices.read', 'acl.read', 'dns.read']`,
   * of Headscale `['nodes.read', 'users.read', 'policy.read']`.
   */
  allow?: (OperationName | OperationGroup | HeadscaleOperationName | HeadscaleOperationGroup)[]
  /**
   * Who may call. Without it every request is refused (401). It is called first, before path, tailnet, `allow` or body are checked: `operation` is what the
   * path seems to ask for, `unknown` if it is no operation. The caller's own signal is `request.signal`.
   */
  authorize(request: Request, operation: OperationName | HeadscaleOperationName | 'unknown'): boolean | Promise<boolean>
  /** Milliseconds for `authorize`; 10 000 by default, 0 for no limit. After that: 503. */
  authorizeTimeout?: number
  /** The longest answer of the service that is read, errors and device look-ups too; 64 MiB by default. A longer one is 502; a success breaks off there. */
  maxResponseBytes?: number
  /** Origins of pages that may call (CORS). ETag, Retry-After and the id of the request are exposed to them. */
  origins?: string[]
  /** The path under which the gateway is mounted. */
  prefix?: string
  /** Replaces the global fetch. */
  fetch?: typeof fetch
}

/**
 * A handler that keeps the key on the edge and lets a dashboard through. Refusals are JSON with a `message`: 401 if `authorize` says no, 403 for an
 * operation or tailnet that is not allowed and for a change from a page of another origin, 404 for an unknown path or a device of
 * another tailnet, 405 for a method; preflights are 204. Failures: 413 the body is too long, 500 `authorize` or the key function threw, 502 no answer
 * that may be passed on (none, a redirect, too long, or one that repeats the key in any encoding), 503 `authorize` took too long. Devices are looked up,
 * for reading at most every ten seconds, for a change each time.
 *
 * A success is passed on as it comes, and nothing of it is read before it is asked for, but for its first piece. Where the key, or too much, comes
 * later, the body breaks off, before anything of the key. When the caller gives up, the gateway ends, whatever it waits for.
 *
 * Options are checked at once: a misspelt one throws `invalid_argument`. Pass a function where a build has no secrets: it is called at the first
 * request. While it fails, or returns unusable options, answers are 500 without its words, and the next request calls it again.
 * @example
 * const gateway = createGateway({
 *   ...{ baseURL, fetch, apiKey: 'tskey-sandbox', tailnet: 'example.com', prefix: '/gate' },
 *   authorize: (request) => request.headers.get('cookie') === 'session=known', // ask your session store here
 * })
 * const request = new Request('https://edge.example.com/gate/api/v2/tailnet/-/devices', { headers: { cookie: 'session=known' } })
 * const { status } = await gateway(request)
 * status // → 200
 */
export declare function createGateway(options: GatewayOptions | (() => GatewayOptions | Promise<GatewayOptions>)): (request: Request) => Promise<Response>

export { version } from './types/version.cjs'
