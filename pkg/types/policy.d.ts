// Policies, offline: what the service would say and do, from text. Must not live here: calls.

import type { AclPolicy, ListSection, PolicyEntry, ReadPolicy, TailscalePolicy } from './grammar.js'
import type { TextEdit } from './hujson.js'
import type { Issue, PolicyIssueCode } from './issue.js'
import type { AclPreview, AttributeValue, Device } from './wire.js'

/** What the text does not say. Everything is optional: without it an answer may be unknown, but is never a guess. */
export interface PolicyContext {
  /** The devices of the tailnet. A device with tags has no user, whatever `user` says; a route counts if it is advertised and enabled. */
  devices?: Device[]
  /** The users of the tailnet. */
  users?: {
    /** Login name, as in the policy. */
    loginName: string
    /** Role, such as `admin`. The owner counts as an admin too. */
    role?: string
    /** The id of the user. In the dialect `headscale` a device's `user` may be it. */
    id?: string
    /** The address for mail. In the dialect `headscale` it names the user too, and its local part may be an account. */
    email?: string
    /** The id that the identity provider has for the user. */
    providerId?: string
  }[]
  /** The domains of the tailnet; users of these domains are its members. */
  domains?: string[]
  /** The logins in groups that the policy does not define, as an identity provider fills these, by `group:…`; one that is missing here has nobody. */
  groups?: Record<string, string[]>
  /**
   * The posture attributes of devices, by `id` or `nodeId`. A device that is listed has no others; those of another are unknown, but for `node:os`
   * and `node:tsVersion`, which its own fields say.
   */
  attributes?: Record<string, Record<string, AttributeValue>>
  /** Whose language the policy is in. If left out, the first line of the text decides, `// tailnet-kit: dialect headscale`; else it is `tailscale`. */
  dialect?: Dialect
}

/**
 * The implementation that a policy is written for. `headscale` is its release 0.29 and later: verdicts, messages, the texts of tests, filters, SSH
 * rules, peers and approvals are its own. Users are named as there: by name, mail address or id of their provider.
 */
export type Dialect = 'tailscale' | 'headscale'

/**
 * Whose language a text is in, for what takes no context. Without it the first line of the text decides, `// tailnet-kit: dialect headscale`,
 * and without that it is the service's.
 * @example policy.edit.setTagOwners('{"tag_owners": {}}', 'db', ['ann@'], { dialect: 'headscale' }) // → '{"tag_owners": {"tag:db": ["ann@"]}}'
 */
export interface DialectOptions {
  /** The implementation. */
  dialect?: Dialect
}

/**
 * Somebody or something, by name. A plain string is taken as the first of these that fits: user, tag, group, autogroup,
 * host, device, address; one with `@` is a user, and a prefix such as `tag:` decides at once. An undefined name is not an
 * error: answers list it as `unresolved`. A malformed name is an error, such as `10.0.0.0/99`, and so is an unknown device.
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
      /** A device of the context: its name, first label, host name, `id` or `nodeId`. A name of two devices is an `invalid_argument`, which lists them. */
      device: string
    }
  | {
      /** Address. */
      ip: string
    }

/** What rules may concern: a user as a source, an address and port as a destination, everything else on either side. */
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

/** A flow from one to another. */
export interface Flow {
  /** The source. */
  from: Subject | string
  /**
   * The destination, `HOST:PORT` with one port, HOST a name that a rule or the matrix has: a tag, user, group, autogroup, host of the
   * policy, ipset, service, device, address, prefix or `[IPv6]`. `ping` and `icmp` need no port, a login has none.
   */
  to: string
  /** Name or number of the IP protocol, or `ping`; tcp if absent. */
  proto?: string
  /** The posture attributes of the source. As in a test, it has no others. Absent: those of its device in the context. */
  srcPostureAttrs?: Record<string, AttributeValue>
  /** The account of a login by SSH: then the answer joins the SSH rules with the network rules for port 22. */
  user?: string
}

