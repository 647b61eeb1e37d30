// Services: names with addresses of their own; wire names, unknown fields kept. Must not live here: calls.

import type { Open } from './wire.js'

/** The name of a service. */
export type ServiceName = `svc:${string}`

/** A service to make, or to put in place of one. */
export interface NewVIPService {
  /** Its name; another than the one it has renames it. */
  name?: ServiceName
  /** For a new one none or one IPv4 address; for one that is there an IPv4 and an IPv6 address. */
  addrs?: string[]
  /** What people say of it. */
  comment?: string
  /** What people call it; at most 64 characters. */
  displayName?: string
  /** `tcp:443` and so on; `do-not-validate` for any. */
  ports: string[]
  /** Its tags, which need an owner in the policy. */
  tags?: string[]
  /** What programs say of it. */
  annotations?: Record<string, string>
}

/** A service. */
export interface VIPService extends NewVIPService {
  /** Its name. */
  name: ServiceName
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** A device that answers for a service, or would. */
export interface ServiceHost {
  /** Its `nodeId`. */
  stableNodeID: string
  /** Whether it may, and who said so. */
  approvalLevel?: Open<'not-approved' | 'approved:auto' | 'approved:manual'>
  /** How far it has got; `ready` in the end. */
  configured?: string
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** Whether a device may answer for a service. */
export interface ServiceApproval {
  /** Whether it may. */
  approved: boolean
  /** Whether the policy says so. */
  autoApproved: boolean
}
