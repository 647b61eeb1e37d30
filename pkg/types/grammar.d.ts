// The policy as an object, by dialect, as `BLESS=1 cargo test --test policy declared` makes it from the table of keys. Must not live here: verbs, calls.

/**
 * A policy as an object, for whatever takes one; of today's keys and the older ones, in their usual spelling. A misspelt key does not compile: what
 * the types do not know is sent as text. `satisfies TailscalePolicy` or `HeadscalePolicy` holds it to one dialect.
 */
export type AclPolicy = TailscalePolicy | HeadscalePolicy

/**
 * A policy as an object that was read: nobody has checked what is in it, and there may be more than the types know. It can be given to whatever takes a
 * policy; `const known: TailscalePolicy = read` reads it with types.
 */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` could not be given on
export type ReadPolicy = { [Section in keyof TailscalePolicy]?: any } & { [key: string]: unknown }

/** An entry of a list of a policy. */
export type PolicyEntry<Section extends ListSection> = NonNullable<TailscalePolicy[Section]>[number] | NonNullable<HeadscalePolicy[Section]>[number]

/** Sections of a policy that are lists of entries. */
export type ListSection = 'acls' | 'grants' | 'ssh' | 'tests' | 'sshTests' | 'nodeAttrs'

/** The policy file of a tailnet: HuJSON, which is JSON with comments and trailing commas. */
export interface TailscalePolicy {
  /** Rules that let traffic through. Without `acls` and `grants` everyone reaches everything. */
  acls?: readonly TailscaleAcl[] | null
  /** Declarations of custom attributes. */
  attrConfig?: {
    [name: string]: {
      /** Whether a device may set it for itself. */
      allowSetByNode?: boolean | null
      /** Devices that receive it. */
      broadcastToPeers?: unknown
      /** What its values are: `string` or `number`. */
      type?: unknown
      /** Whatever else is written there. */
      [key: string]: unknown
    } | null
  } | null
  /** Who may enable routes, exit nodes and services without approval. */
  autoApprovers?: TailscaleApprovers
  /** Postures for rules that name none of their own. */
  defaultSrcPosture?: readonly string[] | null
  /** Relays of your own. */
  derpMap?: {
    /** Whether the regions of the service are left out. */
    OmitDefaultRegions?: boolean | null
    /** Regions of your own by number, from 900 to 999. */
    Regions?: {
      [name: string]: {
        /** The relays of the region. */
        Nodes?: ReadonlyArray<{
          /** The name in its certificate, if that is not the host's. */
          CertName?: unknown
          /** Its relay port; 443 by default. */
          DERPPort?: unknown
          /** The host of the relay. */
          HostName?: unknown
          /** Its IPv4 address; without it the host is looked up. `none` for none. */
          IPv4?: unknown
          /** Its IPv6 address; without it the host is looked up. `none` for none. */
          IPv6?: unknown
          /** The name of the relay, different from all others. */
          Name?: unknown
          /** The number of the region. */
          RegionID?: unknown
          /** Whether it answers STUN and relays nothing. */
          STUNOnly?: boolean | null
          /** Its STUN port; 3478 by default, none if it is -1. */
          STUNPort?: unknown
          /** Whatever else is written there. */
          [key: string]: unknown
        }> | null
        /** A short name of the region. */
        RegionCode?: unknown
        /** The number of the region. */
        RegionID?: unknown
        /** The name of the region, for people. */
        RegionName?: unknown
        /** Whatever else is written there. */
        [key: string]: unknown
      } | null
    } | null
    /** Whatever else is written there. */
    [key: string]: unknown
  } | null
  /** Whether devices get no IPv4 addresses. */
  disableIPv4?: boolean | null
  /** Rules that let traffic through and give capabilities of applications. */
  grants?: readonly TailscaleGrant[] | null
  /** Groups of users, `group:NAME`, each a list of logins. */
  groups?: { [name: `group:${string}`]: readonly string[] | null } | null
  /** Aliases for addresses and prefixes. */
  hosts?: { [name: string]: string | null } | null
  /** Sets of addresses, `ipset:NAME`: operations `add` and `remove`, in order. */
  ipsets?: { [name: `ipset:${string}`]: readonly string[] | null } | null
  /** Attributes of devices. */
  nodeAttrs?: readonly TailscaleNodeAttr[] | null
  /** How the route to the addresses of the tailnet is written. */
  oneCGNATRoute?: string | null
  /** Conditions for devices, `posture:NAME`, which must all hold. */
  postures?: { [name: `posture:${string}`]: readonly string[] | null } | null
  /** Whether devices use a random port. */
  randomizeClientPort?: boolean | null
  /** Who may log in where, as which accounts. */
  ssh?: readonly TailscaleSsh[] | null
  /** Which logins `ssh` must allow and which not. */
  sshTests?: readonly TailscaleSshTest[] | null
  /** Tags, `tag:NAME`, and who may give them to devices. `[]` is admins only. */
  tagOwners?: { [name: `tag:${string}`]: readonly string[] | null } | null
  /** What the rules must allow and what not: the policy is refused if a test fails. */
  tests?: readonly TailscaleTest[] | null
}

/** An entry of `acls`: Rules that let traffic through. Without `acls` and `grants` everyone reaches everything. */
export interface TailscaleAcl {
  /** Always `accept`: what no rule accepts is dropped. */
  action: 'accept'
  /** What they reach: `HOST:PORTS`, with one port, a range, a list, or `*`. */
  dst?: readonly string[] | null
  /** What they reach: `HOST:PORTS`, with one port, a range, a list, or `*`. Today written `dst`. */
  ports?: readonly string[] | null
  /** The protocol, by name or number. Without it TCP, UDP and ICMP. */
  proto?: string | null
  /** Who may connect: users, groups, tags, addresses, aliases, ipsets, autogroups. */
  src?: readonly string[] | null
  /** Postures of which the source device must have one. Without it `defaultSrcPosture` applies. */
  srcPosture?: readonly string[] | null
  /** Who may connect: users, groups, tags, addresses, aliases, ipsets, autogroups. Today written `src`. */
  users?: readonly string[] | null
}

/** An entry of `grants`: Rules that let traffic through and give capabilities of applications. */
export interface TailscaleGrant {
  /** Capabilities, `DOMAIN/PATH`, each with a list of parameters for the application. */
  app?: { [name: string]: readonly { [name: string]: unknown }[] | null } | null
  /** What they reach; each `ip` and `app` applies to each of these. */
  dst?: readonly string[] | null
  /** Ports, alone or with a protocol: `443`, `80-90`, `tcp:22`, `icmp:*`, `*`. */
  ip?: readonly string[] | null
  /** Who is granted access: users, groups, tags, addresses, aliases, ipsets, autogroups. */
  src?: readonly string[] | null
  /** Postures of which the source device must have one. Without it `defaultSrcPosture` applies. */
  srcPosture?: readonly string[] | null
  /** Tags, one of which a routing device must have to forward the traffic. */
  via?: readonly string[] | null
}

/** An entry of `ssh`: Who may log in where, as which accounts. */
export interface TailscaleSsh {
  /** Variables that are passed on; `*` stands for any characters. */
  acceptEnv?: readonly string[] | null
  /** `accept`, or `check`: after the user has signed in again. */
  action: 'accept' | 'check'
  /** How long a check holds, such as `12h`, at most `168h`; or `always`. */
  checkPeriod?: string | null
  /** Where: tags, users, `autogroup:self`. */
  dst?: readonly string[] | null
  /** Whether sessions without a recorder are refused. */
  enforceRecorder?: boolean | null
  /** Tags of the devices that record sessions. */
  recorder?: readonly string[] | null
  /** Who may log in: users, groups, tags, autogroups. */
  src?: readonly string[] | null
  /** Postures of which the source device must have one. Without it `defaultSrcPosture` applies. */
  srcPosture?: readonly string[] | null
  /** As which accounts: `root`, `autogroup:nonroot`, `localpart:*@DOMAIN`, or by name. */
  users: readonly string[]
}

/** An entry of `tests`: What the rules must allow and what not: the policy is refused if a test fails. */
export interface TailscaleTest {
  /** What the source must reach: `HOST:PORT` with one port. */
  accept?: readonly string[] | null
  /** What the source must reach: `HOST:PORT` with one port. Today written `accept`. */
  allow?: readonly string[] | null
  /** What the source must not reach: `HOST:PORT` with one port. */
  deny?: readonly string[] | null
  /** The protocol: tcp, udp or sctp. Without it a rule for TCP or UDP will do. */
  proto?: string | null
  /** The one source that is tested: a user, group, tag, alias or address. */
  src?: string | null
  /** Attributes that the source device is assumed to have, such as `node:os`. */
  srcPostureAttrs?: { [name: string]: unknown } | null
  /** The one source that is tested: a user, group, tag, alias or address. Today written `src`. */
  user?: string | null
}

/** An entry of `sshTests`: Which logins `ssh` must allow and which not. */
export interface TailscaleSshTest {
  /** Accounts that must be allowed everywhere. */
  accept?: readonly string[] | null
  /** Accounts that must be allowed after a check. */
  check?: readonly string[] | null
  /** Accounts that no rule may allow. */
  deny?: readonly string[] | null
  /** Where: tags, users, or aliases of one address. */
  dst?: readonly string[] | null
  /** Who logs in: a user, group, tag or alias. */
  src?: string | null
  /** Attributes that the source device is assumed to have, such as `node:os`. */
  srcPostureAttrs?: { [name: string]: unknown } | null
}

/** An entry of `nodeAttrs`: Attributes of devices. */
export interface TailscaleNodeAttr {
  /** Applications with their parameters. */
  app?: { [name: string]: unknown } | null
  /** Attributes, such as `funnel`. */
  attr?: readonly string[] | null
  /** Prefixes from which new devices get their addresses. */
  ipPool?: readonly string[] | null
  /** The devices that get the attributes. */
  target?: readonly string[] | null
}

/** Who may enable routes, exit nodes and services without approval. */
export interface TailscaleApprovers {
  /** Who may run exit nodes without approval. */
  exitNode?: readonly string[] | null
  /** Who may enable routes inside a prefix without approval. */
  routes?: { [name: string]: readonly string[] | null } | null
  /** Who may host a service without approval. */
  services?: { [name: string]: readonly string[] | null } | null
}

/** The policy of a Headscale server, from its release 0.29: HuJSON, which is JSON with comments and trailing commas. */
export interface HeadscalePolicy {
  /** Rules that let traffic through. Without `acls` and `grants` everyone reaches everything. */
  acls?: readonly HeadscaleAcl[] | null
  /** Who may enable routes and exit nodes without approval. */
  autoApprovers?: HeadscaleApprovers | null
  /** Rules that let traffic through and give capabilities of applications. */
  grants?: readonly HeadscaleGrant[] | null
  /** Groups of users, `group:NAME`, each a list of users, `NAME@`. */
  groups?: { [name: `group:${string}`]: readonly string[] | null } | null
  /** Aliases for addresses and prefixes. */
  hosts?: { [name: string]: string | null } | null
  /** Attributes of devices. */
  nodeAttrs?: readonly HeadscaleNodeAttr[] | null
  /** Whether devices use a random port. */
  randomizeClientPort?: boolean | null
  /** Who may log in where, as which accounts. */
  ssh?: readonly HeadscaleSsh[] | null
  /** Which logins `ssh` must allow and which not. */
  sshTests?: readonly HeadscaleSshTest[] | null
  /** Tags, `tag:NAME`, and who may give them to devices. `[]` is nobody; an admin may by the API. */
  tagOwners?: { [name: `tag:${string}`]: readonly string[] | null } | null
  /** What the rules must allow and what not: the policy is refused if a test fails. */
  tests?: readonly HeadscaleTest[] | null
}

/** An entry of `acls`: Rules that let traffic through. Without `acls` and `grants` everyone reaches everything. */
export interface HeadscaleAcl {
  /** Always `accept`, which it is without this key too. */
  action?: 'accept' | null
  /** What they reach: `HOST:PORTS`, with one port, a range, a list, or `*`. */
  dst?: readonly string[] | null
  /** The protocol, by name or number. Without it TCP, UDP and ICMP. */
  proto?: string | null
  /** Who may connect: users, groups, tags, addresses, aliases, autogroups. */
  src?: readonly string[] | null
  /** What user interfaces note there. */
  [note: `#${string}`]: unknown
}