/** Options of an access matrix. */
export interface AccessOptions {
  /** Rows and columns by the names of the document, or one for each device of the context. Without devices, `device` is an `invalid_argument`. */
  by?: 'name' | 'device'
  /** Only the rows of these names; a group stands for its members, a user or tag for its devices. A name that no row has is an `invalid_argument`. */
  from?: string | string[]
  /** Only the columns of these names, in the same way. */
  to?: string | string[]
  /** Another document in the same network: the matrix then has the names of both, and `changes`. */
  base?: string | AclPolicy
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

/** What the service would say to a document, and all other findings. */
export interface PolicyCheck {
  /** Whether the service would accept it. */
  accepted: boolean
  /** The service's own message, word for word; null if accepted. */
  message: string | null
  /** Every finding, in the order of the text. */
  issues: Issue<PolicyIssueCode>[]
  /** The outcome of the tests in the document. */
  tests: TestReport
}

/** The rules that concern somebody or something. */
export interface PolicyPreview extends AclPreview {
  /** Rules that text and context leave undecided. */
  unknown: RuleRef[]
  /** Unresolved names: of the question, or of the undecided rules. */
  unresolved: string[]
  /** Which name may be meant in place of an unresolved one in the question, or of a login that neither text nor context names. */
  hint?: string
}

/** The outcome of the tests in a document. */
export interface TestReport {
  /** False if at least one entry fails. */
  passed: boolean
  /** One result per entry. */
  results: {
    /** The section of the entry. */
    section: 'tests' | 'sshTests'
    /** Its place in the section, from 0. */
    index: number
    /** Its line in the text, from 1. */
    line: number
    /** Its source, as written. */
    src: string
    /** Whether it holds; null if text and context cannot decide. */
    passed: boolean | null
    /** What fails, in the words of the service. */
    errors: string[]
  }[]
}

/** A device in an answer. */
export interface DeviceRef {
  /** Its id. */
  id: string
  /** The name to show: the first label, or the host name; followed by the id if two devices share the name. */
  name: string
}

/** Why a flow is allowed or denied, and where it ends. */
export interface Explanation {
  /**
   * What the rules say. `allowed`: every device and address of the source reaches every one of the destination, over a family of
   * addresses that both have; `partly`: some of the source reaches some of the destination; `denied`: none does; `unknown` if text and
   * context cannot decide. Of a login: what ssh rules and network rules say together.
   */
  verdict: 'allowed' | 'partly' | 'denied' | 'unknown'
  /** With `partly`: which part of the source reaches which part of the destination; of several parts the largest. */
  part?: Part
  /** Of a login that is allowed: whether it needs a check of identity. */
  action?: 'accept' | 'check'
  /** The rules that allow it. */
  because: RuleRef[]
  /** Rules that almost allow it. */
  nearMisses: {
    /** The rule. */
    rule: RuleRef
    /** What is missing. */
    why: string
  }[]
  /** Names that text and context do not resolve. */
  unresolved: string[]
  /** Which name may be meant in place of an unresolved one in the question, or of a login that neither text nor context names. */
  hint?: string
  /** Postures, any one of which is all that the source lacks. */
  postures?: string[]
  /** Where the packets end, whatever the rules say: at each device of a name, at each router of a route. Never empty. */
  delivered: Delivery[]
  /** Whether the devices are known, but none of them is the source's. */
  sourceHasNoDevice: boolean
  /** Whether what is allowed would get there now: null where that is not known, as without devices; false for what is denied. */
  arrives: boolean | null
  /**
   * What is in its way beside the rules: a device that is not authorized, a key that has expired, shields that are up, a route that is
   * not approved, `via`, no device; of a login, that no network rule opens port 22.
   */
  hindrance?: string
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
      /** The destination is behind a subnet router, or is reached through an exit node. */
      kind: 'router' | 'exit'
      /** The device that forwards. */
      device: DeviceRef
      /** The route that leads there, as CIDR. */
      route: string
    }
  | {
      /** Nobody receives it, or the receiver is unknown. */
      kind: 'nobody' | 'unknown'
      /** The reason, in words. */
      why: string
      /** A device that would receive it if its route were enabled. */
      device?: DeviceRef
    }

/** One rule of the packet filter of a device. The order of lists has no meaning. */
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
  /** Numbers of IP protocols, written out: 1, 6, 17, 58 if the rule names none; empty for a capability. */
  proto: number[]
  /** Capabilities by name. */
  app?: Record<string, unknown>
}

/** One SSH rule of a device. Order matters: the first match decides. */
export interface SshRule {
  /** Sources: address, prefix or range. */
  from: string[]
  /** Requested login to local account: `=` is the same name, empty is never; the key `*` is any other name. */
  users: Record<string, string>
  /** Allowed, or allowed after a check of identity. */
  action: 'accept' | 'check'
  /** Names of environment variables that are passed on. */
  acceptEnv?: string[]
}

/** What the policy gives a device besides access. */
export interface NodeAttributes {
  /** Attributes by name. */
  attrs: string[]
  /** Settings of applications, by name. */
  app: Record<string, unknown[]>
  /** Prefixes from which the device gets its address. */
  ipPool: string[]
}

/** What would happen to the routes that a device advertises. An exit node has both default routes, or none. */
export interface RouteApproval {
  /** Prefixes that the policy approves. */
  approved: string[]
  /** Prefixes that somebody has to approve. */
  waiting: string[]
}

/** What is open for one protocol. */
export interface Opening {
  /** Its name, or its number if it has none. `ping` is ICMP of both families, which is open wherever anything is. */
  proto: ProtocolName | number
  /** `*` (0-65535), or ports and ranges in ascending order, not adjacent: `22,80-90`. `*` for a protocol without ports. */
  ports: string
  /** Postures, one of which the source must have. What is open without a posture is listed as an opening of its own. */
  postures?: string[]
  /** In a difference: with one of these postures, or through a device with one of these tags, nothing changes. */
  unless?: {
    /** Postures of the source. */
    postures?: string[]
    /** Tags of a device that forwards. */
    via?: string[]
    /** Nor with one of these postures and through one of these tags together. */
    both?: { postures: string[]; via: string[] }[]
    /** Whether it is not known whether something changes there: what is open on these terms is among `undecided`. */
    perhaps?: true
  }
  /** Only through devices with one of these tags. */
  via?: string[]
}

/** Which part of a source or destination is meant: devices by name, logins, prefixes, `IPv4`, `IPv6`; of `*` also `subnets behind devices`. */
export interface Part {
  /** The part of the source; absent for all of it. */
  from?: string[]
  /** The part of the destination; absent for all of it. */
  to?: string[]
}

/** The protocols with a name. */
export type ProtocolName = 'tcp' | 'udp' | 'sctp' | 'dccp' | 'igmp' | 'ipv4' | 'egp' | 'igp' | 'gre' | 'esp' | 'ah' | 'tsmp' | 'ping'

/** What a row or column of a matrix is, in the order of the lists. `any` is `*`; a `subnet` and the `internet` are behind a device. */
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

/** A source or destination. */
export interface Party {
  /** What it is. */
  kind: PartyKind
  /** Its name, to show. */
  name: string
  /** The id of the device that it is, or is behind. */
  id?: string
}

/**
 * Who reaches what, exhaustively: a cell holds what is open from any part of the source to any part of the destination, and says which part where that
 * is not all of both; for openings with postures, if the source has one of them. Addresses of different families never meet. By device the
 * destinations are also the subnets and the internet behind devices.
 */
export interface AccessMatrix {
  /** Whether rows and columns are names of the document or devices. */
  by: 'name' | 'device'
  /** Users (groups are expanded), tags, and every other selector that the document names; each once, by kind, then by text, `u2` before `u10`. */
  sources: string[]
  /** Destinations without port, in the same order. */
  destinations: string[]
  /** What the entries of both lists are, by index. */
  parties: {
    /** Of `sources`. */
    sources: Party[]
    /** Of `destinations`. */
    destinations: Party[]
  }
  /**
   * The pairs that have access; of one pair what all of both have comes before what only a part has. Pairs that open the same share their lists: copy
   * a list before changing it.
   */
  cells: AccessCell[]
  /** What text and context leave undecided, besides what is certain. */
  unknown: AccessCell[]
  /** With `base`: the pairs of which anything differs from it, each once. Pairs share their lists: copy a list before changing it. */
  changes?: CellChange[]
}

