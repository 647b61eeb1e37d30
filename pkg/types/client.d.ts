// The API client: options and calls. Must not live here: what travels (`wire.d.ts`), errors.

import type { TailnetError } from './errors.js';
import type {
  AclJson, AclPolicy, AclPreview, AclText, Device, DnsPreferences, Fields, Nameservers, Routes, SearchPaths,
} from './wire.js';

/** Everything a client is made from. Nothing is read from the environment. */
export interface ClientOptions {
  /** Where the service is: https, or http on a loopback host (others need `allowInsecureHTTP`). In a page also a path, resolved against the page. */
  baseURL: string;
  /** The tailnet of the tailnet-scoped calls. Nothing is assumed: without it, here or in the call, they throw `invalid_argument`. */
  tailnet?: string;
  /** The key, or a function that gives it for each attempt; null behind a proxy that adds it. */
  apiKey: string | null | (() => string | Promise<string>);
  /** Used in place of the global fetch. Called without `this`. */
  fetch?: typeof fetch;
  /** Milliseconds for one attempt, headers and body; 30 000 by default, 0 for none. */
  timeout?: number;
  /** Milliseconds over all attempts. When it is over: code `timeout`, like the other. */
  totalTimeout?: number;
  /**
   * How often a failed attempt is repeated; 2 by default. 429 always; 408, 500, 502, 503, 504 and connection failures
   * for reads, `acl.preview` and the calls that replace a list. Never 501; `acl.set` and `devices.delete` on 429 only.
   */
  maxRetries?: number;
  /** Headers of every call; null removes one of ours. */
  defaultHeaders?: Record<string, string | null>;
  /** `domain` for services that know the earlier path form only. */
  pathStyle?: 'tailnet' | 'domain';
  /** Where lines go; the console by default. The key never shows. */
  logger?: Logger;
  /** Which lines are written; `warn` by default. */
  logLevel?: 'off' | 'error' | 'warn' | 'info' | 'debug';
  /** Functions that see every attempt. */
  hooks?: Hooks;
  /** A key in a page, a web worker or a service worker is refused without it: whoever opens the page can read it. */
  dangerouslyAllowBrowser?: boolean;
  /** Lets the key travel over plain http to a host that is not loopback. */
  allowInsecureHTTP?: boolean;
  /** The longest body that is read; 64 MiB by default. A longer one is an APIResponseError. */
  maxResponseBytes?: number;
}

/** What one call may change. */
export interface CallOptions {
  /** Ends the call in APIUserAbortError. Any number of calls may share one. */
  signal?: AbortSignal;
  /** Milliseconds for one attempt. */
  timeout?: number;
  /** How often a failed attempt is repeated. */
  maxRetries?: number;
  /** Headers of this call; null removes one. */
  headers?: Record<string, string | null>;
  /** The tailnet of this call. */
  tailnet?: string;
}

/** A promise of the data, which also gives the response. */
export interface APIPromise<T> extends Promise<T> {
  /** The data together with the response it came in, whose body is read already. */
  withResponse(): Promise<{
    /** The data. */
    data: T;
    /** Status and headers. */
    response: Response;
  }>;
}

/** Anything shaped like the console. */
export interface Logger {
  /** Not called so far: what fails is thrown. */
  error(...a: unknown[]): void;
  /** Not called so far. */
  warn(...a: unknown[]): void;
  /** An attempt that failed and is repeated. */
  info(...a: unknown[]): void;
  /** Each attempt and its outcome. */
  debug(...a: unknown[]): void;
}

/** Functions that see every attempt. What they throw ends the call. A body is there once: read that of a `clone()`. */
export interface Hooks {
  /** Before an attempt: may give another request, or a response in place of sending. */
  beforeRequest?(request: Request): Request | Response | void | Promise<Request | Response | void>;
  /** After an attempt: may give another response. */
  afterResponse?(request: Request, response: Response): Response | void | Promise<Response | void>;
  /** Before an attempt is repeated. */
  beforeRetry?(info: {
    /** How many attempts were made. */
    attempt: number;
    /** Milliseconds until the next. */
    delay: number;
    /** What went wrong. */
    error: TailnetError;
    /** The HTTP method. */
    method: string;
    /** The path below the base URL. */
    path: string;
  }): void | Promise<void>;
}

