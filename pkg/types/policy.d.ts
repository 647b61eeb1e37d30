// Policies, offline: what the service would say and do, from text. Must not live here: calls.

import type { TextEdit } from './hujson.js'
import type { Issue, PolicyIssueCode } from './issue.js'
import type { AclPolicy, AclPreview, AttributeValue, Device } from './wire.js'

/** What the text alone cannot say. Everything is optional: without it an answer may be unknown, never a guess. */
export interface PolicyContext {
  /** The devices of the tailnet. One with tags has no user, whatever `user` says; a route counts when it is advertised and enabled. */
  devices?: Device[]
  /** The users of the tailnet. */
  users?: {
    /** Login name, as in the policy. */
    loginName: string
    /** Role, such as `admin`. */
    role?: string
  }[]
  /** The domains of the tailnet: whose users are its members. */
  domains?: string[]
}

/**
 * Somebody or something, by name. Where a plain text stands for it, the text is the first that it fits of user, tag, group, autogroup,
 * host, device, address: one with `@` is a user, a prefix such as `tag:` decides at once. A name that is defined nowhere is no
 * mistake: answers list it as `unresolved`. One that makes no sense is: an address such as `10.0.0.0/99`, a device that is not there.
 */
export type Subject =
  | {
      /** Login name. */
      user: string
    }
  | {
      /** `group:…` */
      group: string
    }
  | {
      /** `tag:…` */
      tag: string
    }
  | {
      /** `autogroup:…` */
      autogroup: string
    }
  | {
      /** Name of a host of the policy. */
      host: string
    }
  | {
      /** A device of the context: its name, the first label of that, its host name, `id` or `nodeId`. Two of one name are an `invalid_argument`, which lists them. */
      device: string
    }
  | {
      /** Address. */
      ip: string
    }

/** Whom or what rules may concern: a user as a source, an address and port as a destination, everything else on either side. */
export type PreviewQuery =
  | {
      /** Login name. */
      user: string
    }
  | {
      /** `ip:port`; an IPv6 address in brackets or not. */
      ipPort: string
    }
  | {
      /** `tag:…` */
      tag: string
    }
  | {
      /** `group:…` */
      group: string
    }
  | {
      /** `autogroup:…` */
      autogroup: string
    }
  | {
      /** Name of a host of the policy, or an address, prefix or range. */
      host: string
    }
  | {
      /** A device of the context, as for `Subject`. */
      device: string
    }

/** Something sent by one to another. */
export interface Flow {
  /** Who sends. */
  from: Subject | string
  /** `HOST:PORT` with one port, HOST a tag, user, group, autogroup, host of the policy, device, address or `[IPv6]`. */
  to: string
  /** Name or number of the IP protocol; tcp where absent. */
  proto?: string
  /** The posture attributes of the source. As in a test, it has no others. */
  srcPostureAttrs?: Record<string, AttributeValue>
}

/** How an access matrix is asked for. */
export interface AccessOptions {
  /** Rows and columns by the names of the document, or one for each device of the context. Without devices, `device` is an `invalid_argument`. */
  by?: 'name' | 'device'
}

/** A rule of the document. */
export interface RuleRef {
  /** Its section. */
  section: 'acls' | 'grants' | 'ssh'
  /** Its place in the section, from 0. */
  index: number
  /** Its line in the text, from 1. */
  line: number
}

/** What the service would say to a document, and everything else worth saying. */
export interface PolicyCheck {
  /** Whether it would be taken. */
  accepted: boolean
  /** The service's own message, word for word; null where it would be taken. */
  message: string | null
  /** Every finding, in the order of the text. */
  issues: Issue<PolicyIssueCode>[]
  /** The outcome of the tests in the document. */
  tests: TestReport
}

/** The rules that concern somebody or something. */
export interface PolicyPreview extends AclPreview {
  /** Rules that text and context cannot decide. */
  unknown: RuleRef[]
  /** Names that lead nowhere: of the question, or of the rules that stay open. */
  unresolved: string[]
  /** Which name may be meant instead of the one that was asked about. */
  hint?: string
}