/** What a pair gains and loses against another document. A name that both documents have means whomever it means in either. */
export interface CellChange {
  /** Index into `sources`. */
  source: number
  /** Index into `destinations`. */
  destination: number
  /** What is open now alone. */
  gained: AccessReach[]
  /** What was open before alone. */
  lost: AccessReach[]
  /** What text and context leave undecided before or after, each with `why`. */
  undecided: AccessReach[]
}

/** A pair that has access. */
export interface AccessCell {
  /** Index into `sources`. */
  source: number
  /** Index into `destinations`. */
  destination: number
  /** `opens` in short: `22`, `80-90` or `*` for both TCP and UDP, else `udp:53`, `gre:*`; `ping` only if nothing else is open. */
  ports: string[]
  /** What is open. */
  opens: Opening[]
  /** The rules that open it. */
  because: RuleRef[]
  /** If no rule names the pair: the wider selector that includes the destination, or else the source. Members stand for their groups. */
  wider?: string
  /** The part of source and destination that it is about, if not all of both. */
  part?: Part
  /** Why it is undecided. */
  why?: string
}

/** Who may log in to what by SSH, exhaustively, in the form of the access matrix. Rows and columns are machines: users, tags, autogroups, or devices. */
export interface LoginMatrix {
  /** Whether rows and columns are names of the document or devices. */
  by: 'name' | 'device'
  /** Those who log in, each once, in the order of the access matrix. */
  sources: string[]
  /** Where they do, in the same order. */
  destinations: string[]
  /** What the entries of both lists are, by index. */
  parties: {
    /** Of `sources`. */
    sources: Party[]
    /** Of `destinations`. */
    destinations: Party[]
  }
  /** The pairs with a login: an entry for each action, for each list of postures, for each part, and for whether the network lets it pass. */
  cells: LoginCell[]
  /** What text and context leave undecided, besides what is certain. */
  unknown: LoginCell[]
  /** With `base`: the pairs of which anything differs from it, each once. */
  changes?: LoginCellChange[]
}

/** The logins that a pair gains and loses against another document. */
export interface LoginCellChange extends Pick<SshChange, 'gained' | 'lost' | 'checked' | 'undecided'> {
  /** Index into `sources`. */
  source: number
  /** Index into `destinations`. */
  destination: number
}

/** Logins that a pair has. */
export interface LoginCell {
  /** Index into `sources`. */
  source: number
  /** Index into `destinations`. */
  destination: number
  /** The accounts: names, `autogroup:nonroot` (with those that it lacks), `localpart:*@domain` for a source whose login is not known. */
  users: string[]
  /** Whether a check of identity comes first. */
  action: 'accept' | 'check'
  /** Postures, one of which the source must have. */
  postures?: string[]
  /** Whether the network rules open port 22 for it; null if that is undecided or takes a posture. */
  network: boolean | null
  /** The rules that allow it. */
  because: RuleRef[]
  /** The part of source and destination that it is about, if not all of both. */
  part?: Part
  /** Why it is undecided. */
  why?: string
}

/** Flows that an assertion is about. Names are those of a policy and, as in a question, names of devices. */
export interface FlowClaim {
  /** Sources as in a policy. */
  from: string | string[]
  /** Destinations as in a policy, without ports. */
  to: string | string[]
  /** Ports as in an acl: all if absent. With ports it is about protocols that have ports. */
  ports?: string
  /** A protocol by name or number. If absent: every protocol for `never` and `only`, TCP for `always`. */
  proto?: string
  /** For `never` only: also flows over devices, any of which, reached on any port, may go on as itself. */
  paths?: true
}

/** SSH logins that an assertion is about, by the ssh rules only. */
export interface SshClaim {
  /** Sources as in a policy. */
  from: string | string[]
  /** Destinations as in a policy. */
  to: string | string[]
  /** The accounts, as in an ssh rule. */
  users: string | string[]
}

/** What must be true of a policy. */
export type Assertion = {
  /** The reason, for readers. */
  why?: string
} & (
  | {
      /** No flow or login of these is allowed. */
      never: FlowClaim | SshClaim
    }
  | {
      /** Each of these flows and logins is allowed. */
      always: FlowClaim | SshClaim
    }
  | {
      /** None of these is allowed to anybody but `from`. */
      only: FlowClaim | SshClaim
    }
  | {
      /** No access, flows or logins, is allowed that another policy does not allow: an object, or its name among the bases. */
      noMoreThan: string | AclPolicy
    }
  | {
      /** Exactly the access of another policy is allowed. */
      sameAs: string | AclPolicy
    }
)

/** Whether assertions hold. */
export interface Proof {
  /** Null if one is undecided and none is false. */
  holds: boolean | null
  /** One per assertion, in their order. */
  results: ProofResult[]
}

/** Whether one assertion holds. */
export interface ProofResult {
  /** The assertion. */
  assertion: Assertion
  /**
   * True if it holds in every network that agrees with text and context; false if there is a counterexample, or if a name in it means nothing;
   * null if it is undecided. It is also undecided if it fails in every network, but by a different flow in each, or by a flow whose `explain`
   * is unknown; and if nobody says who the members of a group in it are.
   */
  holds: boolean | null
  /** Its line in the guard file; null for objects. */
  line: number | null
  /** The flow or login that says most. */
  counterexample?: Counterexample
  /** The rules that allow the counterexample or leave it undecided; for `always`, those that allow it. */
  because: RuleRef[]
  /** Why it is undecided, or false without a rule that says so; and, where it holds, that a path over devices was not asked for. */
  why?: string
}

