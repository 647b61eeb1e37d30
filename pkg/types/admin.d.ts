// What an administrator's calls carry: keys, users, settings; wire names, unknown fields kept. Must not live here: calls.

import type { Open } from './wire.js'

/** What a token may do; each area also for reading alone. */
export type ScopeArea =
  | 'devices:core'
  | 'devices:routes'
  | 'devices:posture_attributes'
  | 'device_invites'
  | 'policy_file'
  | 'dns'
  | 'auth_keys'
  | 'oauth_keys'
  | 'federated_keys'
  | 'api_access_tokens'
  | 'users'
  | 'feature_settings'
  | 'networking_settings'
  | 'account_settings'
  | 'webhooks'
  | 'services'
  | 'oauth_apps'
  | 'tailnets'
  | 'logs:network'
  | 'log_streaming'
  | 'all'

/** An area, or the reading of one. */
export type Scope = ScopeArea | `${ScopeArea}:read` | 'logs:configuration:read'

/** A key, token, OAuth client or federated identity. */
export interface Key {
  /** Its id. */
  id: string
  /** Which of the four it is. */
  keyType?: Open<'auth' | 'api' | 'client' | 'federated'>
  /** What people call it. */
  description?: string
  /** Its owner; absent or empty where it belongs to the tailnet. */
  userId?: string
  /** The secret: in the answer to `create` only. */
  key?: string
  /** When it was made, RFC 3339. */
  created?: string
  /** When it was changed last. */
  updated?: string
  /** When it ends. */
  expires?: string
  /** How long it was to live when it was made; no countdown. */
  expirySeconds?: number
  /** When it was revoked. */
  revoked?: string
  /** True for a key that is dead: deleted, expired or used up. */
  invalid?: boolean
  /** What an auth key lets a device do. */
  capabilities?: KeyCapabilities
  /** What a client's tokens may do. */
  scopes?: Open<Scope>[]
  /** Tags of a client, or that its devices get. */
  tags?: string[]
  /** Who vouches for a federated identity. */
  issuer?: string
  /** Whom it vouches for; may hold `*`. */
  subject?: string
  /** Whom the tokens of the issuer are for. */
  audience?: string
  /** Patterns for further claims. */
  customClaimRules?: Record<string, string>
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** What an auth key lets a device do. */
export interface KeyCapabilities {
  /** About devices. */
  devices: {
    /** Joining. */
    create?: {
      /** Whether the key is good for more than one device. */
      reusable?: boolean
      /** Whether the devices go when they fall silent. */
      ephemeral?: boolean
      /** Whether they need no approval. */
      preauthorized?: boolean
      /** The tags they get. */
      tags?: string[]
    }
  }
}

/** A key with which devices join. */
export interface NewAuthKey {
  /** The kind; the one that is meant where it is absent. */
  keyType?: 'auth'
  /** What it lets a device do; `{ devices: {} }` is a key for one device without tags. */
  capabilities: KeyCapabilities
  /** How long it lives; at most, and where absent, 7 776 000 (90 days). */
  expirySeconds?: number
  /** At most 50 letters, digits, hyphens and blanks. */
  description?: string
}

/** A client that gets access tokens with its secret. */
export interface NewOAuthClient {
  /** The kind. */
  keyType: 'client'
  /** What its tokens may do, at least one. */
  scopes: Scope[]
  /** Needed with `devices:core` and `auth_keys`. */
  tags?: string[]
  /** At most 50 letters, digits, hyphens and blanks. */
  description?: string
}

/** An identity elsewhere that gets access tokens for those of its issuer. */
export interface NewFederatedIdentity {
  /** The kind. */
  keyType: 'federated'
  /** What its tokens may do, at least one. */
  scopes: Scope[]
  /** The issuer's address, https. */
  issuer: string
  /** Whom it vouches for; may hold `*`. */
  subject: string
  /** Made up by the service where absent. */
  audience?: string
  /** Patterns for further claims. */
  customClaimRules?: Record<string, string>
  /** Needed with `devices:core` and `auth_keys`. */
  tags?: string[]
  /** At most 50 letters, digits, hyphens and blanks. */
  description?: string
}

/** What a user may do in the tailnet. */
export type UserRole = 'owner' | 'admin' | 'it-admin' | 'network-admin' | 'billing-admin' | 'auditor' | 'member'

/** A person. */
export interface User {
  /** The id; opaque, not the login name. */
  id: string
  /** The login name. */
  loginName: string
  /** What people call them. */
  displayName?: string
  /** Their picture; may be empty. */
  profilePicUrl?: string
  /** Their tailnet. */
  tailnetId?: string
  /** When they joined, RFC 3339. */
  created?: string
  /** When they were last seen. */
  lastSeen?: string
  /** `shared`: of another tailnet. */
  type?: Open<'member' | 'shared'>
  /** What they may do. */
  role?: Open<UserRole>
  /** `active`: seen within 28 days. */
  status?: Open<'active' | 'idle' | 'suspended' | 'needs-approval' | 'over-billing-limit'>
  /** How many devices they have. */
  deviceCount?: number
  /** Whether one of them is connected. */
  currentlyConnected?: boolean
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** Settings to change; what is absent stays. */
export interface SettingsChange {
  /** Whether the policy is edited elsewhere. */
  aclsExternallyManagedOn?: boolean
  /** Where. */
  aclsExternalLink?: string
  /** Whether new devices wait for approval. */
  devicesApprovalOn?: boolean
  /** Whether devices update themselves. */
  devicesAutoUpdatesOn?: boolean
  /** Days until a device must sign in again, 1 to 180. */
  devicesKeyDurationDays?: number
  /** Whether new users wait for approval. */
  usersApprovalOn?: boolean
  /** Who may join other tailnets. */
  usersRoleAllowedToJoinExternalTailnets?: 'none' | 'admin' | 'member'
  /** Whether flows are logged. */
  networkFlowLoggingOn?: boolean
  /** Whether routers of a region are preferred. */
  regionalRoutingOn?: boolean
  /** Whether serial numbers are collected. */
  postureIdentityCollectionOn?: boolean
  /** Whether devices get certificates. */
  httpsEnabled?: boolean
}

/** The settings that the caller may read: absent or null is not false. */
export type TailnetSettings = { [Name in keyof SettingsChange]: SettingsChange[Name] | null } & { [field: string]: unknown }

/** What the service writes about. */
export type ContactType = 'account' | 'support' | 'security'

/** Whom it writes to. */
export interface Contact {
  /** The address; '' where there is none. */
  email: string
  /** The address that is used until the new one is confirmed. */
  fallbackEmail?: string
  /** Whether the address is yet to be confirmed. */
  needsVerification?: boolean
}

/** Whom the service writes to, by matter. */
export type Contacts = Record<ContactType, Contact>