/** The outcome of the tests in a document. */
export interface TestReport {
  /** False when at least one entry fails. */
  passed: boolean
  /** One result an entry. */
  results: {
    /** The section of the entry. */
    section: 'tests' | 'sshTests'
    /** Its place in the section, from 0. */
    index: number
    /** Its line in the text, from 1. */
    line: number
    /** Its source, as written. */
    src: string
    /** Whether it holds; null where text and context cannot decide. */
    passed: boolean | null
    /** What fails, as the service words it. */
    errors: string[]
  }[]
}

/** A device in an answer. */
export interface DeviceRef {
  /** Its id. */
  id: string
  /** Its name to show: the first label, or the host name; with the id behind it where two devices share that. */
  name: string
}

/** Why a flow is allowed or denied, and where it ends. */
export interface Explanation {
  /** What the rules say; unknown where text and context cannot decide. */
  verdict: 'allowed' | 'denied' | 'unknown'
  /** The rules that allow it. */
  because: RuleRef[]
  /** Rules that almost allow it. */
  nearMisses: {
    /** The rule. */
    rule: RuleRef
    /** What it misses by. */
    why: string
  }[]
  /** Names that text and context do not resolve. */
  unresolved: string[]
  /** Which name may be meant instead of one of the question that leads nowhere. */
  hint?: string
  /** Postures of which one is all that the source lacks. */
  postures?: string[]
  /** Who receives what is sent, whatever the rules say: each device of a name, each router of a route. Never empty. */
  delivered: Delivery[]
  /** Whether the devices are known, and none of them is the source's. */
  sourceHasNoDevice: boolean
}

/** Where a packet ends. */
export type Delivery =
  | {
      /** The destination is a device of the tailnet. */
      kind: 'device'
      /** That device. */
      device: DeviceRef
    }
  | {
      /** The destination lies behind a subnet router, or is reached through an exit node. */
      kind: 'router' | 'exit'
      /** The device that passes it on. */
      device: DeviceRef
      /** The route by which it gets there, as CIDR. */
      route: string
    }
  | {
      /** Nobody receives it, or nobody can tell who does. */
      kind: 'nobody' | 'unknown'
      /** The reason, in words. */
      why: string
      /** A device that would receive it, were its route enabled. */
      device?: DeviceRef
    }

/** One rule of the packet filter of a device. The order of lists carries nothing. */
export interface FilterRule {
  /** Sources: address, prefix, range `a-b`, or `*` for every address. */
  src: string[]
  /** Destinations. */
  dst: {
    /** Address, prefix, range `a-b`, or `*`. */
    net: string
    /** `*` (0-65535), one port, or a range `a-b`. */
    ports: string
  }[]
  /** Numbers of IP protocols, spelled out: 1, 6, 17, 58 where the rule names none; empty for a capability. */
  proto: number[]
  /** Capabilities by name. */
  app?: Record<string, unknown>
}

/** One SSH rule of a device. Rules stand in order: the first match decides. */
export interface SshRule {
  /** Sources: address, prefix or range. */
  from: string[]
  /** Requested login to local account: `=` the same name, empty never; the key `*` is any other name. */
  users: Record<string, string>
  /** Let in, or let in after a check of identity. */
  action: 'accept' | 'check'
  /** Names of environment variables that are let through. */
  acceptEnv?: string[]
}

/** What the policy gives a device beside access. */
export interface NodeAttributes {
  /** Attributes by name. */
  attrs: string[]
  /** Settings of applications, by name. */
  app: Record<string, unknown[]>
  /** Prefixes from which the device gets its address. */
  ipPool: string[]
}

/** What would become of the routes that a device advertises. An exit node has both default routes, or none. */
export interface RouteApproval {
  /** Prefixes that the policy approves by itself. */
  approved: string[]
  /** Prefixes that somebody has to approve. */
  waiting: string[]
}

/** What is open, of one protocol. */
export interface Opening {
  /** Its name, or its number where it has none. `ping` is ICMP of both families, which comes with every opening. */
  proto: ProtocolName | number
  /** `*` (0-65535), or ports and ranges in ascending order, none touching the next: `22,80-90`. `*` where the protocol has no ports. */
  ports: string
  /** Postures of which the source must have one. What is open without any is an opening of its own. */
  postures?: string[]
}

/** The protocols that have a name. */
export type ProtocolName = 'tcp' | 'udp' | 'sctp' | 'dccp' | 'igmp' | 'ipv4' | 'egp' | 'igp' | 'gre' | 'esp' | 'ah' | 'tsmp' | 'ping'

