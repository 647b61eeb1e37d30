// What travels between client and service: plain objects, wire names, unknown fields kept, nothing reordered. Must not
// live here: calls, or anything that is computed offline.

/** A set of words that the service may extend: known ones complete in an editor, others compile. */
export type Open<T extends string> = T | (string & {})

/** Which fields a device comes with: `default` leaves out routes and connectivity, `all` leaves out nothing. */
export type Fields = 'default' | 'all' | ('default' | 'all')[]

/** A machine of the tailnet. */
export interface Device {
  /** Its id, unique in the service: the only field a reply must carry. */
  id: string
  /** Its other id, which newer services prefer in paths. */
  nodeId?: string
  /** Its addresses in the tailnet. */
  addresses?: string[]
  /** Login name of its owner. */
  user?: string
  /** Its name in the tailnet, fully qualified. */
  name?: string
  /** The name it reports itself. */
  hostname?: string
  /** Version of its client software. */
  clientVersion?: string
  /** Whether a newer client is there for it. */
  updateAvailable?: boolean
  /** Its operating system. */
  os?: string
  /** When it joined, RFC 3339, UTC. */
  created?: string
  /** When it was last seen, RFC 3339; absent or null while it is connected, and where it never was. */
  lastSeen?: string | null
  /** Whether it is connected to the service now. */
  connectedToControl?: boolean
  /** Whether it goes when it falls silent. */
  isEphemeral?: boolean
  /** Its key of the tailnet lock; may be empty. */
  tailnetLockKey?: string
  /** What the tailnet lock has against it; '' where it is signed. */
  tailnetLockError?: string
  /** Whether its key never expires. */
  keyExpiryDisabled?: boolean
  /** When its key expires, RFC 3339. */
  expires?: string
  /** Whether it may take part in the tailnet. */
  authorized?: boolean
  /** Whether it belongs to another tailnet and is shared into this one. */
  isExternal?: boolean
  /** Its public machine key, `mkey:…`. */
  machineKey?: string
  /** Its public node key, `nodekey:…`. */
  nodeKey?: string
  /** Whether it refuses connections from the tailnet. */
  blocksIncomingConnections?: boolean
  /** Routes that are let through, as CIDR; with fields `all`. */
  enabledRoutes?: string[]
  /** Routes that it offers, as CIDR; with fields `all`. */
  advertisedRoutes?: string[]
  /** How it is connected; with fields `all`. */
  clientConnectivity?: ClientConnectivity | null
  /** Whether it takes SSH connections by policy; with fields `all`. */
  sshEnabled?: boolean
  /** True where two machines use its key now; with fields `all`. */
  multipleConnections?: boolean
  /** The distribution of its Linux; with fields `all`. */
  distro?: {
    /** Its name. */
    name?: string
    /** Its version. */
    version?: string
    /** Its code name. */
    codeName?: string
  }
  /** What identifies the hardware, where that is collected; with fields `all`. */
  postureIdentity?: {
    /** True where the device did not opt in. */
    disabled?: boolean
    /** Its serial numbers. */
    serialNumbers?: string[]
  }
  /** Its tags. A device with tags has no user. */
  tags?: string[]
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** How a device is connected. */
export interface ClientConnectivity {
  /** Its public endpoints, `ip:port`. */
  endpoints?: string[]
  /** The relay it prefers; may be empty. */
  derp?: string
  /** Whether its NAT maps differently for each destination. */
  mappingVariesByDestIP?: boolean | null
  /** Round trips by the name of the relay region. */
  latency?: Record<
    string,
    {
      /** Milliseconds. */
      latencyMs: number
      /** Whether this is the region it prefers. */
      preferred?: boolean
    }
  >
  /** What its network lets it do. */
  clientSupports?: {
    /** Whether its router lets it reach itself by its public address. */
    hairPinning?: boolean | null
    /** Whether it has IPv6. */
    ipv6?: boolean | null
    /** Whether its router speaks PCP. */
    pcp?: boolean | null
    /** Whether its router speaks NAT-PMP. */
    pmp?: boolean | null
    /** Whether UDP gets through. */
    udp?: boolean | null
    /** Whether its router speaks UPnP. */
    upnp?: boolean | null
  }
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** Which devices: all must hold; texts are compared exactly; of a list all values must be there. */
export interface DeviceFilter {
  /** As `Device.id`. */
  id?: string
  /** As `Device.nodeId`. */
  nodeId?: string
  /** As `Device.user`. */
  user?: string
  /** As `Device.name`. */
  name?: string
  /** As `Device.hostname`. */
  hostname?: string
  /** As `Device.os`. */
  os?: string
  /** As `Device.clientVersion`. */
  clientVersion?: string
  /** As `Device.created`. */
  created?: string
  /** As `Device.expires`. */
  expires?: string
  /** As `Device.lastSeen`. */
  lastSeen?: string
  /** As `Device.machineKey`. */
  machineKey?: string
  /** As `Device.nodeKey`. */
  nodeKey?: string
  /** As `Device.tailnetLockKey`. */
  tailnetLockKey?: string
  /** As `Device.tailnetLockError`. */
  tailnetLockError?: string
  /** As `Device.authorized`; absent counts as false. */
  authorized?: boolean
  /** As `Device.blocksIncomingConnections`; absent counts as false. */
  blocksIncomingConnections?: boolean
  /** As `Device.connectedToControl`; absent counts as false. */
  connectedToControl?: boolean
  /** As `Device.isEphemeral`; absent counts as false. */
  isEphemeral?: boolean
  /** As `Device.isExternal`; absent counts as false. */
  isExternal?: boolean
  /** As `Device.keyExpiryDisabled`; absent counts as false. */
  keyExpiryDisabled?: boolean
  /** As `Device.multipleConnections`; absent counts as false. */
  multipleConnections?: boolean
  /** As `Device.sshEnabled`; absent counts as false. */
  sshEnabled?: boolean
  /** As `Device.updateAvailable`; absent counts as false. */
  updateAvailable?: boolean
  /** Values that must be in `Device.addresses`. */
  addresses?: string | string[]
  /** Values that must be in `Device.tags`. */
  tags?: string | string[]
  /** Values that must be in `Device.enabledRoutes`. */
  enabledRoutes?: string | string[]
  /** Values that must be in `Device.advertisedRoutes`. */
  advertisedRoutes?: string | string[]
}

/** The key of an attribute that callers may write. */
export type AttributeKey = `custom:${string}`

/** The posture attributes of a device. */
export interface DeviceAttributes {
  /** By key; the service's own have other prefixes than `custom:`. */
  attributes: Record<string, AttributeValue>
  /** When those end that do, RFC 3339. */
  expiries?: Record<string, string>
}

/** Changes of attributes of many devices. */
export interface AttributeBatch {
  /** By device and key; null removes, what is not named stays. */
  nodes: Record<
    string,
    Record<
      AttributeKey,
      {
        /** The value. */
        value: AttributeValue
        /** When it ends; never where absent. */
        expiry?: string | Date
      } | null
    >
  >
  /** Why, for the audit log. */
  comment?: string
}

/** The subnet routes of a device, as CIDR. */
export interface Routes {
  /** What the device offers. */
  advertisedRoutes: string[]
  /** What is let through; need not be advertised yet. */
  enabledRoutes: string[]
}

/** The DNS servers of a tailnet. */
export interface Nameservers {
  /** Their addresses, in order. */
  dns: string[]
}

/** The DNS settings of a tailnet. */
export interface DnsPreferences {
  /** Whether devices are reached by name. Needs a nameserver. */
  magicDNS: boolean
}

/** The DNS search domains of a tailnet. */
export interface SearchPaths {
  /** Domain names, in order. */
  searchPaths: string[]
}

/** Addresses of resolvers by domain. */
export type SplitDns = Record<string, string[]>

/** A DNS server. */
export interface DnsResolver {
  /** Its address. */
  address: string
  /** Whether it is asked even by devices that use an exit node. */
  useWithExitNode?: boolean
}

/** All DNS settings. False and empty members come back absent. */
export interface DnsConfiguration {
  /** The global DNS servers, in order. */
  nameservers?: DnsResolver[]
  /** Those of single domains. */
  splitDNS?: Record<string, DnsResolver[] | null>
  /** Domain names, in order. */
  searchPaths?: string[]
  /** Switches. */
  preferences?: {
    /** Whether devices are reached by name. Needs a nameserver. */
    magicDNS?: boolean
    /** Whether the global servers replace those of the device's own network. */
    overrideLocalDNS?: boolean
  }
}

/** A policy as its authors wrote it, comments included. */
export interface AclText {
  /** Which of the two forms this is. */
  format: 'hujson'
  /** The document, byte for byte. */
  text: string
  /** For `ifMatch`; null where the service sent none or the page may not read it. */
  etag: string | null
}

/** A policy in its parsed form. Never write it back: comments, and on some services content, are lost. */
export interface AclJson {
  /** Which of the two forms this is. */
  format: 'json'
  /** The document, lower-case keys. */
  policy: AclPolicy
  /** For `ifMatch`; null where the service sent none or the page may not read it. */
  etag: string | null
}

/** A policy with what the service says about it. */
export interface AclDetails {
  /** The document, byte for byte. */
  text: string
  /** For `ifMatch`; null where the service sent none or the page may not read it. */
  etag: string | null
  /** What is questionable. */
  warnings: string[]
  /** What is wrong. */
  errors: string[]
}

/** A test of a policy. */
export interface PolicyTest {
  /** Who connects. */
  src: string
  /** Where to that must succeed, `dst:port`. */
  accept?: string[]
  /** Where to that must fail. */
  deny?: string[]
  /** The protocol; TCP and UDP where absent. */
  proto?: string
  /** Posture attributes of the source. */
  srcPostureAttrs?: Record<string, AttributeValue>
}

/** How the service judges a policy or tests. */
export interface AclValidation {
  /** `invalid`: the service would not take the policy. Warnings do not stop it. */
  outcome: 'valid' | 'warnings' | 'tests_failed' | 'invalid'
  /** The service's own words. */
  message: string | null
  /** Single tests or names. */
  data: {
    /** Whom or what it is about. */
    user: string
    /** How a test failed. */
    errors: string[]
    /** What does not stop the policy. */
    warnings: string[]
  }[]
}

/** A policy as an object. Either spelling, either grammar; unknown keys kept. */
export type AclPolicy = Record<string, unknown>

/** What a posture may be asked of: an attribute of a device. */
export type AttributeValue = string | number | boolean

/** The rules that concern one user, or one address and port. */
export interface AclPreview {
  /** The question as asked, an `ip:port` too; filled in where the service no longer says it. */
  user: string
  /** What kind of question it was. Only newer services say. */
  type?: Open<'user' | 'ipport'>
  /** The question under its newer name. Only newer services say. */
  previewFor?: string
  /** The rules, in the order of the document. */
  matches: {
    /** The sources of the rule, as written. */
    users: string[]
    /** Its destinations, as written; a grant's as `dst:port`, or `dst:proto:port` where it is not TCP and UDP. */
    ports: string[]
    /** Line of the rule in the text, from 1; of its `{` where it takes several. */
    lineNumber: number | null
    /** Tags of a grant's `via`: it holds only by way of devices that carry one. Only newer services say. */
    via?: string[]
    /** Names of the postures of which a source must have one. Only newer services say. */
    postures?: string[]
  }[]
  /** The conditions of those postures. */
  postures?: Record<string, string[]>
}
