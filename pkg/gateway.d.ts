// Declarations of `tailnet-kit/gateway`. Must not live here: the client, the sandbox.

/** What a gateway is made from. */
export interface GatewayOptions {
  /** Where the service is. */
  baseURL: string;
  /** The key, which never leaves the gateway but towards the service. */
  apiKey: string | (() => string | Promise<string>);
  /** The only tailnet that is let through. */
  tailnet: string;
  /** Operations let through, e.g. `['devices.list', 'acl.preview']`; the reading ones by default. */
  allow?: string[];
  /** Who may call. Without it every request is refused (401). */
  authorize: (request: Request, operation: string) => boolean | Promise<boolean>;
  /** Origins of pages that may call (CORS). ETag and Retry-After are exposed to them. */
  origins?: string[];
  /** The path under which the gateway is mounted. */
  prefix?: string;
  /** Used in place of the global fetch. */
  fetch?: typeof fetch;
}

/**
 * A handler that keeps the key on the edge and lets a dashboard through. Refusals are JSON with a `message`: 401 where
 * `authorize` says no, 403 for an operation or tailnet that is not let through and for a page of another origin that would
 * change something, 404 for an unknown path or a device of another tailnet, 405 for a method; preflights are 204. Devices
 * are looked up, for reading at most every ten seconds, for a change each time. Throws `invalid_argument` for malformed options.
 */
export declare function createGateway(options: GatewayOptions): (request: Request) => Promise<Response>;

export { version } from './types/version.js';
