// Posture integrations: services that tell this one about devices; wire names, unknown fields kept. Must not live here: calls.

import type { Open } from './wire.js'

/** A posture integration to make. */
export interface NewPostureIntegration {
  /** Who it is; there is one of each. */
  provider: 'falcon' | 'fleet' | 'huntress' | 'intune' | 'jamfpro' | 'kandji' | 'kolide' | 'sentinelone'
  /** Where it is, in its own words. */
  cloudId?: string
  /** As whom it is asked. */
  clientId?: string
  /** For whom. */
  tenantId?: string
  /** With which secret; never answered. */
  clientSecret?: string
}

/** A posture integration. */
export interface PostureIntegration {
  /** Its id. */
  id: string
  /** Who it is. */
  provider: Open<NewPostureIntegration['provider']>
  /** Where it is, in its own words. */
  cloudId?: string
  /** As whom it is asked. */
  clientId?: string
  /** For whom. */
  tenantId?: string
  /** When any of this was changed last, RFC 3339. */
  configUpdated?: string
  /** What came of it. */
  status?: {
    /** When it was asked last. */
    lastSync?: string
    /** Why that failed. */
    error?: string
    /** How many devices it knows. */
    providerHostCount?: number
    /** How many of them are devices of the tailnet. */
    matchedCount?: number
    /** How many might be. */
    possibleMatchedCount?: number
  }
  /** Whatever else the service sends. */
  [field: string]: unknown
}
