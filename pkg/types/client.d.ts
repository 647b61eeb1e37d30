// The API client: options and calls. Must not live here: what travels (`wire.d.ts`), errors.

import type { KeyRequest } from './credentials.js';
import type { TailnetError } from './errors.js';
import type { PolicyCheck } from './policy.js';
import type {
  Contacts, ContactType, NewAuthKey, NewFederatedIdentity, NewOAuthClient, Key, SettingsChange, TailnetSettings, User, UserRole,
} from './admin.js';
import type { AuditEntry, LogWindow, NetworkFlows } from './logs.js';
import type { NewPostureIntegration, PostureIntegration } from './posture.js';
import type { NewVIPService, ServiceApproval, ServiceHost, ServiceName, VIPService } from './services.js';
import type { NewWebhook, Webhook, WebhookSubscription } from './webhooks.js';
import type {
  AclDetails, AclJson, AclPolicy, AclPreview, AclText, AclValidation, AttributeBatch, AttributeKey, AttributeValue, Device,
  DeviceAttributes, DeviceFilter, DnsConfiguration, DnsPreferences, Fields, Nameservers, PolicyTest, Routes, SearchPaths, SplitDns,
} from './wire.js';

/** Everything a client is made from. Nothing is read from the environment. */
export interface ClientOptions {
  /** Where the service is: https, or http on a loopback host (others need `allowInsecureHTTP`). In a page also a path, resolved against the page. */
  baseURL: string;
  /** The tailnet of the tailnet-scoped calls. Nothing is assumed: without it, here or in the call, they throw `invalid_argument`. */
  tailnet?: string;
  /**
   * The key; null behind a proxy that adds it; or a function that gives it for each attempt, such as `oauth(…)`. After a 401 the function is asked
   * once more, with the key that was refused, and the call is sent again if it gives another.
   */
  apiKey: string | null | ((request: KeyRequest) => string | Promise<string>);
  /** Used in place of the global fetch. Called without `this`. */
  fetch?: typeof fetch;
  /** Milliseconds for one attempt, headers and body; 30 000 by default, 0 for none. */
  timeout?: number;
  /** Milliseconds over all attempts. When it is over: code `timeout`, like the other. */
  totalTimeout?: number;
  /**
   * How often a failed attempt is repeated; 2 by default. 429 always; 408, 500, 502, 503, 504 and connection failures
   * for reads, `acl.preview`, `acl.validate` and the calls that put a state in place of another (set…, set, replace, update,
   * authorize, approve, suspend, restore, expireKey, attributes.batch). Never 501; `acl.set`, `contacts.update`,
   * `contacts.resendVerification`, `webhooks.test`, `webhooks.rotateSecret`, a `services.set` that renames
   * and every create and delete on 429 only.
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
    list(params?: {
      /** Which fields; `default` where absent. */
      fields?: Fields;
      /** Which devices. Each is checked again here, as a service may ignore it; fields that the filter needs are asked for. */
      filter?: DeviceFilter;
    }, o?: CallOptions): APIPromise<Device[]>;
    /** One device. */
    get(id: string, params?: { /** Which fields; `default` where absent. */ fields?: Fields }, o?: CallOptions): APIPromise<Device>;
    /** Removes a device from its tailnet. One of another tailnet is a NotImplementedError. */
    delete(id: string, o?: CallOptions): APIPromise<void>;
    /** Lets a waiting device in. `authorized: false` logs one out: it must sign in again, an ephemeral one is gone. */
    authorize(id: string, params?: { /** Whether it is let in; true where absent. */ authorized?: boolean }, o?: CallOptions): APIPromise<void>;
    /** Renames a device; '' is its host name again. The service rewrites letters: read back. */
    setName(id: string, name: string, o?: CallOptions): APIPromise<void>;
    /** Replaces the tags. The last one cannot be taken: BadRequestError. */
    setTags(id: string, tags: string[], o?: CallOptions): APIPromise<void>;
    /** Whether the key of a device expires. When it does is kept meanwhile. */
    setKey(id: string, key: { /** True for a key that never expires. */ keyExpiryDisabled: boolean }, o?: CallOptions): APIPromise<void>;
    /** Ends the key of a device now: it must sign in again. */
    expireKey(id: string, o?: CallOptions): APIPromise<void>;
    /** Changes the address, which breaks open connections. It is checked here first to be in 100.64.0.0/10. */
    setIP(id: string, ipv4: string, o?: CallOptions): APIPromise<void>;
    /** The posture attributes of devices. */
    readonly attributes: {
      /** All of a device, the service's own among them. */
      get(id: string, o?: CallOptions): APIPromise<DeviceAttributes>;
      /** Sets one. */
      set(id: string, key: AttributeKey, attribute: {
        /** The first value fixes the type of the key in the tailnet. */
        value: AttributeValue;
        /** When it ends; never where absent. */
        expiry?: string | Date;
        /** Why, for the audit log. */
        comment?: string;
      }, o?: CallOptions): APIPromise<void>;
      /** Removes one. */
      delete(id: string, key: AttributeKey, o?: CallOptions): APIPromise<void>;
      /** Many devices at once: null removes, what is not named stays. */
      batch(changes: AttributeBatch, o?: CallOptions): APIPromise<void>;
    };
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
    /** The parsed form; a service that sends the text as it is stored is understood too. */
    get(params: { /** The parsed form. */ format: 'json' }, o?: CallOptions): APIPromise<AclJson>;
    /** The text with what the service has to say about it. */
    getDetails(o?: CallOptions): APIPromise<AclDetails>;
    /** Replaces the policy if it still has this ETag, or, explicitly, whatever is there. */
    set(
      acl: string | AclPolicy,
      how:
        | { /** The ETag of the document that this one replaces, quoted or bare; `ts-default`: only if the policy was never set. */ ifMatch: string; /** The text comes back. */ format?: 'hujson' }
        | { /** Replaces whatever is there. */ overwrite: true; /** The text comes back. */ format?: 'hujson' },
      o?: CallOptions,
    ): APIPromise<AclText>;
    /** The same; the parsed form comes back. */
    set(
      acl: string | AclPolicy,
      how:
        | { /** The ETag of the document that this one replaces, quoted or bare; `ts-default`: only if the policy was never set. */ ifMatch: string; /** The parsed form comes back. */ format: 'json' }
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
      /**
       * Whether the document is checked before it is written; true by default. The policy engine is then loaded when an update first
       * needs it; `policy.check` hands it over where it is not to be loaded, as in a bundle that must be one file.
       */
      check?: boolean | ((acl: string) => PolicyCheck);
    }): Promise<AclText>;
    /** Which rules of this document concern a user, or one address and port. Nothing is saved. */
    preview(acl: string | AclPolicy, params: { /** Login name. */ user: string } | { /** `ip:port`. */ ipPort: string }, o?: CallOptions): APIPromise<AclPreview>;
    /** Has the service judge a policy, or run these tests against the policy in force. Nothing is saved. What it cannot parse is a BadRequestError. */
    validate(acl: string | AclPolicy | PolicyTest[], o?: CallOptions): APIPromise<AclValidation>;
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
    /** Resolvers by domain. */
    readonly split: {
      /** All of them. */
      get(o?: CallOptions): APIPromise<SplitDns>;
      /** Changes the named domains, null removes; gives the whole map. */
      update(domains: Record<string, string[] | null>, o?: CallOptions): APIPromise<SplitDns>;
      /** Replaces all; gives the whole map. */
      replace(domains: SplitDns, o?: CallOptions): APIPromise<SplitDns>;
    };
    /** All DNS settings as one document. */
    readonly configuration: {
      /** What is set; false and empty members are absent. */
      get(o?: CallOptions): APIPromise<DnsConfiguration>;
      /** Replaces all of it: what is left out is gone. */
      set(c: DnsConfiguration, o?: CallOptions): APIPromise<DnsConfiguration>;
    };
  };
  /** Keys that devices join with, access tokens, OAuth clients, federated identities. */
  readonly keys: {
    /** All that the caller may see, whoever made them. */
    list(o?: CallOptions): APIPromise<Key[]>;
    /** Makes a key. The secret is in this answer and nowhere else. Repeated on 429 only: after a lost answer list, delete and make another. */
    create(key: NewAuthKey | NewOAuthClient, o?: CallOptions): APIPromise<Key & { /** The secret. */ key: string }>;
    /** Makes a federated identity, which has no secret. */
    create(key: NewFederatedIdentity, o?: CallOptions): APIPromise<Key>;
    /** One key. A dead one is `invalid`, or a NotFoundError. */
    get(id: string, o?: CallOptions): APIPromise<Key>;
    /** Replaces an OAuth client or a federated identity: what is left out is gone. */
    set(id: string, key: NewOAuthClient | NewFederatedIdentity, o?: CallOptions): APIPromise<Key>;
    /** Ends a key. Devices that joined with it stay; of a client all tokens end. */
    delete(id: string, o?: CallOptions): APIPromise<void>;
  };
  /** The people of the tailnet. */
  readonly users: {
    /** Without a type: members only. */
    list(params?: { /** Whose. */ type?: 'member' | 'shared' | 'all'; /** With which role. */ role?: UserRole | 'all' }, o?: CallOptions): APIPromise<User[]>;
    /** One user. */
    get(id: string, o?: CallOptions): APIPromise<User>;
    /** Lets a waiting user in. */
    approve(id: string, o?: CallOptions): APIPromise<void>;
    /** Ends connections, tokens and keys until restored. */
    suspend(id: string, o?: CallOptions): APIPromise<void>;
    /** Undoes a suspension. */
    restore(id: string, o?: CallOptions): APIPromise<void>;
    /** Removes a user with devices, keys and tokens. The owner must hand over first. */
    delete(id: string, o?: CallOptions): APIPromise<void>;
    /** Changes the role. Setting the one a user has fails at some services: read first. */
    setRole(id: string, role: UserRole, o?: CallOptions): APIPromise<void>;
  };
  /** The settings of the tailnet. */
  readonly settings: {
    /** What the caller may read: absent is not false. */
    get(o?: CallOptions): APIPromise<TailnetSettings>;
    /** Sends what is named and leaves the rest; unknown names are ignored by the service: look at the answer. */
    update(changes: SettingsChange, o?: CallOptions): APIPromise<TailnetSettings>;
  };
  /** Whom the service writes to. */
  readonly contacts: {
    /** All three. */
    get(o?: CallOptions): APIPromise<Contacts>;
    /** Names another address, which is to be confirmed by mail. Repeated on 429 only. */
    update(type: ContactType, contact: { /** The new address. */ email: string }, o?: CallOptions): APIPromise<void>;
    /** Sends that mail again; where none is pending, a BadRequestError. */
    resendVerification(type: ContactType, o?: CallOptions): APIPromise<void>;
  };
  /** Who is told of events. */
  readonly webhooks: {
    /** All of the tailnet. */
    list(o?: CallOptions): APIPromise<Webhook[]>;
    /** Makes one. The secret is in this answer. A second one with the same URL fails: at some services with 500. Repeated on 429 only. */
    create(webhook: NewWebhook, o?: CallOptions): APIPromise<Webhook & { /** What signs the deliveries. */ secret: string }>;
    /** One of them. */
    get(id: string, o?: CallOptions): APIPromise<Webhook>;
    /** Replaces what it is told of; nothing else of it can change. */
    update(id: string, changes: { /** All that it is told of from now. */ subscriptions: WebhookSubscription[] }, o?: CallOptions): APIPromise<Webhook>;
    /** Removes one. */
    delete(id: string, o?: CallOptions): APIPromise<void>;
    /** Has the service send it a `test`, some time after the answer. Repeated on 429 only. */
    test(id: string, o?: CallOptions): APIPromise<void>;
    /** Another secret, which is in this answer. For a day check deliveries against both. Repeated on 429 only. */
    rotateSecret(id: string, o?: CallOptions): APIPromise<Webhook & { /** What signs the deliveries. */ secret: string }>;
  };
  /** Names with addresses of their own, which several devices answer for. */
  readonly services: {
    /** All of the tailnet. */
    list(o?: CallOptions): APIPromise<VIPService[]>;
    /** One of them. */
    get(name: ServiceName, o?: CallOptions): APIPromise<VIPService>;
    /** Makes one or replaces it: send back both addresses of one that is there. Another `name` inside renames it; that is repeated on 429 only. */
    set(name: ServiceName, service: NewVIPService, o?: CallOptions): APIPromise<VIPService>;
    /** Removes one. */
    delete(name: ServiceName, o?: CallOptions): APIPromise<void>;
    /** The devices that answer for it, or would. */
    hosts(name: ServiceName, o?: CallOptions): APIPromise<ServiceHost[]>;
    /** Whether a device may answer for it. */
    readonly approval: {
      /** What is set. */
      get(name: ServiceName, device: string, o?: CallOptions): APIPromise<ServiceApproval>;
      /** Sets it. */
      set(name: ServiceName, device: string, approval: { /** Whether it may. */ approved: boolean }, o?: CallOptions): APIPromise<ServiceApproval>;
    };
  };
  /** Whole windows, no pages: ask for little. */
  readonly logs: {
    /** What was changed, oldest first. Entries may hold whole policies: do not log them. */
    audit(params: LogWindow & {
      /** Of whom: an id, or `~` and a part of a name. */
      actor?: string | string[];
      /** Of what, in the same form. */
      target?: string | string[];
      /** Which kinds of changes. */
      event?: string | string[];
    }, o?: CallOptions): APIPromise<AuditEntry[]>;
    /** What devices sent each other. Very large: ask for minutes. */
    network(params: LogWindow, o?: CallOptions): APIPromise<NetworkFlows[]>;
  };
  /** Services that tell this one about devices. */
  readonly postureIntegrations: {
    /** All of the tailnet. */
    list(o?: CallOptions): APIPromise<PostureIntegration[]>;
    /** Makes one. A second one of a provider is a ConflictError. Repeated on 429 only. */
    create(integration: NewPostureIntegration, o?: CallOptions): APIPromise<PostureIntegration>;
    /** One of them. */
    get(id: string, o?: CallOptions): APIPromise<PostureIntegration>;
    /** Changes what is named; a secret that is not stays. */
    update(id: string, changes: Partial<Omit<NewPostureIntegration, 'provider'>>, o?: CallOptions): APIPromise<PostureIntegration>;
    /** Removes one. */
    delete(id: string, o?: CallOptions): APIPromise<void>;
  };
}