/** What a row or column of a matrix is, in the order in which lists have them. `any` is `*`; a `subnet` and the `internet` lie behind a device. */
export type PartyKind =
  | 'user'
  | 'tag'
  | 'group'
  | 'autogroup'
  | 'host'
  | 'device'
  | 'address'
  | 'prefix'
  | 'range'
  | 'ipset'
  | 'service'
  | 'domain'
  | 'subnet'
  | 'internet'
  | 'any'

/** Somebody or something that reaches, or is reached. */
export interface Party {
  /** What it is. */
  kind: PartyKind
  /** Its name, to show. */
  name: string
  /** The id of the device that it is, or behind which it lies. */
  id?: string
}

/**
 * Who reaches what, exhaustively: a cell holds what `explain` calls allowed between the two, no more and no less; with postures, given
 * one of them. A cell of `*`, a prefix, a range or an ipset holds what is true of all of it.
 */
export interface AccessMatrix {
  /** What rows and columns are: names of the document, or devices. */
  by: 'name' | 'device'
  /** Users (groups taken apart), tags, and every other selector that the document names; each once, by kind, then by text. */
  sources: string[]
  /** Destinations without port, in the same order. */
  destinations: string[]
  /** What the texts of both lists are, at the same places. */
  parties: {
    /** Of `sources`. */
    sources: Party[]
    /** Of `destinations`. */
    destinations: Party[]
  }
  /** The pairs that have access. Those that open the same share their lists: copy one before changing it. */
  cells: AccessCell[]
  /** What text and context leave open, beside what is certain. */
  unknown: AccessCell[]
}

/** A pair that has access. */
export interface AccessCell {
  /** Index into `sources`. */
  source: number
  /** Index into `destinations`. */
  destination: number
  /** `opens` in short: `22`, `80-90` or `*` for TCP and UDP alike, else `udp:53`, `gre:*`; `ping` only where there is nothing else. */
  ports: string[]
  /** What is open. */
  opens: Opening[]
  /** The rules that give it. */
  because: RuleRef[]
  /** Where no rule names the pair: the wider selector that takes in the destination, or else the source. Members stand for their groups. */
  wider?: string
}

/** Flows that an assertion is about. */
export interface FlowClaim {
  /** Sources as in a policy. */
  from: string | string[]
  /** Destinations as in a policy, without ports. */
  to: string | string[]
  /** Ports as in an acl: all where absent. What names some is about protocols that have ports. */
  ports?: string
  /** A protocol by name or number. Absent: every protocol for `never` and `only`, TCP for `always`. */
  proto?: string
}

/** Logins over SSH that an assertion is about, by the ssh rules alone. */
export interface SshClaim {
  /** Sources as in a policy. */
  from: string | string[]
  /** Destinations as in a policy. */
  to: string | string[]
  /** The accounts, as in an ssh rule. */
  users: string | string[]
}

/** What is to be true of a policy. */
export type Assertion = {
  /** Why, for readers. */
  why?: string
} & (
  | {
      /** No flow or login of these is allowed. */
      never: FlowClaim | SshClaim
    }
  | {
      /** Each is. */
      always: FlowClaim | SshClaim
    }
  | {
      /** Nobody but `from` has any. */
      only: FlowClaim | SshClaim
    }
  | {
      /** There is no access, flows and logins, that another policy does not give: an object, or its name among the bases. */
      noMoreThan: string | AclPolicy
    }
  | {
      /** There is just the access that another policy gives. */
      sameAs: string | AclPolicy
    }
)

/** Whether assertions hold. */
export interface Proof {
  /** Null where one is open and none is false. */
  holds: boolean | null
  /** One for each assertion, in their order. */
  results: ProofResult[]
}

/** Whether one assertion holds. */
export interface ProofResult {
  /** The assertion. */
  assertion: Assertion
  /** Null where it is open and no counterexample is known. */
  holds: boolean | null
  /** Its line in the guard file; null for objects. */
  line: number | null
  /** What is not as it says. */
  counterexample?: Counterexample
  /** The rules that allow the counterexample or leave it open; of what is always allowed those that allow it. */
  because: RuleRef[]
  /** Why it is open. */
  why?: string
}

