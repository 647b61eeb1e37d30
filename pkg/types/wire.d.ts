// What travels between client and service: plain objects, wire names, unknown fields kept, nothing reordered. Must not
// live here: calls, or anything that is computed offline.

/** A set of words that the service may extend: known ones complete in an editor, others compile. */
export type Open<T extends string> = T | (string & {});

/** Which fields a device comes with: `default` leaves out routes and connectivity, `all` leaves out nothing. */
export type Fields = 'default' | 'all' | ('default' | 'all')[];

/** A machine of the tailnet. */
export interface Device {
  /** Its id, unique in the service: the only field a reply must carry. */
  id: string;
  /** Its other id, which newer services prefer in paths. */
  nodeId?: string;
  /** Its addresses in the tailnet. */
  addresses?: string[];
  /** Login name of its owner. */
  user?: string;
  /** Its name in the tailnet, fully qualified. */
  name?: string;
  /** The name it reports itself. */
  hostname?: string;
  /** Version of its client software. */
  clientVersion?: string;
  /** Whether a newer client is there for it. */
  updateAvailable?: boolean;
  /** Its operating system. */
  os?: string;
  /** When it joined, RFC 3339, UTC. */
  created?: string;
  /** When it was last seen, RFC 3339 with an offset. */
  lastSeen?: string;
  /** Whether its key never expires. */
  keyExpiryDisabled?: boolean;
  /** When its key expires, RFC 3339. */
  expires?: string;
  /** Whether it may take part in the tailnet. */
  authorized?: boolean;
  /** Whether it belongs to another tailnet and is shared into this one. */
  isExternal?: boolean;
  /** Its public machine key, `mkey:…`. */
  machineKey?: string;
  /** Its public node key, `nodekey:…`. */
  nodeKey?: string;
  /** Whether it refuses connections from the tailnet. */
  blocksIncomingConnections?: boolean;
  /** Routes that are let through, as CIDR; with fields `all`. */
  enabledRoutes?: string[];
  /** Routes that it offers, as CIDR; with fields `all`. */
  advertisedRoutes?: string[];
  /** How it is connected; with fields `all`. */
  clientConnectivity?: ClientConnectivity | null;
  /** Its tags. A device with tags has no user. Not in the specification; today's service sends it. */
  tags?: string[];
  /** Whatever else the service sends. */
  [field: string]: unknown;
}

/** How a device is connected. */
export interface ClientConnectivity {
  /** Its public endpoints, `ip:port`. */
  endpoints?: string[];
  /** The relay it prefers; may be empty. */
  derp?: string;
  /** Whether its NAT maps differently for each destination. */
  mappingVariesByDestIP?: boolean | null;
  /** Round trips by the name of the relay region. */
  latency?: Record<string, {
    /** Milliseconds. */
    latencyMs: number;
    /** Whether this is the region it prefers. */
    preferred?: boolean;
  }>;
  /** What its network lets it do. */
  clientSupports?: {
    /** Whether its router lets it reach itself by its public address. */
    hairPinning?: boolean | null;
    /** Whether it has IPv6. */
    ipv6?: boolean | null;
    /** Whether its router speaks PCP. */
    pcp?: boolean | null;
    /** Whether its router speaks NAT-PMP. */
    pmp?: boolean | null;
    /** Whether UDP gets through. */
    udp?: boolean | null;
    /** Whether its router speaks UPnP. */
    upnp?: boolean | null;
  };
  /** Whatever else the service sends. */
  [field: string]: unknown;
}

/** The subnet routes of a device, as CIDR. */
export interface Routes {
  /** What the device offers. */
  advertisedRoutes: string[];
  /** What is let through; need not be advertised yet. */
  enabledRoutes: string[];
}

/** The DNS servers of a tailnet. */
export interface Nameservers {
  /** Their addresses, in order. */
  dns: string[];
}

/** The DNS settings of a tailnet. */
export interface DnsPreferences {
  /** Whether devices are reached by name. Needs a nameserver. */
  magicDNS: boolean;
}

/** The DNS search domains of a tailnet. */
export interface SearchPaths {
  /** Domain names, in order. */
  searchPaths: string[];
}

/** A policy as its authors wrote it, comments included. */
export interface AclText {
  /** Which of the two forms this is. */
  format: 'hujson';
  /** The document, byte for byte. */
  text: string;
  /** For `ifMatch`; null where the service sent none or the page may not read it. */
  etag: string | null;
}

/** A policy in its parsed form. Never write it back: comments, and on some services content, are lost. */
export interface AclJson {
  /** Which of the two forms this is. */
  format: 'json';
  /** The document, lower-case keys. */
  policy: AclPolicy;
  /** For `ifMatch`; null where the service sent none or the page may not read it. */
  etag: string | null;
}

/** A policy as an object. Either spelling, either grammar; unknown keys kept. */
export type AclPolicy = Record<string, unknown>;

/** What a posture may be asked of: an attribute of a device. */
export type AttributeValue = string | number | boolean;

/** The rules that concern one user, or one address and port. */
export interface AclPreview {
  /** The question as asked, an `ip:port` too; filled in where the service no longer says it. */
  user: string;
  /** What kind of question it was. Only newer services say. */
  type?: Open<'user' | 'ipport'>;
  /** The question under its newer name. Only newer services say. */
  previewFor?: string;
  /** The rules, in the order of the document. */
  matches: {
    /** The sources of the rule, as written. */
    users: string[];
    /** Its destinations, as written; a grant's as `dst:port`, or `dst:proto:port` where it is not TCP and UDP. */
    ports: string[];
    /** Line of the rule in the text, from 1; of its `{` where it takes several. */
    lineNumber: number | null;
    /** Tags of a grant's `via`: it holds only by way of devices that carry one. Only newer services say. */
    via?: string[];
    /** Names of the postures of which a source must have one. Only newer services say. */
    postures?: string[];
  }[];
  /** The conditions of those postures. */
  postures?: Record<string, string[]>;
}
