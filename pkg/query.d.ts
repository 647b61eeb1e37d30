// Declarations of `tailnet-kit/query`. Must not live here: the client (`types/client.d.ts`).

import type { TailnetClient } from './types/client.cjs'

/** The options of a query. */
export interface QueryParts<R> {
  /** The service, the tailnet, the operation and its arguments. */
  queryKey: readonly unknown[]
  /** The call, with the signal of the query. */
  queryFn: (c: { /** Aborts the call. */ signal?: AbortSignal }) => Promise<R>
}

/** The options of a mutation. */
export interface MutationParts<A, R> {
  /** The call, with the list of the method's arguments as its variables. */
  mutationFn: (args: A) => Promise<R>
  /** Invalidates every query of the service that shows what was written. */
  onSuccess: () => Promise<void>
}

/** The namespaces and methods of the client, each as a function that gives the options of a query. Writes are not there when it runs. */
export type QueryFactories = {
  readonly [N in keyof TailnetClient]: TailnetClient[N] extends (...a: infer A) => infer R
    ? (...a: A) => QueryParts<Awaited<R>>
    : TailnetClient[N] extends object
      ? {
          readonly [M in keyof TailnetClient[N]]: TailnetClient[N][M] extends (...a: infer A) => infer R
            ? (...a: A) => QueryParts<Awaited<R>>
            : // biome-ignore lint/suspicious/noExplicitAny: a namespace within a namespace
              any
        }
      : never
}

/** The namespaces and methods of the client, each as the options of a mutation. Reads are not there when it runs. */
export type MutationFactories = {
  readonly [N in keyof TailnetClient]: TailnetClient[N] extends object
    ? {
        readonly [M in keyof TailnetClient[N]]: TailnetClient[N][M] extends (...a: infer A) => infer R
          ? MutationParts<A, Awaited<R>>
          : // biome-ignore lint/suspicious/noExplicitAny: a namespace within a namespace
            any
      }
    : never
}

/**
 * The reads of a client as options for TanStack Query: `{queryKey, queryFn}`, with the signal passed on. Keys begin with the service, the tailnet and the
 * operation.
 * @example
 * const { devices } = queries(client)
 * const list = await queryClient.fetchQuery(devices.list({ fields: 'all' }))
 */
export declare function queries(client: TailnetClient): QueryFactories

/**
 * The writes of a client as options for TanStack Query: `{mutationFn, onSuccess}`. What was read of the things that a write changes is fetched anew.
 * @example
 * const { setTags } = mutations(client, queryClient).devices
 * await setTags.mutationFn([device.id, ['tag:web']])
 * await setTags.onSuccess() // useMutation(setTags) does both
 */
export declare function mutations(
  client: TailnetClient,
  queryClient: {
    /** That of the QueryClient. */
    invalidateQueries(filter: object): Promise<unknown>
  },
): MutationFactories