/** A flow that `explain` confirms; with `user` a login that the ssh rules confirm. */
export interface Counterexample {
  /** A login, tag, autogroup or address. */
  from: string
  /** The same of the destination, without port. */
  to: string
  /** The protocol as `explain` takes it. */
  protocol: string
  /** The port; 0 where the protocol has none. */
  port: number
  /** The account. */
  user?: string
  /** The rule that allows it; null where access is missing. */
  rule: RuleRef | null
}

/** What one source gains and loses between two documents. */
export interface AccessChange {
  /** Its name: a login or tag as long as all its devices change alike, else a device. */
  source: string
  /** What it is. */
  party: Party
  /** What it reaches now. */
  gained: AccessReach[]
  /** What it reaches no more. */
  lost: AccessReach[]
}

/** A destination that is gained or lost. */
export interface AccessReach {
  /** Its name. */
  destination: string
  /** What it is. */
  party: Party
  /** `opens` in short, as in a cell of a matrix. */
  ports: string[]
  /** What is gained or lost there. */
  opens: Opening[]
  /** The rules that give it: of the document after for what is gained, of that before for what is lost. */
  because: RuleRef[]
  /** Whether a part of the destination was open before, or stays open. */
  partly?: boolean
}

/** One change of meaning between two documents. */
export interface PolicyChange {
  /** JSON Pointer in lower-case modern keys. */
  pointer: string
  /** What happened there. */
  kind: 'added' | 'removed' | 'changed'
  /** The value before, where there was one. */
  before?: unknown
  /** The value after, where there is one. */
  after?: unknown
}

/** What a change of a policy does. */
export interface PolicyReview {
  /** Whether it has no meaning: layout, order, spelling, rules split or merged, names alone. */
  unchanged: boolean
  /** What changed, as `policy.diff` gives it. */
  changes: PolicyChange[]
  /** What is worth saying of the document after and was not of that before: by what it says, not by its line. Places are those of the document after. */
  issues: Issue<PolicyIssueCode>[]
  /** Who gains and who loses access, as `policy.diffAccess` gives it. */
  access: AccessChange[]
  /** Who gains and who loses logins, by the SSH rules alone. */
  ssh: SshChange[]
  /** Who had access or a login and has none left. */
  lockedOut: Party[]
  /** What is open to many and was not. */
  exposed: Exposure[]
  /** Tests that say something which no test of the other document does. */
  tests: {
    /** Of the document after. */
    added: PolicyTestRef[]
    /** Of the document before. */
    removed: PolicyTestRef[]
  }
  /** How the assertions of the guard end for the document after; null without a guard. */
  guard: Proof | null
  /** All of this in Markdown: 60 lines at most, names in code spans. */
  summary: string
}

/** What one source gains and loses of logins. A login behind a check is another one than the same without. */
export interface SshChange {
  /** Its name: a login or tag as long as all its devices change alike, else a device. */
  source: string
  /** What it is. */
  party: Party
  /** Logins that only the document after allows. */
  gained: SshReach[]
  /** Logins that only the document before allowed. */
  lost: SshReach[]
}

/** Logins at one destination. */
export interface SshReach {
  /** Its name. */
  destination: string
  /** What it is. */
  party: Party
  /** The accounts; `autogroup:nonroot` is every one but root, `localpart:*@…` each user's own. */
  users: string[]
  /** Let in, or let in after a check of identity. */
  action: 'accept' | 'check'
  /** The rules that give it: of the document after for what is gained, of that before for what is lost. */
  because: RuleRef[]
  /** Whether a part of the destination had it before, or keeps it. */
  partly?: boolean
}

/** A destination that is newly open to many. */
export interface Exposure {
  /** Its name. */
  destination: string
  /** What it is. */
  party: Party
  /** All members of the tailnet, those outside with whom something was shared, or any address whatsoever. */
  to: 'everybody' | 'outsiders' | 'anyone'
  /** What is open. */
  opens: Opening[]
  /** The rules of the document after that open it. */
  because: RuleRef[]
}

/** An entry of the tests of a document. */
export interface PolicyTestRef {
  /** The list that it stands in. */
  section: 'tests' | 'sshTests'
  /** Its place there, from 0. */
  index: number
  /** The line of its `{`. */
  line: number
  /** Its source as written. */
  src: string
}