/** An entry of `grants`: Rules that let traffic through and give capabilities of applications. */
export interface HeadscaleGrant {
  /** Capabilities, `DOMAIN/PATH`, each with a list of parameters for the application. */
  app?: { [name: string]: readonly { [name: string]: unknown }[] | null } | null
  /** What they reach; each `ip` and `app` applies to each of these. */
  dst?: readonly string[] | null
  /** Ports, alone or with a protocol: `443`, `80-90`, `tcp:80,443`, `icmp:*`, `*`. */
  ip?: readonly string[] | null
  /** Who is granted access: users, groups, tags, addresses, aliases, autogroups. */
  src?: readonly string[] | null
  /** Tags, one of which a routing device must have to forward the traffic. */
  via?: readonly string[] | null
}

/** An entry of `ssh`: Who may log in where, as which accounts. */
export interface HeadscaleSsh {
  /** Variables that are passed on; `*` stands for any characters. */
  acceptEnv?: readonly string[] | null
  /** `accept`, or `check`: after the user has signed in again. */
  action: 'accept' | 'check'
  /** How long a check holds, such as `12h`, at most `168h`; or `always`. */
  checkPeriod?: string | null
  /** Where: tags, users, `autogroup:self`. */
  dst?: readonly string[] | null
  /** Who may log in: users, groups, tags, autogroups. */
  src?: readonly string[] | null
  /** As which accounts: `root`, `autogroup:nonroot`, `localpart:*@DOMAIN`, or by name. */
  users: readonly string[]
}

