// Posture integrations: providers that report on devices to the service; wire names, unknown fields kept. Must not live here: calls.

import type { Open } from './wire.js'

/** A posture integration to make. */
export interface NewPostureIntegration {
  /** The provider; there is at most one integration of each. */
  provider: 'falcon' | 'fleet' | 'huntress' | 'intune' | 'jamfpro' | 'kandji' | 'kolide' | 'sentinelone'
  /** The provider's region or URL, in its own form. */
  cloudId?: string
  /** The client id at the provider. */
  clientId?: string
  /** The tenant id at the provider. */
  tenantId?: string
  /** The secret for the provider; never returned. */
  clientSecret?: string
}

/** A posture integration. */
export interface PostureIntegration {
  /** Its id. */
  id: string
  /** The provider. */
  provider: Open<NewPostureIntegration['provider']>
  /** The provider's region or URL, in its own form. */
  cloudId?: string
  /** The client id at the provider. */
  clientId?: string
  /** The tenant id at the provider. */
  tenantId?: string
  /** When the configuration was last changed, RFC 3339. */
  configUpdated?: string
  /** The state of the synchronization. */
  status?: {
    /** When it last ran. */
    lastSync?: string
    /** Why it failed. */
    error?: string
    /** How many devices the provider knows. */
    providerHostCount?: number
    /** How many of them are devices of the tailnet. */
    matchedCount?: number
    /** How many may be. */
    possibleMatchedCount?: number
  }
  /** Whatever else the service sends. */
  [field: string]: unknown
}
