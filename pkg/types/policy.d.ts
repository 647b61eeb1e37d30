// Policies, offline: what the service would say and do, from text. Must not live here: calls.

import type { Issue } from './hujson.js';
import type { AclPolicy, AclPreview, Device } from './wire.js';

/** What the text alone cannot say. Everything is optional: without it an answer may be unknown, never a guess. */
export interface PolicyContext {
  /** The devices of the tailnet. One with tags has no user, whatever `user` says; a route counts when it is advertised and enabled. */
  devices?: Device[];
  /** The users of the tailnet. */
  users?: {
    /** Login name, as in the policy. */
    loginName: string;
    /** Role, such as `admin`. */
    role?: string;
  }[];
  /** The domains of the tailnet: whose users are its members. */
  domains?: string[];
}

/** Whom or what rules may concern. */
export type PreviewQuery =
  | {
      /** Login name; asked about as a source. */
      user: string;
    }
  | {
      /** `ip:port`, asked about as a destination; an IPv6 address in brackets or not. */
      ipPort: string;
    }
  | {
      /** `tag:…`, asked about as source and as destination. */
      tag: string;
    }
  | {
      /** Name of a host of the policy, or an address or prefix; asked about as source and as destination. */
      host: string;
    };

/** Who sends. */
export type Subject =
  | {
      /** Login name. */
      user: string;
    }
  | {
      /** `group:…` */
      group: string;
    }
  | {
      /** `tag:…` */
      tag: string;
    }
  | {
      /** Name of a host of the policy. */
      host: string;
    }
  | {
      /** Address. */
      ip: string;
    };

/** A rule of the document. */
export interface RuleRef {
  /** Its section. */
  section: 'acls' | 'grants' | 'ssh';
  /** Its place in the section, from 0. */
  index: number;
  /** Its line in the text, from 1. */
  line: number;
}

/** What the service would say to a document, and everything else worth saying. */
export interface PolicyCheck {
  /** Whether it would be taken. */
  accepted: boolean;
  /** The service's own message, word for word; null where it would be taken. */
  message: string | null;
  /** Every finding, in the order of the text. */
  issues: Issue[];
  /** The outcome of the tests in the document. */
  tests: TestReport;
}

/** The outcome of the tests in a document. */
export interface TestReport {
  /** False when at least one entry fails. */
  passed: boolean;
  /** One result an entry. */
  results: {
    /** The section of the entry. */
    section: 'tests' | 'sshTests';
    /** Its place in the section, from 0. */
    index: number;
    /** Its line in the text, from 1. */
    line: number;
    /** Its source, as written. */
    src: string;
    /** Whether it holds; null where text and context cannot decide. */
    passed: boolean | null;
    /** What fails, as the service words it. */
    errors: string[];
  }[];
}

/** Why a flow is allowed or denied. */
export interface Explanation {
  /** The answer; unknown where text and context cannot decide. */
  verdict: 'allowed' | 'denied' | 'unknown';
  /** The rules that allow it. */
  because: RuleRef[];
  /** Rules that almost allow it. */
  nearMisses: {
    /** The rule. */
    rule: RuleRef;
    /** What it misses by. */
    why: string;
  }[];
  /** Names that text and context do not resolve. */
  unresolved: string[];
}

/** One rule of the packet filter of a device. The order of lists carries nothing. */
export interface FilterRule {
  /** Sources: address, prefix, range `a-b`, or `*` for every address. */
  src: string[];
  /** Destinations. */
  dst: {
    /** Address, prefix, range `a-b`, or `*`. */
    net: string;
    /** `*` (0-65535), one port, or a range `a-b`. */
    ports: string;
  }[];
  /** Numbers of IP protocols, spelled out: 1, 6, 17, 58 where the rule names none; empty for a capability. */
  proto: number[];
  /** Capabilities by name. */
  app?: Record<string, unknown>;
}

/** One SSH rule of a device. Rules stand in order: the first match decides. */
export interface SshRule {
  /** Sources: address, prefix or range. */
  from: string[];
  /** Requested login to local account: `=` the same name, empty never; the key `*` is any other name. */
  users: Record<string, string>;
  /** Let in, or let in after a check of identity. */
  action: 'accept' | 'check';
  /** Names of environment variables that are let through. */
  acceptEnv?: string[];
}