/** What a review is asked with. */
export interface ReviewOptions {
  /** What is known beside the two documents. */
  context?: PolicyContext
  /** Assertions about the document after: a guard file as text, or a list, as `policy.prove` takes them. */
  guard?: Assertion[] | string
  /** Policies that the guard names. */
  bases?: Record<string, string | AclPolicy>
}

/**
 * Policies, offline. A document is text or a plain object, in either grammar and any spelling. Each verb throws `invalid_argument` for a
 * question or context that makes no sense; all but `check` and `open` throw HuJSONSyntaxError for text that is no HuJSON; and all but these,
 * `runTests`, `diff`, `toJSON` and `edit` throw PolicyRefusedError for a document whose structure or names the service would refuse. What
 * is wrong with the tests of a document (`test_failed`, `invalid_ssh_test`) closes nothing.
 * The examples of its members go on from this one.
 * @example
 * const text = `{
 *   "groups": {"group:dev": ["ann@example.com"]},
 *   "tagOwners": {"tag:web": ["group:dev"]},
 *   "acls": [{"action": "accept", "src": ["group:dev"], "dst": ["tag:web:22,443"]}],
 *   "ssh": [{"action": "accept", "src": ["group:dev"], "dst": ["tag:web"], "users": ["ubuntu"]}],
 *   "tests": [{"src": "ann@example.com", "accept": ["tag:web:443"]}],
 * }`
 * const context = {
 *   devices: [
 *     { id: '7', name: 'web-1.example.com', tags: ['tag:web'], addresses: ['100.64.0.7'] },
 *     { id: '8', name: 'laptop.example.com', user: 'ann@example.com', addresses: ['100.64.0.8'] },
 *   ],
 * }
 */
