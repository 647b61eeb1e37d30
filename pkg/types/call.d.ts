// What every call takes and gives. Must not live here: the calls (`client.d.ts`, `methods.d.ts`), options of a client.

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which fails with APIUserAbortError. Several calls may share a signal. */
  signal?: AbortSignal
  /** Milliseconds for one attempt. */
  timeout?: number
  /** How often a failed attempt is retried. */
  maxRetries?: number
  /** Headers of this call; null removes one. */
  headers?: Record<string, string | null>
  /** The tailnet of this call. */
  tailnet?: string
}

/** A promise of the data that also gives the response. */
export interface APIPromise<T> extends Promise<T> {
  /**
   * The data together with its response, whose body is already read.
   * @example
   * const { data, response } = await client.devices.list().withResponse()
   * response.headers.get('content-type') // → 'application/json'
   */
  withResponse(): Promise<{
    /** The data. */
    data: T
    /** Status and headers. */
    response: Response
  }>
}
