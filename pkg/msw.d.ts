// Declarations of `tailnet-kit/msw`. Must not live here: the sandbox (`sandbox.d.ts`).

import type { HeadscaleSandbox, Sandbox } from './sandbox.cjs'

/**
 * Handlers for `setupServer` and `setupWorker` of Mock Service Worker: the sandbox answers every request at its base URL, or at `baseURL`, that of the
 * service which a dashboard calls. The msw package is yours. A malformed `baseURL` throws `invalid_argument`.
 * @example
 * const sandbox = new Sandbox()
 * const server = setupServer(...handlers(sandbox, { baseURL: 'https://api.example.com' }))
 */
export declare function handlers(
  sandbox: Sandbox | Pick<HeadscaleSandbox, 'baseURL' | 'apiKey' | 'fetch'>,
  o?: {
    /** Where the dashboard calls the service; the sandbox's own base URL by default. */
    baseURL?: string
  },
  // The types of msw are msw's.
  // biome-ignore lint/suspicious/noExplicitAny: msw's RequestHandler
): any[]