export declare const policy: {
  /**
   * The same verbs for one document and context. It is not judged before it is asked something, and there is nothing to free.
   * @example
   * const document = policy.open(text, context)
   * document.check().accepted // → true
   */
  open(acl: string | AclPolicy, context?: PolicyContext): PolicyDocument
  /**
   * What the service would say to this document, and everything else worth saying.
   * @example
   * policy.check('{"acls": [{"action": "accept", "src": ["tag:x"], "dst": ["*:*"]}]}').message // → 'src=tag not found: "tag:x"'
   */
  check(acl: string | AclPolicy, context?: PolicyContext): PolicyCheck
  /**
   * The rules that concern somebody or something, with their lines as the service counts them. A plain `10.0.0.5:443` or `[fd7a::1]:443` is an `ipPort`.
   * @example policy.preview(text, 'ann@example.com').matches[0].ports // → ['tag:web:22,443']
   */
  preview(acl: string | AclPolicy, query: PreviewQuery | string, context?: PolicyContext): PolicyPreview
  /**
   * Whether one flow is allowed, by what, and where it ends.
   * @example
   * policy.explain(text, { from: 'ann@example.com', to: 'web-1:22' }, context).because // → [{ section: 'acls', index: 0, line: 4 }]
   */
  explain(acl: string | AclPolicy, flow: Flow, context?: PolicyContext): Explanation
  /**
   * The outcome of the tests in the document.
   * @example policy.runTests(text).passed // → true
   */
  runTests(acl: string | AclPolicy, context?: PolicyContext): TestReport
  /**
   * The packet filter that each device would enforce, by device id; a device without rules has an empty list.
   * @example policy.filters(text, context)['7'][0].dst // → [{ net: '100.64.0.7', ports: '22' }, { net: '100.64.0.7', ports: '443' }]
   */
  filters(acl: string | AclPolicy, context: PolicyContext): Record<string, FilterRule[]>
  /**
   * The SSH rules that each device would enforce, in order, by device id.
   * @example policy.ssh(text, context)['7'][0].users // → { root: '', ubuntu: 'ubuntu' }
   */
  ssh(acl: string | AclPolicy, context: PolicyContext): Record<string, SshRule[]>
  /**
   * What `nodeAttrs` give each device, by device id.
   * @example policy.nodeAttrs('{"nodeAttrs": [{"target": ["*"], "attr": ["funnel"]}]}', context)['7'].attrs // → ['funnel']
   */
  nodeAttrs(acl: string | AclPolicy, context: PolicyContext): Record<string, NodeAttributes>
  /**
   * Whom each device sees: ids in ascending order, by device id. Who sees another is seen by it.
   * @example policy.visiblePeers(text, context) // → { 7: ['8'], 8: ['7'] }
   */
  visiblePeers(acl: string | AclPolicy, context: PolicyContext): Record<string, string[]>
  /**
   * What `autoApprovers` would do with the routes that each device advertises, by device id.
   * @example policy.approvedRoutes(text, context)['7'] // → { approved: [], waiting: [] }
   */
  approvedRoutes(acl: string | AclPolicy, context: PolicyContext): Record<string, RouteApproval>
  /**
   * Who reaches what, exhaustively.
   * @example
   * const { sources, destinations, cells } = policy.access(text)
   * cells.map(({ source, destination, ports }) => [sources[source], ports, destinations[destination]]) // → [['ann@example.com', ['22', '443'], 'tag:web']]
   */
  access(acl: string | AclPolicy, context?: PolicyContext, options?: AccessOptions): AccessMatrix
  /**
   * Who gains and who loses what between two documents: the access after without that before, and the reverse.
   * @example
   * const [change] = policy.diffAccess(text, text.replace('22,443', '443'))
   * change.lost[0].ports // → ['22']
   */
  diffAccess(before: string | AclPolicy, after: string | AclPolicy, context?: PolicyContext): AccessChange[]
  /**
   * Whether assertions hold for every user, tag and address that the document allows, listed devices or not. A text is a guard file: a HuJSON
   * list of assertions; no HuJSON throws HuJSONSyntaxError, another shape `invalid_argument`. A name in it that leads nowhere leaves its
   * assertion open.
   * @example policy.prove(text, [{ never: { from: 'tag:web', to: '*' } }]).holds // → true
   */
  prove(
    acl: string | AclPolicy,
    assertions: Assertion[] | string,
    context?: PolicyContext,
    options?: {
      /** The policies that `noMoreThan` and `sameAs` name. */
      bases?: Record<string, string | AclPolicy>
    },
  ): Proof
  /**
   * What changed in meaning: comments, layout and the order of sets do not count.
   * @example policy.diff(text, text.replace('22,443', '443'))[0].pointer // → '/acls/0/dst'
   */
  diff(before: string | AclPolicy, after: string | AclPolicy): PolicyChange[]
  /**
   * Everything that a reviewer of a change wants to know, and a summary of it to read.
   * @example const { exposed, lockedOut, summary } = policy.review(text, text.replace('22,443', '443'))
   */
  review(before: string | AclPolicy, after: string | AclPolicy, options?: ReviewOptions): PolicyReview
  /**
   * The parsed form that the service gives for `application/json`: lower-case keys, acl rules with users and ports. `invalid_argument` for what is no object.
   * @example policy.toJSON(text).acls // → [{ action: 'accept', users: ['group:dev'], ports: ['tag:web:22,443'] }]
   */
  toJSON(acl: string): AclPolicy
  /** Changes to the text that keep its comments and layout. They throw HuJSONSyntaxError, or `invalid_argument` where there is no such place. */
  readonly edit: {
    /**
     * Adds a rule at the end, or before the rule at `at`: to grants if it has `ip`, `app` or `via`, to ssh if it has `users`, else to acls.
     * @example policy.edit.addRule(text, { action: 'accept', src: ['*'], dst: ['tag:web:80'] }, 0)
     */
    addRule(text: string, rule: unknown, at?: number): string
    /**
     * Removes the acl rule at this index, with its own comments.
     * @example policy.edit.removeRule(text, 0)
     */
    removeRule(text: string, index: number): string
    /**
     * Sets the members of a group, or removes it with null. The prefix of a name may be left out, here and below.
     * @example policy.edit.setGroup(text, 'dev', ['ann@example.com', 'bob@example.com'])
     */
    setGroup(text: string, name: string, members: string[] | null): string
    /**
     * Sets the address of a host, or removes it with null.
     * @example policy.edit.setHost('{}', 'nas', '192.168.1.5') // → '{"hosts": {"nas": "192.168.1.5"}}'
     */
    setHost(text: string, name: string, address: string | null): string
    /**
     * Adds an entry to a section, at the end or before the one at `at`; a section that is missing is made.
     * @example policy.edit.add(text, 'grants', { src: ['group:dev'], dst: ['tag:web'], ip: ['tcp:8080'] })
     */
    add(text: string, section: ListSection, entry: unknown, at?: number): string
    /**
     * Puts an entry in place of another; members and list elements that stay keep their place and their comments.
     * @example policy.edit.replace(text, 'acls', 0, { action: 'accept', src: ['group:dev'], dst: ['tag:web:443'] })
     */
    replace(text: string, section: ListSection, index: number, entry: unknown): string
    /**
     * Removes an entry, with its own comments.
     * @example policy.edit.remove(text, 'tests', 0)
     */
    remove(text: string, section: ListSection, index: number): string
    /**
     * Moves an entry, with its own comments; `to` is its index afterwards.
     * @example policy.edit.move('{"grants": [{"src": ["a"]}, {"src": ["b"]}]}', 'grants', 1, 0)
     */
    move(text: string, section: ListSection, from: number, to: number): string
    /**
     * Turns an entry into a comment where it stands; `enable` at that offset gives the text back.
     * @example
     * const off = policy.edit.disable(text, 'acls', 0)
     * policy.edit.enable(off, policy.edit.disabled(off)[0].offset) === text // → true
     */
    disable(text: string, section: ListSection, index: number): string
    /**
     * Turns the entry back whose comment is at this UTF-16 offset; commas that are missing then are added.
     * @example
     * const off = policy.edit.disable(text, 'tests', 0)
     * policy.edit.enable(off, policy.edit.disabled(off)[0].offset)
     */
    enable(text: string, offset: number): string
    /**
     * The entries that are comments, in the order of the text; offset and length in UTF-16 units.
     * @example policy.edit.disabled(policy.edit.disable(text, 'acls', 0))[0].line // → 4
     */
    disabled(text: string): DisabledEntry[]
    /**
     * Sets the owners of a tag, or removes it with null.
     * @example policy.edit.setTagOwners(text, 'tag:db', ['group:dev'])
     */
    setTagOwners(text: string, tag: string, owners: string[] | null): string
    /**
     * Sets the operations of an ipset, or removes it with null.
     * @example policy.edit.setIpset(text, 'ipset:office', ['add 192.168.0.0/16', 'remove 192.168.9.0/24'])
     */
    setIpset(text: string, name: string, operations: string[] | null): string
    /**
     * Sets the conditions of a posture, or removes it with null.
     * @example policy.edit.setPosture(text, 'posture:recent', ["node:tsVersion >= '1.80'"])
     */
    setPosture(text: string, name: string, conditions: string[] | null): string
    /**
     * Sets the postures that count where a rule names none, or removes them with null.
     * @example policy.edit.setDefaultSrcPosture(text, ['posture:recent'])
     */
    setDefaultSrcPosture(text: string, names: string[] | null): string
    /**
     * Sets who approves, or removes it with null.
     * @example policy.edit.setAutoApprovers(text, { route: '10.0.0.0/8' }, ['tag:web'])
     */
    setAutoApprovers(text: string, what: ApprovalTarget, approvers: string[] | null): string
    /**
     * Sets the configuration of an attribute, or removes it with null.
     * @example policy.edit.setAttrConfig(text, 'custom:tier', { type: 'string' })
     */
    setAttrConfig(text: string, name: string, config: unknown): string
    /**
     * Sets an option, or removes it with null.
     * @example policy.edit.setOption('{}', 'randomizeClientPort', true) // → '{"randomizeClientPort": true}'
     */
    setOption(text: string, name: 'derpMap' | 'disableIPv4' | 'oneCGNATRoute' | 'randomizeClientPort', value: unknown): string
    /**
     * The smallest edits that make one text of the other, so that cursor and marks stay where they are. Any two texts.
     * @example policy.edit.changes('[1, 2]', '[1, 3]') // → [{ from: 4, to: 5, insert: '3' }]
     */
    changes(before: string, after: string): TextEdit[]
    /**
     * The text with these edits, which count in the text before any of them; `invalid_argument` where they overlap.
     * @example policy.edit.apply('[1, 2]', [{ from: 4, to: 5, insert: '3' }]) // → '[1, 3]'
     */
    apply(text: string, edits: TextEdit[]): string
    /**
     * Renames a group, tag, ipset, posture or (without prefix) alias, wherever it stands; the prefix of the new name may be left out.
     * `invalid_argument` where there is no such name, or the new one is taken or cannot be.
     * @example policy.edit.rename(text, 'group:dev', 'group:sre').includes('group:dev') // → false
     */
    rename(text: string, from: string, to: string): string
  }
}