/** An edit that allows a flow, of `policy.repair`. */
export interface Repair {
  /** The edits of the text, in its order; `policy.edit.apply` carries them out. */
  edits: TextEdit[]
  /** The text after them; of an object its canonical layout. */
  text: string
  /** What they do, in words. */
  title: string
  /** Who gains access by them, the flow itself included. Logins are not in it: `policy.diffSsh` tells those. */
  changes: AccessChange[]
}

/** A flow that `explain` confirms as it is; with `user`, a login that the ssh rules confirm. */
export interface Counterexample {
  /** The flow, by the names of people and devices; of a path its last hop. Of a login it has the account, and no port. */
  flow: Flow & { user?: string }
  /** The rule that allows it; null if access is missing. */
  rule: RuleRef | null
  /** Each hop of a path over devices, in order. */
  path?: Flow[]
}

/** The options of a comparison. */
export interface DiffOptions {
  /**
   * The network after the change, if that changes too: a tag is put on a device, a route approved, a role given, a posture met. What only one of
   * the two networks says is so in both: `{ after: { groups } }` changes the groups alone, and an empty list says that there are none.
   */
  after?: PolicyContext
}

/** What one source gains and loses between two documents, two networks, or both. */
export interface AccessChange {
  /** Its name: a login or tag if all its devices change alike, else a device. */
  source: string
  /** What it is. */
  party: Party
  /** What it can reach now. Sources that change alike share their lists: copy a list before changing it. */
  gained: AccessReach[]
  /** What it can no longer reach. */
  lost: AccessReach[]
  /** What text and context leave undecided before or after, each with `why`. */
  undecided: AccessReach[]
}

/** A destination at which access is gained, lost or undecided. */
export interface AccessReach {
  /** Its name. */
  destination: string
  /** What it is. */
  party: Party
  /** `opens` in short, as in a cell of a matrix. */
  ports: string[]
  /** What is gained or lost there. */
  opens: Opening[]
  /** The rules that open it: those of the new document for a gain, those of the old one for a loss. */
  because: RuleRef[]
  /** The part of source and destination that changes, if not all does. A destination may have several entries. */
  part?: Part
  /** Of what is undecided: what may become of it. Absent where it may be gained as well as lost. */
  may?: 'gained' | 'lost'
  /** Why it is undecided. */
  why?: string
  /** What of a context would decide it. */
  needs?: (keyof PolicyContext)[]
  /** Why nobody can use it now: no device has the tag, no approved route leads there, or a device would have it from itself alone. */
  today?: string
}

/**
 * The kinds of powers: to put a tag on a device; to have routes, exit nodes and services approved at once; an attribute of
 * `nodeAttrs`; a capability for applications; to receive the recordings of SSH sessions.
 */
export type PowerKind = 'tag' | 'route' | 'exit-node' | 'service' | 'attribute' | 'capability' | 'recorder'

/** One thing that somebody may do besides reaching. The admins of a tailnet, who may do all of it, have no entry for that. */
export interface Power {
  /** A login, tag or other selector. Members stand for their group; a group of an identity provider stands for itself. */
  who: string
  /** What it is. */
  party: Party
  /** What it may do. */
  kind: PowerKind
  /** The tag, prefix, service, attribute or capability; `exit-node`; or the destination whose SSH sessions are recorded. */
  what: string
  /** Of a capability `{ app, on?, srcPosture? }`: its values, at which destination, with which postures; of a recorder `{ enforceRecorder, src, users, srcPosture? }`. */
  value?: unknown
  /** The entry that gives it, as a JSON Pointer in lower-case modern keys. */
  pointer: string
  /** Of a tag: the tags that a device or key must have first, in the order in which they are taken. Owning a tag is not owning what it owns. */
  through?: string[]
  /** Of a tag: what whoever has it reaches. Powers share these lists. */
  opens?: AccessReach[]
  /** Why nobody can use it now, as far as users and devices are known. */
  today?: string
  /** In a difference, of what is undecided: what may become of it. Absent where it may be gained as well as lost. */
  may?: 'gained' | 'lost'
  /** In a difference: what would have to be known, or the condition that alone has changed. */
  why?: string
}

/** The powers that one party gains and loses between two documents. */
export interface PowerChange {
  /** A login, tag or other selector. */
  who: string
  /** What it is. */
  party: Party
  /** What it may do now. */
  gained: Power[]
  /** What it may no longer do. */
  lost: Power[]
  /** What text and context leave open, each with `why`. */
  undecided: Power[]
}

/** One change of meaning between two documents. */
export interface PolicyChange {
  /** JSON Pointer in lower-case modern keys. */
  pointer: string
  /** The kind of change. */
  kind: 'added' | 'removed' | 'changed'
  /** The value before, if there was one. */
  before?: unknown
  /** The value after, if there is one. */
  after?: unknown
}

/** What a change of a policy does. */
export interface PolicyReview {
  /** Whether the meaning stays the same: only layout, order, spelling or names change, or rules are split or merged. */
  unchanged: boolean
  /** The changes, like `policy.diff`. */
  changes: PolicyChange[]
  /** Issues that only the new document has, compared by what they say, not by line. Positions are those of the new document. */
  issues: Issue<PolicyIssueCode>[]
  /** Who gains and who loses access, like `policy.diffAccess`. */
  access: AccessChange[]
  /** Who gains and who loses logins, like `policy.diffSsh`. */
  ssh: SshChange[]
  /** Who gains and who loses powers, like `policy.diffPowers`. */
  powers: PowerChange[]
  /** Devices of both networks by which the rules say the same, but what they allow arrives now, or no longer does. */
  devices: DeviceChange[]
  /** Access and logins of which only the conditions change, without a difference for what the devices of the context report today. */
  conditions: {
    /** Access. */
    access: AccessChange[]
    /** Logins. */
    ssh: SshChange[]
  }
  /** Logins that the SSH rules allow before and after, and that only the network lets through or no longer does. */
  networkLogins: NetworkLogin[]
  /** The postures that are defined otherwise, and in which direction. */
  postures: PostureChange[]
  /** Who had access or a login and certainly has none left. */
  lockedOut: Party[]
  /** What nobody reaches any more. */
  orphaned: Party[]
  /** What is newly open to many. */
  exposed: Exposure[]
  /** Tags that look renamed; devices keep the old one. */
  renamed: {
    /** The tag of the old document. */
    from: string
    /** The tag of the new document. */
    to: string
  }[]
  /** Tests that check something which no test of the other document checks. */
  tests: {
    /** Those of the new document. */
    added: PolicyTestRef[]
    /** Those of the old document that are gone. */
    removed: PolicyTestRef[]
    /** Those of the new document that check less than in the old one. */
    changed: (PolicyTestRef & {
      /** The destinations, as written, that are no longer checked. */
      noLonger: string[]
    })[]
  }
  /** The results of the guard's assertions for the new document; null without a guard. */
  guard: Proof | null
  /** A summary in Markdown: at most 60 lines, names in code spans. */
  summary: string
}