/** An entry of `tests`: What the rules must allow and what not: the policy is refused if a test fails. */
export interface HeadscaleTest {
  /** What the source must reach: `HOST:PORT` with one port. */
  accept?: readonly string[] | null
  /** What the source must not reach: `HOST:PORT` with one port. */
  deny?: readonly string[] | null
  /** The protocol: tcp, udp or sctp. Without it a rule for TCP or UDP will do. */
  proto?: string | null
  /** The one source that is tested: a user, group, tag, alias or address. */
  src?: string | null
}

/** An entry of `sshTests`: Which logins `ssh` must allow and which not. */
export interface HeadscaleSshTest {
  /** Accounts that must be allowed everywhere. */
  accept?: readonly string[] | null
  /** Accounts that must be allowed after a check. */
  check?: readonly string[] | null
  /** Accounts that no rule may allow. */
  deny?: readonly string[] | null
  /** Where: tags, users, or aliases of one address. */
  dst?: readonly string[] | null
  /** Who logs in: a user, group, tag or alias. */
  src?: string | null
}

/** An entry of `nodeAttrs`: Attributes of devices. */
export interface HeadscaleNodeAttr {
  /** Attributes; `funnel` is refused. */
  attr?: readonly string[] | null
  /** Refused: Headscale gives no addresses by policy. */
  ipPool?: readonly string[] | null
  /** The devices that get the attributes. */
  target?: readonly string[] | null
}

/** Who may enable routes and exit nodes without approval. */
export interface HeadscaleApprovers {
  /** Who may run exit nodes without approval. */
  exitNode?: readonly string[] | null
  /** Who may enable routes inside a prefix without approval. */
  routes?: { [name: string]: readonly string[] | null } | null
}
