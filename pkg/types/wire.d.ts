// What travels between client and service: plain objects, wire names, unknown fields kept, nothing reordered. Must not
// live here: calls, or anything that is computed offline.

import type { ReadPolicy } from './grammar.js'

/** A set of strings that the service may extend: editors complete known ones, others compile. */
export type Open<T extends string> = T | (string & {})

/** Which fields of a device are sent: `default` leaves out routes and connectivity, `all` leaves out nothing. */
export type Fields = 'default' | 'all' | ('default' | 'all')[]

/** A machine of the tailnet. */
export interface Device {
  /** Its id, unique in the service: the only field that an answer must have. */
  id: string
  /** Its other id, which newer services prefer in paths. */
  nodeId?: string
  /** Its addresses in the tailnet. */
  addresses?: string[]
  /** Login name of its user. */
  user?: string
  /** Its name in the tailnet, fully qualified. */
  name?: string
  /** The host name that it reports itself. */
  hostname?: string
  /** Version of its client software. */
  clientVersion?: string
  /** Whether a newer client is available for it. */
  updateAvailable?: boolean
  /** Its operating system. */
  os?: string
  /** When it joined, RFC 3339, UTC. */
  created?: string
  /** When it was last seen, RFC 3339; absent or null while it is connected, and if it was never seen. */
  lastSeen?: string | null
  /** Whether it is connected to the service now. */
  connectedToControl?: boolean
  /** Whether it is removed once it stays offline. */
  isEphemeral?: boolean
  /** Its key for tailnet lock; may be empty. */
  tailnetLockKey?: string
  /** Its error of tailnet lock; '' if it is signed. */
  tailnetLockError?: string
  /** Whether its key never expires. */
  keyExpiryDisabled?: boolean
  /** When its key expires, RFC 3339. */
  expires?: string
  /** Whether it is admitted to the tailnet. */
  authorized?: boolean
  /** Whether it belongs to another tailnet and is shared into this one. */
  isExternal?: boolean
  /** Its public machine key, `mkey:…`. */
  machineKey?: string
  /** Its public node key, `nodekey:…`. */
  nodeKey?: string
  /** Whether it refuses connections from the tailnet. */
  blocksIncomingConnections?: boolean
  /** Routes that are enabled, as CIDR; with fields `all`. */
  enabledRoutes?: string[]
  /** Routes that it advertises, as CIDR; with fields `all`. */
  advertisedRoutes?: string[]
  /** How it is connected; with fields `all`. */
  clientConnectivity?: ClientConnectivity | null
  /** Whether it accepts SSH connections by policy; with fields `all`. */
  sshEnabled?: boolean
  /** True if two machines use its key now; with fields `all`. */
  multipleConnections?: boolean
  /** Its Linux distribution; with fields `all`. */
  distro?: {
    /** Its name. */
    name?: string
    /** Its version. */
    version?: string
    /** Its code name. */
    codeName?: string
  }
  /** What identifies the hardware, if that is collected; with fields `all`. */
  postureIdentity?: {
    /** True if the device did not opt in. */
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
  /** The relay that it prefers; may be empty. */
  derp?: string
  /** Whether its NAT mapping depends on the destination. */
  mappingVariesByDestIP?: boolean | null
  /** Latency by the name of the relay region. */
  latency?: Record<
    string,
    {
      /** Milliseconds. */
      latencyMs: number
      /** Whether this is the region it prefers. */
      preferred?: boolean
    }
  >
  /** What its network supports. */
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

/** Which devices: all conditions must hold; strings are compared exactly; of a list every value must be present. */
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
  /** By key; keys of the service do not begin with `custom:`. */
  attributes: Record<string, AttributeValue>
  /** When attributes expire, for those that do, RFC 3339. */
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
        /** When it expires; never if absent. */
        expiry?: string | Date
      } | null
    >
  >
  /** Why, for the audit log. */
  comment?: string
}

/** The subnet routes of a device, as CIDR. */
export interface Routes {
  /** What the device advertises. */
  advertisedRoutes: string[]
  /** What is enabled; need not be advertised yet. */
  enabledRoutes: string[]
}

/** The DNS servers of a tailnet. */
export interface Nameservers {
  /** Their addresses, in order. */
  dns: string[]
}

/** The DNS settings of a tailnet. */
export interface DnsPreferences {
  /** Whether devices can be reached by name. Needs a nameserver. */
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
  /** Whether even devices that use an exit node ask it. */
  useWithExitNode?: boolean
}

/** All DNS settings. False and empty members are absent in answers. */
export interface DnsConfiguration {
  /** The global DNS servers, in order. */
  nameservers?: DnsResolver[]
  /** The servers for single domains. */
  splitDNS?: Record<string, DnsResolver[] | null>
  /** Domain names, in order. */
  searchPaths?: string[]
  /** Preferences. */
  preferences?: {
    /** Whether devices can be reached by name. Needs a nameserver. */
    magicDNS?: boolean
    /** Whether the global servers replace those of the device's local network. */
    overrideLocalDNS?: boolean
  }
}