/** A device that is let in or kept out, whose key expires at another time, whose shields go up or down, or that changes hands. */
export interface DeviceChange {
  /** Its name after the change. */
  device: string
  /** Its id. */
  id: string
  /** What was so. */
  before: DeviceState
  /** What is so after the change. */
  after: DeviceState
}

/** What decides, beside the rules, whether connections arrive. */
export interface DeviceState {
  /** Whether it may take part; true where that is not known. */
  authorized: boolean
  /** When its key expires; null if never, or if that is not known. */
  expires: string | null
  /** Whether its shields are up: it takes in no connection. */
  blocksIncomingConnections: boolean
  /** The login of its user; null where it has a tag before or after, which is reported by what changes with it. */
  user: string | null
}

/** Logins that an SSH rule allows before and after: a login needs the network, too. */
export interface NetworkLogin {
  /** Who logs in, as in `access`. */
  source: string
  /** Where. */
  destination: string
  /** The accounts. */
  users: string[]
  /** Whether port 22 is open now; else it no longer is. Of what is undecided: whether it may be. */
  isOpen: boolean
  /** What may become of them, where it is undecided whether port 22 is open, or was; absent where it is certain. */
  may?: 'gained' | 'lost'
  /** Who of the source is excepted; absent where nobody is. */
  part?: Part
}

/** The logins that one source gains and loses, by the SSH rules only. */
export interface SshChange {
  /** Its name: a login or tag if all its devices change alike, else a device. */
  source: string
  /** What it is. */
  party: Party
  /** Logins that only the new document allows. */
  gained: SshReach[]
  /** Logins that only the old document allowed. */
  lost: SshReach[]
  /** Logins that both allow, as the new document treats them. */
  checked: (SshReach & {
    /** Tighter: a check is asked for, or more often, or fewer variables are passed on; else looser. */
    now: 'tighter' | 'looser'
  })[]
  /** What text and context leave undecided before or after, each with `why`. */
  undecided: SshReach[]
}

/** Logins at one destination. */
export interface SshReach {
  /** Its name. */
  destination: string
  /** What it is. */
  party: Party
  /** The accounts; `autogroup:nonroot` is every one except root, `localpart:*@…` each user's own. */
  users: string[]
  /** Allowed, or allowed after a check of identity. */
  action: 'accept' | 'check'
  /** Whether the network rules open port 22 for it; null if that is undecided. */
  network: boolean | null
  /** Postures, one of which the source must have. */
  postures?: string[]
  /** With one of these nothing changes. */
  unless?: {
    /** Postures of the source. */
    postures?: string[]
  }
  /** For how long a check counts, if the rule says so. */
  checkPeriod?: string
  /** Names of environment variables that are passed on. */
  acceptEnv?: string[]
  /** Of what is treated otherwise: how the old document treats it. */
  was?: Pick<SshReach, 'action' | 'checkPeriod' | 'acceptEnv'>
  /** The rules that open it: those of the new document for a gain, those of the old one for a loss. */
  because: RuleRef[]
  /** The part of source and destination that changes, if not all does. */
  part?: Part
  /** Of what is undecided: what may become of it. Absent where it may be gained as well as lost. */
  may?: 'gained' | 'lost'
  /** Why it is undecided. */
  why?: string
  /** Why nobody can use it now. */
  today?: string
}

/** A posture that is defined otherwise. */
export interface PostureChange {
  /** Its name. */
  name: string
  /** Whether fewer devices meet it now, or more; `other` if neither is certain, or it is new or gone; `same` if it is only written otherwise. */
  now: 'tighter' | 'looser' | 'other' | 'same'
  /** Its conditions in the old document; null if it is not defined there. */
  before: string[] | null
  /** Its conditions in the new document; null if it is not defined there. */
  after: string[] | null
}

/** A destination that is newly open to many. */
export interface Exposure {
  /** Its name. */
  destination: string
  /** What it is. */
  party: Party
  /** All members of the tailnet, those outside with whom something is shared, or any address at all. */
  to: 'everybody' | 'outsiders' | 'anyone'
  /** What is open. */
  opens: Opening[]
  /** The rules of the new document that open it. */
  because: RuleRef[]
  /** Which part of it, where not all of it is open. */
  part?: Part
  /** Why nobody can use it now. */
  today?: string
}

/** An entry of the tests of a document. */
export interface PolicyTestRef {
  /** The list that contains it. */
  section: 'tests' | 'sshTests'
  /** Its place in the list, from 0. */
  index: number
  /** The line of its `{`. */
  line: number
  /** Its source as written. */
  src: string
}

/** Options of a review. */
export interface ReviewOptions extends DiffOptions {
  /** Assertions about the new document: a guard file as text, or a list, as for `policy.prove`. */
  guard?: Assertion[] | string
  /** Policies that the guard names. */
  bases?: Record<string, string | AclPolicy>
}

