// What logs hold; wire names, unknown fields kept. Must not live here: calls.

/** From when to when. */
export interface LogWindow {
  /** From when, RFC 3339 with an offset. */
  start: string | Date
  /** To when; before it. */
  end: string | Date
}

/** A change of the tailnet's configuration. */
export interface AuditEntry {
  /** When it was made, RFC 3339. */
  eventTime: string
  /** `CONFIG`. */
  type?: string
  /** When it takes effect, where that is later. */
  deferredAt?: string
  /** What was done together has the same. */
  eventGroupID?: string
  /** By which way it was made. */
  origin?: string
  /** `CREATE`, `UPDATE`, `DELETE` and so on. */
  action?: string
  /** Who made it. */
  actor?: {
    /** The id of a user or a client. */
    id?: string
    /** `USER` and so on. */
    type?: string
    /** Login name; empty where it is no user. */
    loginName?: string
    /** What people call them. */
    displayName?: string
    /** The tags of a client. */
    tags?: string[]
  }
  /** What was changed. */
  target?: {
    /** Its id. */
    id?: string
    /** What people call it. */
    name?: string
    /** `NODE`, `TAILNET`, `USER` and so on. */
    type?: string
    /** What of it, where not the whole. */
    property?: string
    /** Whether it is a device that goes when it falls silent. */
    isEphemeral?: boolean
  }
  /** What was there before. A policy is here with its whole text. */
  old?: unknown
  /** What is there now. */
  new?: unknown
  /** What the person who made it said. */
  actionDetails?: string
  /** Why it failed. */
  error?: string
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** What one device sent and got in a while. */
export interface NetworkFlows {
  /** When it was told, RFC 3339. */
  logged: string
  /** The device. */
  nodeId: string
  /** When the while began. */
  start: string
  /** When it ended. */
  end: string
  /** Within the tailnet. */
  virtualTraffic?: Traffic[]
  /** By way of subnet routers. */
  subnetTraffic?: Traffic[]
  /** By way of exit nodes. */
  exitTraffic?: Traffic[]
  /** What carried it. */
  physicalTraffic?: Traffic[]
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** What went between two addresses. */
export interface Traffic {
  /** The protocol; on the wire a number. */
  proto?: number | string
  /** `ip:port` on the side of the device. */
  src?: string
  /** `ip:port` on the other side. */
  dst?: string
  /** Packets sent. */
  txPkts?: number
  /** Bytes sent. */
  txBytes?: number
  /** Packets received. */
  rxPkts?: number
  /** Bytes received. */
  rxBytes?: number
}