/** Who reaches what. */
export interface AccessMatrix {
  /** Users (groups taken apart), tags, and other selectors as written. */
  sources: string[];
  /** Destinations as written, without port. */
  destinations: string[];
  /** The pairs that have access. Those that open the same share one list of ports: copy it before changing it. */
  cells: {
    /** Index into `sources`. */
    source: number;
    /** Index into `destinations`. */
    destination: number;
    /** The ports, as written. */
    ports: string[];
    /** The rules that give it. */
    because: RuleRef[];
  }[];
}

/** What one source gains and loses between two documents. */
export interface AccessChange {
  /** The source. */
  source: string;
  /** What it reaches now. */
  gained: {
    /** The destination. */
    destination: string;
    /** The ports. */
    ports: string[];
  }[];
  /** What it reaches no more. */
  lost: {
    /** The destination. */
    destination: string;
    /** The ports. */
    ports: string[];
  }[];
}

/**
 * Policies, offline. A document is text or a plain object, in either grammar and any spelling.
 * Text with a syntax error throws HuJSONSyntaxError, and a policy that the service would refuse PolicyRefusedError,
 * from all but `check`, `runTests`, `diff`, `toJSON` and `edit`.
 */
export declare const policy: {
  /** What the service would say to this document, and everything else worth saying. */
  check(acl: string | AclPolicy, context?: PolicyContext): PolicyCheck;
  /**
   * The rules that concern one user (as a source), one address and port (as a destination), or, on either side, one tag or one
   * alias; `unknown` are those that text and context cannot decide. A plain name will do: `tag:…` is a tag, a name with `@` a
   * user, `10.0.0.5:443` or `[fd7a::1]:443` an `ipPort`, and everything else a `host`; an empty one is an `invalid_argument`.
   */
  preview(acl: string | AclPolicy, query: PreviewQuery | string, context?: PolicyContext): AclPreview & {
    /** Rules that may concern them. */
    unknown: RuleRef[];
  };
  /** Whether one flow is allowed, and by what. */
  explain(acl: string | AclPolicy, flow: {
    /** Who sends; a plain name is read as the `src` of a test: `group:…`, `tag:…`, an address, with `@` a user, else an alias. */
    from: Subject | string;
    /** As a test's destination: `HOST:PORT` with HOST a tag, user, group, alias, address or `[IPv6]`. */
    to: string;
    /** Name or number of the IP protocol; tcp where absent. */
    proto?: string;
  }, context?: PolicyContext): Explanation;
  /** The outcome of the tests in the document. */
  runTests(acl: string | AclPolicy, context?: PolicyContext): TestReport;
  /** The packet filter that each device would enforce, by device id; a device without rules has an empty list. */
  filters(acl: string | AclPolicy, context: PolicyContext): Record<string, FilterRule[]>;
  /** The SSH rules that each device would enforce, in order, by device id. */
  ssh(acl: string | AclPolicy, context: PolicyContext): Record<string, SshRule[]>;
  /** Who reaches what. */
  access(acl: string | AclPolicy, context?: PolicyContext): AccessMatrix;
  /** Who gains and who loses what between two documents. */
  diffAccess(before: string | AclPolicy, after: string | AclPolicy, context?: PolicyContext): AccessChange[];
  /** What changed in meaning: comments, layout and the order of sets do not count. */
  diff(before: string | AclPolicy, after: string | AclPolicy): {
    /** JSON Pointer in lower-case modern keys. */
    pointer: string;
    /** What happened there. */
    kind: 'added' | 'removed' | 'changed';
    /** The value before, where there was one. */
    before?: unknown;
    /** The value after, where there is one. */
    after?: unknown;
  }[];
  /** The parsed form that the service gives for `application/json`: lower-case keys, acl rules with users and ports. Throws HuJSONSyntaxError. */
  toJSON(acl: string): AclPolicy;
  /** Changes to the text that keep its comments and layout. They throw HuJSONSyntaxError, or `invalid_argument` where there is no such place. */
  readonly edit: {
    /** Adds a rule to the acls, at the end or before the rule at `at`. */
    addRule(text: string, rule: unknown, at?: number): string;
    /** Removes the acl rule at this index, with its own comments. */
    removeRule(text: string, index: number): string;
    /** Sets the members of a group, or removes it with null. */
    setGroup(text: string, name: string, members: string[] | null): string;
    /** Sets the address of a host, or removes it with null. */
    setHost(text: string, name: string, address: string | null): string;
  };
};