/**
 * Policies, offline. A document is text or a plain object, in either grammar and any spelling. Each verb throws `invalid_argument` for a
 * malformed question or context. All but `check` and `open` throw HuJSONSyntaxError for text that is not HuJSON. All but these,
 * `runTests`, `diff`, `toJSON` and `edit` throw PolicyRefusedError for a document whose structure or names the service would refuse.
 * Faults of the tests of a document (`test_failed`, `invalid_ssh_test`) do not count for that.
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
export declare const policy: PolicyFunctions

/** The functions of `policy`. */
export interface PolicyFunctions {
  /**
   * The same verbs for one document and context. It is judged only when it is first asked something, and nothing has to be freed.
   * @example
   * const document = policy.open(text, context)
   * document.check().accepted // → true
   */
  open(acl: string | AclPolicy, context?: PolicyContext): PolicyDocument
  /**
   * What the service would say to this document, and all other findings.
   * @example
   * policy.check('{"acls": [{"action": "accept", "src": ["tag:x"], "dst": ["*:*"]}]}').message // → 'src=tag not found: "tag:x"'
   */
  check(acl: string | AclPolicy, context?: PolicyContext): PolicyCheck
  /**
   * The rules that concern somebody or something, with line numbers as the service counts. A plain `10.0.0.5:443` or `[fd7a::1]:443` is an `ipPort`.
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
   * The packet filter that each device would enforce, by device id; a device without rules has an empty list. Here and in the four verbs below
   * a context without devices is an `invalid_argument`.
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
   * The devices that each device sees: ids in ascending order, by device id. Seeing is mutual.
   * @example policy.visiblePeers(text, context) // → { 7: ['8'], 8: ['7'] }
   */
  visiblePeers(acl: string | AclPolicy, context: PolicyContext): Record<string, string[]>
  /**
   * What `autoApprovers` would do with the routes that each device advertises, by device id.
   * @example policy.approvedRoutes(text, context)['7'] // → { approved: [], waiting: [] }
   */
  approvedRoutes(acl: string | AclPolicy, context: PolicyContext): Record<string, RouteApproval>
  /**
   * Who reaches what, exhaustively; with `from` and `to` only what these reach, and who reaches those; with `base` also what differs from that.
   * @example
   * const { sources, destinations, cells } = policy.access(text)
   * cells.map(({ source, destination, ports }) => [sources[source], ports, destinations[destination]]) // → [['ann@example.com', ['22', '443'], 'tag:web']]
   * policy.access(text, context, { by: 'device', to: 'web-1' }).cells.length // → 1
   * policy.access(text.replace('22,443', '443'), context, { base: text }).changes?.[0].lost[0].ports // → ['22']
   */
  access(acl: string | AclPolicy, context?: PolicyContext, options?: AccessOptions): AccessMatrix
  /**
   * Who may log in to what by SSH as which account, exhaustively, and whether the network lets the login pass.
   * @example
   * const logins = policy.logins('{"tagOwners": {"tag:web": []}, "ssh": [{"action": "check", "src": ["ann@example.com"], "dst": ["tag:web"], "users": ["root"]}]}')
   * logins.cells.map(({ users, action, network }) => [users, action, network]) // → [[['root'], 'check', true]]
   */
  logins(acl: string | AclPolicy, context?: PolicyContext, options?: AccessOptions): LoginMatrix
  /**
   * Who gains and who loses what between two documents: the new access without the old, and the reverse. There is no entry only if nothing
   * differs in any network that text and context allow.
   * @example
   * const [change] = policy.diffAccess(text, text.replace('22,443', '443'))
   * change.lost[0].ports // → ['22']
   * const nas = { id: '9', name: 'nas.example.com', tags: ['tag:web'], addresses: ['100.64.0.9'] }
   * policy.diffAccess(text, text, context, { after: { devices: [...context.devices, nas] } })[0].gained[0].destination // → 'nas'
   */
  diffAccess(before: string | AclPolicy, after: string | AclPolicy, context?: PolicyContext, options?: DiffOptions): AccessChange[]
  /**
   * Who gains and who loses which logins between two documents, by the SSH rules only, and which are treated otherwise.
   * @example
   * const [change] = policy.diffSsh(text, text.replace('"ssh": [{"action": "accept"', '"ssh": [{"action": "check"'))
   * change.checked[0].now // → 'tighter'
   */
  diffSsh(before: string | AclPolicy, after: string | AclPolicy, context?: PolicyContext, options?: DiffOptions): SshChange[]
  /**
   * What somebody may do besides reaching: to put which tags on devices, and what these reach; to have which routes, exit nodes and services
   * approved; which attributes and capabilities it has; who records SSH sessions.
   * @example policy.powers('{"tagOwners": {"tag:web": ["ann@example.com"]}}')[0].what // → 'tag:web'
   */
  powers(acl: string | AclPolicy, context?: PolicyContext): Power[]
  /**
   * Who gains and who loses which powers between two documents. Names of groups, hosts, ipsets and postures do not count, routes are compared as
   * sets of addresses.
   * @example
   * const owned = { tagOwners: { 'tag:web': ['ann@example.com'] } }
   * policy.diffPowers({ tagOwners: { 'tag:web': [] } }, owned)[0].gained[0].kind // → 'tag'
   */
  diffPowers(before: string | AclPolicy, after: string | AclPolicy, context?: PolicyContext, options?: DiffOptions): PowerChange[]
  /**
   * Whether assertions hold for every user, tag and address that the document allows, listed devices or not. A text is a guard file: a HuJSON
   * list of assertions. It throws HuJSONSyntaxError if it is not HuJSON, and `invalid_argument` if it has another shape, or if several devices
   * have a name. A name, account, port or base that means nothing makes its assertion false, and `why` names it.
   * @example
   * policy.prove(text, [{ never: { from: 'tag:web', to: '*' } }]).holds // → true
   * const [{ counterexample }] = policy.prove(text, [{ never: { from: 'group:dev', to: 'web-1' } }], context).results
   * counterexample?.flow // → { from: 'ann@example.com', to: 'web-1:22', proto: 'tcp' }
   * counterexample && policy.explain(text, counterexample.flow, context).verdict // → 'allowed'
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
   * The smallest edits that allow a flow or a login, at most five: first those that open least besides, of these the shortest. One after which a
   * test of the policy fails is last, and its title says so. Empty for a flow that is allowed already, and where no edit of rules and groups alone
   * allows it. It throws `invalid_argument` as `explain` does, and for a name that neither text nor context has.
   * @example
   * const [{ title }] = policy.repair(text, { from: 'bob@example.com', to: 'web-1:22' }, context)
   * title // → 'Add bob@example.com to the sources of the rule in line 4'
   */
  repair(acl: string | AclPolicy, flow: Flow, context?: PolicyContext): Repair[]
  /**
   * The changes of meaning: comments, layout and the order of sets do not count.
   * @example policy.diff(text, text.replace('22,443', '443'))[0].pointer // → '/acls/0/dst'
   */
  diff(before: string | AclPolicy, after: string | AclPolicy, options?: DialectOptions): PolicyChange[]
  /**
   * Everything that a reviewer of a change wants to know, and a summary to read.
   * @example const { exposed, lockedOut, summary } = policy.review(text, text.replace('22,443', '443'), context)
   */
  review(before: string | AclPolicy, after: string | AclPolicy, context?: PolicyContext, options?: ReviewOptions): PolicyReview
  /**
   * The same policy in the other language, with its comments. The text is in the dialect of the context, else in the one that its first line names.
   * What would be wider there is left out: a rule with a posture, for example. `invalid_argument` for a text that is in that language already.
   * @example
   * const { text: there, lost, sameAccess } = policy.translate(text, context, { to: 'headscale' })
   * policy.check(there, { dialect: 'headscale' }).accepted // → true
   */
  translate(text: string, context: PolicyContext | undefined, options: TranslateOptions): Translation
  /**
   * The parsed form that the service gives for `application/json`: lower-case keys, acl rules with users and ports; of Headscale's language all keys
   * in their usual spelling. Only objects; else `invalid_argument`.
   * @example policy.toJSON(text).acls // → [{ action: 'accept', users: ['group:dev'], ports: ['tag:web:22,443'] }]
   */
  toJSON(acl: string, options?: DialectOptions): ReadPolicy
  /** Edits of the text that keep its comments and layout. They throw HuJSONSyntaxError, or `invalid_argument` if the place does not exist. */
  readonly edit: PolicyEditFunctions
}

