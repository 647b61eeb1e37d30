// The entries of logs; wire names, unknown fields kept. Must not live here: calls.

import type { Open } from './wire.js'

/** A time window. */
export interface LogWindow {
  /** Its start, RFC 3339 with an offset. */
  start: string | Date
  /** Its end; exclusive. */
  end: string | Date
}

/** A change of the tailnet's configuration. */
export interface AuditEntry {
  /** When it was made, RFC 3339. */
  eventTime: string
  /** `CONFIG`. */
  type?: string
  /** When it takes effect, if later. */
  deferredAt?: string
  /** Shared by entries of changes made together. */
  eventGroupID?: string
  /** How it was made, such as by the API. */
  origin?: string
  /** `CREATE`, `UPDATE`, `DELETE` and so on. */
  action?: string
  /** Who made the change. */
  actor?: {
    /** The id of a user or a client. */
    id?: string
    /** `USER` and so on. */
    type?: string
    /** Login name; empty if it is not a user. */
    loginName?: string
    /** The name to show. */
    displayName?: string
    /** The tags of a client. */
    tags?: string[]
  }
  /** What was changed. */
  target?: {
    /** Its id. */
    id?: string
    /** The name to show. */
    name?: string
    /** `NODE`, `TAILNET`, `USER` and so on. */
    type?: string
    /** The changed property; absent if it is the whole target. */
    property?: string
    /** Whether it is a device that is removed once it stays offline. */
    isEphemeral?: boolean
  }
  /** The old value. For a policy its whole text. */
  old?: unknown
  /** The new value. */
  new?: unknown
  /** The reason given by the person who made it. */
  actionDetails?: string
  /** Why it failed. */
  error?: string
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** What one device sent and received in a period. */
export interface NetworkFlows {
  /** When it was logged, RFC 3339. */
  logged: string
  /** The device. */
  nodeId: string
  /** The start of the period. */
  start: string
  /** Its end. */
  end: string
  /** Within the tailnet. */
  virtualTraffic?: Traffic[]
  /** Through subnet routers. */
  subnetTraffic?: Traffic[]
  /** Through exit nodes. */
  exitTraffic?: Traffic[]
  /** The connections that carried it. */
  physicalTraffic?: Traffic[]
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** Traffic between two addresses. */
export interface Traffic {
  /** The protocol; a number on the wire. */
  proto?: number | string
  /** The device's `ip:port`. */
  src?: string
  /** The peer's `ip:port`. */
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

/** Which log is streamed: changes, or traffic. */
export type LogType = 'configuration' | 'network'

/** Where a log is streamed to, without secrets. */
export interface LogStream {
  /** Which log it is of: only in answers. */
  logType?: LogType
  /** The kind of collector. */
  destinationType: Open<'splunk' | 'elastic' | 'panther' | 'cribl' | 'crowdstrike' | 'datadog' | 'axiom' | 's3' | 'gcs'>
  /** The address of the collector. */
  url?: string
  /** The user who logs in there. */
  user?: string
  /** Minutes between two uploads, at most 1440. */
  uploadPeriodMinutes?: number
  /** How uploads are compressed. */
  compressionFormat?: Open<'none' | 'zstd' | 'gzip'>
  /** The bucket at S3. */
  s3Bucket?: string
  /** Its region. */
  s3Region?: string
  /** What the names of files begin with. */
  s3KeyPrefix?: string
  /** What the role in the bucket's account expects to be told. */
  s3ExternalId?: string
  /** What else single destinations need: `s3…`, `gcs…`. */
  [field: string]: unknown
}

/** Where a log is to be streamed to. */
export interface NewLogStream extends LogStream {
  /** The user's token: in no answer. */
  token?: string
}

/** How a stream does. */
export interface LogStreamStatus {
  /** When something was last sent, RFC 3339. */
  lastActivity?: string
  /** Why sending last failed. */
  lastError?: string
  /** How many bytes were sent. */
  numBytesSent?: number
  /** How many entries were sent. */
  numEntriesSent?: number
  /** How many requests failed. */
  numFailedRequests?: number
  /** How many requests were made. */
  numTotalRequests?: number
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** What the trust policy of a role at AWS must name. */
export interface AwsExternalId {
  /** The external id. */
  externalId: string
  /** The account that takes the role. */
  tailscaleAwsAccountId: string
  /** Whatever else the service sends. */
  [field: string]: unknown
}