/** Sections that are lists of entries. */
export type ListSection = 'acls' | 'grants' | 'ssh' | 'tests' | 'sshTests' | 'nodeAttrs'

/** An entry that is a comment. */
export interface DisabledEntry {
  /** The list that it stands in. */
  section: ListSection
  /** 1-based line on which its comment begins. */
  line: number
  /** Where that is, in UTF-16 units. */
  offset: number
  /** How long its comments are. */
  length: number
}

/** What `autoApprovers` approve: routes inside a prefix, exit nodes, or hosts of a service. */
export type ApprovalTarget =
  | {
      /** The prefix. */
      route: string
    }
  | {
      /** Always true. */
      exitNode: true
    }
  | {
      /** The service, `svc:NAME`. */
      service: string
    }

/**
 * One document beside one context: a plain object that never changes. Each verb is that of `policy`, and gives the same answer.
 * The examples of its members go on from this one.
 * @example const document = policy.open(text, context)
 */
export interface PolicyDocument {
  /** The text; of an object its canonical layout, in which lines are counted. */
  readonly text: string
  /** What is known beside the text. */
  readonly context: PolicyContext
  /**
   * As `policy.check`.
   * @example document.check().accepted // → true
   */
  check(): PolicyCheck
  /**
   * As `policy.preview`.
   * @example document.preview('tag:web').matches.length // → 1
   */
  preview(query: PreviewQuery | string): PolicyPreview
  /**
   * As `policy.explain`.
   * @example document.explain({ from: 'ann@example.com', to: 'web-1:80' }).verdict // → 'denied'
   */
  explain(flow: Flow): Explanation
  /**
   * As `policy.runTests`.
   * @example document.runTests().results.length // → 1
   */
  runTests(): TestReport
  /**
   * As `policy.filters`.
   * @example document.filters()['8'] // → []
   */
  filters(): Record<string, FilterRule[]>
  /**
   * As `policy.ssh`.
   * @example document.ssh()['7'][0].from // → ['100.64.0.8']
   */
  ssh(): Record<string, SshRule[]>
  /**
   * As `policy.nodeAttrs`.
   * @example document.nodeAttrs()
   */
  nodeAttrs(): Record<string, NodeAttributes>
  /**
   * As `policy.visiblePeers`.
   * @example document.visiblePeers()['8'] // → ['7']
   */
  visiblePeers(): Record<string, string[]>
  /**
   * As `policy.approvedRoutes`.
   * @example document.approvedRoutes()['7'].waiting // → []
   */
  approvedRoutes(): Record<string, RouteApproval>
  /**
   * As `policy.access`.
   * @example document.access({ by: 'device' }).cells.length // → 1
   */
  access(options?: AccessOptions): AccessMatrix
  /**
   * As `policy.toJSON`.
   * @example document.toJSON().groups // → { 'group:dev': ['ann@example.com'] }
   */
  toJSON(): AclPolicy
  /**
   * As `policy.diffAccess`, from this document to another, in the context of this one.
   * @example document.diffAccess('{"acls": []}')[0].source // → 'ann@example.com'
   */
  diffAccess(after: string | AclPolicy | PolicyDocument): AccessChange[]
  /**
   * As `policy.prove`.
   * @example document.prove('[{"never": {"from": "tag:web", "to": "*"}}]').holds // → true
   */
  prove(
    assertions: Assertion[] | string,
    options?: {
      /** The policies that `noMoreThan` and `sameAs` name. */
      bases?: Record<string, string | AclPolicy>
    },
  ): Proof
  /**
   * As `policy.diff`, from this document to another.
   * @example document.diff(text) // → []
   */
  diff(after: string | AclPolicy | PolicyDocument): PolicyChange[]
  /**
   * As `policy.review`, from this document to another, in the context of this one.
   * @example document.review(document).unchanged // → true
   */
  review(after: string | AclPolicy | PolicyDocument, options?: Omit<ReviewOptions, 'context'>): PolicyReview
  /**
   * The same document with another text or context.
   * @example document.with({ context: {} }).text === document.text // → true
   */
  with(change: {
    /** The document instead of this one. */
    acl?: string | AclPolicy
    /** The context instead of this one's. */
    context?: PolicyContext
  }): PolicyDocument
}