/** Edits of the text that keep its comments and layout. They throw HuJSONSyntaxError, or `invalid_argument` if the place does not exist. */
export interface PolicyEditFunctions {
  /**
   * Adds a rule at the end, or before the rule at `at`: to grants if it has `ip`, `app` or `via`, to ssh if it has `users`, else to acls.
   * @example policy.edit.addRule(text, { action: 'accept', src: ['*'], dst: ['tag:web:80'] }, 0)
   */
  addRule(text: string, rule: PolicyEntry<'acls' | 'grants' | 'ssh'>, at?: number, options?: DialectOptions): string
  /**
   * Removes the acl rule at this index, with its own comments.
   * @example policy.edit.removeRule(text, 0)
   */
  removeRule(text: string, index: number, options?: DialectOptions): string
  /**
   * Sets the members of a group, or removes it with null. Here and below, the prefix of a name may be left out.
   * @example policy.edit.setGroup(text, 'dev', ['ann@example.com', 'bob@example.com'])
   */
  setGroup(text: string, name: string, members: string[] | null, options?: DialectOptions): string
  /**
   * Sets the address of a host, or removes it with null.
   * @example policy.edit.setHost('{}', 'nas', '192.168.1.5') // → '{"hosts": {"nas": "192.168.1.5"}}'
   */
  setHost(text: string, name: string, address: string | null, options?: DialectOptions): string
  /**
   * Adds an entry to a section, at the end or before the one at `at`; creates a missing section.
   * @example policy.edit.add(text, 'grants', { src: ['group:dev'], dst: ['tag:web'], ip: ['tcp:8080'] })
   */
  add<Section extends ListSection>(text: string, section: Section, entry: PolicyEntry<Section>, at?: number, options?: DialectOptions): string
  /**
   * Replaces an entry; members and list elements that stay keep their place and their comments.
   * @example policy.edit.replace(text, 'acls', 0, { action: 'accept', src: ['group:dev'], dst: ['tag:web:443'] })
   */
  replace<Section extends ListSection>(text: string, section: Section, index: number, entry: PolicyEntry<Section>, options?: DialectOptions): string
  /**
   * Removes an entry, with its own comments.
   * @example policy.edit.remove(text, 'tests', 0)
   */
  remove(text: string, section: ListSection, index: number, options?: DialectOptions): string
  /**
   * Moves an entry, with its own comments; `to` is its index afterwards.
   * @example policy.edit.move('{"grants": [{"src": ["a"]}, {"src": ["b"]}]}', 'grants', 1, 0)
   */
  move(text: string, section: ListSection, from: number, to: number, options?: DialectOptions): string
  /**
   * Turns an entry into a comment where it stands; `enable` at that offset gives the text back.
   * @example
   * const off = policy.edit.disable(text, 'acls', 0)
   * policy.edit.enable(off, policy.edit.disabled(off)[0].offset) === text // → true
   */
  disable(text: string, section: ListSection, index: number, options?: DialectOptions): string
  /**
   * Turns the comment at this UTF-16 offset back into an entry; adds missing commas.
   * @example
   * const off = policy.edit.disable(text, 'tests', 0)
   * policy.edit.enable(off, policy.edit.disabled(off)[0].offset)
   */
  enable(text: string, offset: number, options?: DialectOptions): string
  /**
   * The entries that are commented out, in the order of the text; offset and length in UTF-16 units.
   * @example policy.edit.disabled(policy.edit.disable(text, 'acls', 0))[0].line // → 4
   */
  disabled(text: string, options?: DialectOptions): DisabledEntry[]
  /**
   * Sets the owners of a tag, or removes it with null.
   * @example policy.edit.setTagOwners(text, 'tag:db', ['group:dev'])
   */
  setTagOwners(text: string, tag: string, owners: string[] | null, options?: DialectOptions): string
  /**
   * Sets the operations of an ipset, or removes it with null.
   * @example policy.edit.setIpset(text, 'ipset:office', ['add 192.168.0.0/16', 'remove 192.168.9.0/24'])
   */
  setIpset(text: string, name: string, operations: string[] | null, options?: DialectOptions): string
  /**
   * Sets the conditions of a posture, or removes it with null.
   * @example policy.edit.setPosture(text, 'posture:recent', ["node:tsVersion >= '1.80'"])
   */
  setPosture(text: string, name: string, conditions: string[] | null, options?: DialectOptions): string
  /**
   * Sets the postures for rules that name none, or removes them with null.
   * @example policy.edit.setDefaultSrcPosture(text, ['posture:recent'])
   */
  setDefaultSrcPosture(text: string, names: string[] | null, options?: DialectOptions): string
  /**
   * Sets the approvers, or removes them with null.
   * @example policy.edit.setAutoApprovers(text, { route: '10.0.0.0/8' }, ['tag:web'])
   */
  setAutoApprovers(text: string, what: ApprovalTarget, approvers: string[] | null, options?: DialectOptions): string
  /**
   * Sets the configuration of an attribute, or removes it with null.
   * @example policy.edit.setAttrConfig(text, 'custom:tier', { type: 'string' })
   */
  setAttrConfig(text: string, name: string, config: NonNullable<TailscalePolicy['attrConfig']>[string], options?: DialectOptions): string
  /**
   * Sets an option, or removes it with null.
   * @example policy.edit.setOption('{}', 'randomizeClientPort', true) // → '{"randomizeClientPort": true}'
   */
  setOption<Name extends 'derpMap' | 'disableIPv4' | 'oneCGNATRoute' | 'randomizeClientPort'>(
    text: string,
    name: Name,
    value: NonNullable<TailscalePolicy[Name]> | null,
    options?: DialectOptions,
  ): string
  /**
   * The smallest edits that turn one text into the other, so that cursor and marks stay in place. For any two texts.
   * @example policy.edit.changes('[1, 2]', '[1, 3]') // → [{ from: 4, to: 5, insert: '3' }]
   */
  changes(before: string, after: string): TextEdit[]
  /**
   * The text with these edits, whose offsets are those before any edit; `invalid_argument` if they overlap.
   * @example policy.edit.apply('[1, 2]', [{ from: 4, to: 5, insert: '3' }]) // → '[1, 3]'
   */
  apply(text: string, edits: TextEdit[], options?: DialectOptions): string
  /**
   * Renames a group, tag, ipset, posture or (without prefix) alias everywhere; the prefix of the new name may be left out.
   * `invalid_argument` if there is no such name, or the new one is taken or invalid.
   * @example policy.edit.rename(text, 'group:dev', 'group:sre').includes('group:dev') // → false
   */
  rename(text: string, from: string, to: string, options?: DialectOptions): string
}

