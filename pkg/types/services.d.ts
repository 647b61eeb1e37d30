// Services: names with addresses of their own; wire names, unknown fields kept. Must not live here: calls.

import type { Open } from './wire.js'

/** The name of a service. */
export type ServiceName = `svc:${string}`

/** A service to create or replace. */
export interface NewVIPService {
  /** Its name; another name than the present one renames it. */
  name?: ServiceName
  /** For a new service at most one IPv4 address; for an existing one an IPv4 and an IPv6 address. */
  addrs?: string[]
  /** A comment. */
  comment?: string
  /** The name to show; at most 64 characters. */
  displayName?: string
  /** `tcp:443` and so on; `do-not-validate` for any port. */
  ports: string[]
  /** Its tags, which need an owner in the policy. */
  tags?: string[]
  /** Annotations for programs. */
  annotations?: Record<string, string>
}

/** A service. */
export interface VIPService extends NewVIPService {
  /** Its name. */
  name: ServiceName
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** A device that serves a service, or could. */
export interface ServiceHost {
  /** Its `nodeId`, by the name of the service's description. */
  stableNodeID: string
  /** Its `nodeId`, by the name that the service was seen to use; it may be the only one of the two. */
  nodeId?: string
  /** Whether it is approved, and by whom. */
  approvalLevel?: Open<'not-approved' | 'approved:auto' | 'approved:manual'>
  /** How far it is configured; `ready` at the end. */
  configured?: string
  /** Whatever else the service sends. */
  [field: string]: unknown
}