/** A policy as its authors wrote it, comments included. */
export interface AclText {
  /** Which of the two forms this is. */
  format: 'hujson'
  /** The document, byte for byte. */
  text: string
  /** For `ifMatch`; null if the service sent none or the page may not read it. */
  etag: string | null
}

/** A policy in its parsed form. Never write it back: comments, and on some services content, are lost. */
export interface AclJson {
  /** Which of the two forms this is. */
  format: 'json'
  /** The document, lower-case keys. */
  policy: ReadPolicy
  /** For `ifMatch`; null if the service sent none or the page may not read it. */
  etag: string | null
}

/** Which stored policy another one replaces. */
export type AclReplaced =
  | {
      /** The one with this ETag, quoted or bare; `ts-default`: only if the policy was never set. */
      ifMatch: string | null
    }
  | {
      /** Whatever is there. */
      overwrite: true
    }

/** A policy with what the service says about it. */
export interface AclDetails {
  /** The document, byte for byte. */
  text: string
  /** For `ifMatch`; null if the service sent none or the page may not read it. */
  etag: string | null
  /** Warnings. */
  warnings: string[]
  /** Errors. */
  errors: string[]
}

/** A test of a policy. */
export interface PolicyTest {
  /** The source. */
  src: string
  /** Destinations that must be reached, `dst:port`. */
  accept?: string[]
  /** Destinations that must not be reached. */
  deny?: string[]
  /** The protocol; TCP and UDP if absent. */
  proto?: string
  /** Posture attributes of the source. */
  srcPostureAttrs?: Record<string, AttributeValue>
}

/** How the service judges a policy or tests. */
export interface AclValidation {
  /** `invalid`: the service would refuse the policy. Warnings do not prevent saving. */
  outcome: 'valid' | 'warnings' | 'tests_failed' | 'invalid'
  /** The service's own words. */
  message: string | null
  /** Details by test or name. */
  data: {
    /** The user or name that it is about. */
    user: string
    /** Why a test failed. */
    errors: string[]
    /** Warnings. */
    warnings: string[]
  }[]
}

/** The value of a posture attribute. */
export type AttributeValue = string | number | boolean

/** The rules that concern one user, or one address and port. */
export interface AclPreview {
  /** The question as asked, also for an `ip:port`; filled in if the service no longer sends it. */
  user: string
  /** The kind of question. Only newer services send it. */
  type?: Open<'user' | 'ipport'>
  /** The question under its newer name. Only newer services send it. */
  previewFor?: string
  /** The rules, in the order of the document. */
  matches: {
    /** The sources of the rule, as written. */
    users: string[]
    /** Its destinations, as written; those of a grant as `dst:port`, or `dst:proto:port` if it is not TCP and UDP. */
    ports: string[]
    /** Line of the rule in the text, from 1; that of its `{` if it takes several. */
    lineNumber: number | null
    /** Tags of a grant's `via`: only devices with one of them forward. Only newer services send it. */
    via?: string[]
    /** Names of postures, one of which a source must have. Only newer services send it. */
    postures?: string[]
  }[]
  /** The conditions of those postures. */
  postures?: Record<string, string[]>
}

/** An invite to make. */
export interface NewDeviceInvite {
  /** Whether more than one may accept it. */
  multiUse?: boolean
  /** Whether who accepts it may use the device as exit node. */
  allowExitNode?: boolean
  /** Whom it is mailed to; nobody by default. */
  email?: string
}

/** An invite to share a device. Its numbers may be larger than JavaScript keeps exactly. */
export interface DeviceInvite {
  /** Its id: digits. */
  id: string
  /** When it was made, RFC 3339. */
  created?: string
  /** The number of the tailnet. */
  tailnetId?: number
  /** The number of the device. */
  deviceId?: number
  /** The number of the user who made it. */
  sharerId?: number
  /** Whether more than one may accept it. */
  multiUse?: boolean
  /** Whether who accepts it may use the device as exit node. */
  allowExitNode?: boolean
  /** Whom it was mailed to. */
  email?: string
  /** When it was last mailed. */
  lastEmailSentAt?: string
  /** The address under which it is accepted: a secret. */
  inviteUrl?: string
  /** Whether it was accepted. */
  accepted?: boolean
  /** Who accepted it last. */
  acceptedBy?: InvitedUser
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** Who accepted an invite. */
export interface InvitedUser {
  /** Their id. */
  id?: string
  /** Their login. */
  loginName?: string
  /** Their name. */
  displayName?: string
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** What was accepted. */
export interface AcceptedInvite {
  /** The device that is shared now, as far as the service shows it. */
  device?: Record<string, unknown>
  /** Who accepted the invite. */
  acceptedBy?: InvitedUser
  /** Whatever else the service sends. */
  [field: string]: unknown
}