/** A policy in the other language. */
export interface Translation {
  /** The text, with the comments of the first. */
  text: string
  /** What is left out, or means something else there, in the order of the text; then what the other implementation would refuse. */
  lost: {
    /** Where it stands, in the text that was given; in the new one what would be refused there. */
    pointer: string
    /** What it says, in short. */
    what: string
    /** Why it cannot be said there, or what changes. */
    why: string
  }[]
  /** Whether all devices of the context reach the same, may log in to the same and have the same capabilities; null where undecided, as without devices. */
  sameAccess: boolean | null
}

/** Whose language a policy is to be in, and who its users are there. */
export interface TranslateOptions {
  /** The language of the new text. */
  to: Dialect
  /** Users there by users here. Without it users of Headscale have their mail address as login, and logins that are no users of the context stay. */
  logins?: Record<string, string>
}

/** An entry that is commented out. */
export interface DisabledEntry {
  /** The list that contains it. */
  section: ListSection
  /** 1-based line on which its comment begins. */
  line: number
  /** The offset of that, in UTF-16 units. */
  offset: number
  /** The length of its comments. */
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
 * One document with one context: a plain object that never changes. Each verb gives the same answer as that of `policy`.
 * The examples of its members go on from this one.
 * @example const document = policy.open(text, context)
 */
export interface PolicyDocument {
  /** The text; for an object its canonical layout, in which lines are counted. */
  readonly text: string
  /** What is known besides the text. */
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
   * As `policy.logins`.
   * @example document.logins({ by: 'device' }).by // → 'device'
   */
  logins(options?: AccessOptions): LoginMatrix
  /**
   * As `policy.toJSON`.
   * @example document.toJSON().groups // → { 'group:dev': ['ann@example.com'] }
   */
  toJSON(): ReadPolicy
  /**
   * As `policy.diffAccess`, from this document to another. One that was opened with a context brings it along, as the network after the change;
   * any other is taken in the context of this one.
   * @example document.diffAccess('{"acls": []}')[0].source // → 'ann@example.com'
   */
  diffAccess(after: string | AclPolicy | PolicyDocument): AccessChange[]
  /**
   * As `policy.diffSsh`, from this document to another, which brings its context along.
   * @example document.diffSsh(document) // → []
   */
  diffSsh(after: string | AclPolicy | PolicyDocument): SshChange[]
  /**
   * As `policy.powers`.
   * @example document.powers()[0].what // → 'tag:web'
   */
  powers(): Power[]
  /**
   * As `policy.diffPowers`, from this document to another, which brings its context along.
   * @example document.diffPowers(document) // → []
   */
  diffPowers(after: string | AclPolicy | PolicyDocument): PowerChange[]
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
   * As `policy.review`, from this document to another, which brings its context along.
   * @example document.review(document).unchanged // → true
   */
  review(after: string | AclPolicy | PolicyDocument, options?: Omit<ReviewOptions, 'after'>): PolicyReview
  /**
   * As `policy.translate`.
   * @example document.translate({ to: 'headscale' }).lost
   */
  translate(options: TranslateOptions): Translation
  /**
   * The same document with another text or context.
   * @example document.with({ context: {} }).text === document.text // → true
   */
  with(change: {
    /** The document in place of this one. */
    acl?: string | AclPolicy
    /** The context in place of this one's. */
    context?: PolicyContext
  }): PolicyDocument
}