/** A client of one service. Makes no connection, timer or random value until it is called. */
export declare class TailnetClient {
  /** Throws `invalid_argument`, naming the option, for what is missing or malformed. */
  constructor(options: ClientOptions);
  /** Another client that differs in these options. */
  withOptions(options: Partial<ClientOptions>): TailnetClient;
  /** Anything that the kit does not name. `path` is absolute, e.g. `/api/v2/…`. */
  request<T = unknown>(method: string, path: string, init?: CallOptions & {
    /** Parameters of the query; of a list each. */
    query?: Record<string, string | string[]> | URLSearchParams;
    /** Sent as JSON; a string as it is; null is no body. */
    body?: unknown;
  }): APIPromise<T>;
  /** Aborts what is under way; that, and every later call, ends in APIUserAbortError. */
  close(): void;
  /** The devices of the tailnet. */
  readonly devices: {
    /** All devices of the tailnet. */
    list(params?: { /** Which fields; `default` where absent. */ fields?: Fields }, o?: CallOptions): APIPromise<Device[]>;
    /** One device. */
    get(id: string, params?: { /** Which fields; `default` where absent. */ fields?: Fields }, o?: CallOptions): APIPromise<Device>;
    /** Removes a device from its tailnet. One of another tailnet is a NotImplementedError. */
    delete(id: string, o?: CallOptions): APIPromise<void>;
    /** The subnet routes of a device. */
    readonly routes: {
      /** What it advertises and what is enabled. */
      get(id: string, o?: CallOptions): APIPromise<Routes>;
      /** Replaces the enabled routes. Checks every prefix first, unless `validate` is false; sends exactly what was given. */
      set(id: string, routes: string[], o?: CallOptions & { /** Whether prefixes are checked before anything is sent; true by default. */ validate?: boolean }): APIPromise<Routes>;
    };
  };
  /** The policy of the tailnet. */
  readonly acl: {
    /** The text as its authors wrote it, with the ETag. */
    get(params?: { /** The text. */ format?: 'hujson' }, o?: CallOptions): APIPromise<AclText>;
    /** The parsed form. */
    get(params: { /** The parsed form. */ format: 'json' }, o?: CallOptions): APIPromise<AclJson>;
    /** Replaces the policy if it still has this ETag, or, explicitly, whatever is there. */
    set(
      acl: string | AclPolicy,
      how:
        | { /** The ETag of the document that this one replaces, quoted or bare. */ ifMatch: string; /** The text comes back. */ format?: 'hujson' }
        | { /** Replaces whatever is there. */ overwrite: true; /** The text comes back. */ format?: 'hujson' },
      o?: CallOptions,
    ): APIPromise<AclText>;
    /** The same; the parsed form comes back. */
    set(
      acl: string | AclPolicy,
      how:
        | { /** The ETag of the document that this one replaces, quoted or bare. */ ifMatch: string; /** The parsed form comes back. */ format: 'json' }
        | { /** Replaces whatever is there. */ overwrite: true; /** The parsed form comes back. */ format: 'json' },
      o?: CallOptions,
    ): APIPromise<AclJson>;
    /**
     * Reads, edits, checks locally, and writes if nobody else did; on a conflict reads again and re-applies the edit.
     * A document that the service would refuse throws PolicyRefusedError and writes nothing.
     */
    update(edit: (text: string) => string | Promise<string>, o?: CallOptions & {
      /** How many rounds; 3 by default. The last conflict is the cause of the error. */
      attempts?: number;
      /** Whether the document is checked before it is written; true by default. */
      check?: boolean;
    }): Promise<AclText>;
    /** Which rules of this document concern a user. Nothing is saved. */
    preview(acl: string | AclPolicy, params: { /** Login name. */ user: string }, o?: CallOptions): APIPromise<AclPreview>;
  };
  /** The DNS settings of the tailnet. */
  readonly dns: {
    /** The DNS servers. */
    readonly nameservers: {
      /** Their addresses. */
      get(o?: CallOptions): APIPromise<Nameservers>;
      /** Replaces them. An empty list also turns MagicDNS off, and it stays off. */
      set(dns: string[], o?: CallOptions): APIPromise<Nameservers & { /** Whether MagicDNS is on. */ magicDNS: boolean }>;
    };
    /** The DNS preferences. */
    readonly preferences: {
      /** What is set. */
      get(o?: CallOptions): APIPromise<DnsPreferences>;
      /** Sets them. MagicDNS needs a nameserver. */
      set(p: DnsPreferences, o?: CallOptions): APIPromise<DnsPreferences>;
    };
    /** The search domains. */
    readonly searchPaths: {
      /** What is set. */
      get(o?: CallOptions): APIPromise<SearchPaths>;
      /** Replaces them. */
      set(paths: string[], o?: CallOptions): APIPromise<SearchPaths>;
    };
  };
}
