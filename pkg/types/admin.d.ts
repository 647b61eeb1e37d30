// What the administrative calls carry: keys, users, settings; wire names, unknown fields kept. Must not live here: calls.

import type { Open } from './wire.js'

/** What a token may do; each area also in a read-only form. */
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

/** An area, or read access to one. */
export type Scope = ScopeArea | `${ScopeArea}:read` | 'logs:configuration:read'

/** A key, token, OAuth client or federated identity. */
export interface Key {
  /** Its id. */
  id: string
  /** Its type. */
  keyType?: Open<'auth' | 'api' | 'client' | 'federated'>
  /** Its description. */
  description?: string
  /** The user who owns it; absent or empty if it belongs to the tailnet. */
  userId?: string
  /** The secret: in the answer to `create` only. */
  key?: string
  /** When it was made, RFC 3339. */
  created?: string
  /** When it was last changed. */
  updated?: string
  /** When it expires. */
  expires?: string
  /** Its whole lifetime in seconds, not the time that is left. */
  expirySeconds?: number
  /** When it was revoked. */
  revoked?: string
  /** True for a key that no longer works: deleted, expired or used up. */
  invalid?: boolean
  /** What an auth key lets a device do. */
  capabilities?: KeyCapabilities
  /** What a client's tokens may do. */
  scopes?: Open<Scope>[]
  /** Tags of a client, or those that its devices get. */
  tags?: string[]
  /** The issuer of a federated identity's tokens. */
  issuer?: string
  /** The subject of those tokens; may contain `*`. */
  subject?: string
  /** The audience of those tokens. */
  audience?: string
  /** Patterns for other claims. */
  customClaimRules?: Record<string, string>
  /** Whatever else the service sends. */
  [field: string]: unknown
}

/** What an auth key lets a device do. */
export interface KeyCapabilities {
  /** What it allows for devices. */
  devices: {
    /** Joining the tailnet. */
    create?: {
      /** Whether more than one device may join with the key. */
      reusable?: boolean
      /** Whether these devices are removed once they stay offline. */
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
  /** The type; may be absent. */
  keyType?: 'auth'
  /** What it lets a device do; `{ devices: {} }` is a key for one device without tags. */
  capabilities: KeyCapabilities
  /** Its lifetime in seconds; at most, and by default, 7 776 000 (90 days). */
  expirySeconds?: number
  /** At most 50 letters, digits, hyphens and blanks. */
  description?: string
}

/** A client that gets access tokens with its secret. */
export interface NewOAuthClient {
  /** The type. */
  keyType: 'client'
  /** What its tokens may do, at least one. */
  scopes: Scope[]
  /** Needed with `devices:core` and `auth_keys`. */
  tags?: string[]
  /** At most 50 letters, digits, hyphens and blanks. */
  description?: string
}

/** An identity elsewhere whose issuer's tokens are exchanged for access tokens. */
export interface NewFederatedIdentity {
  /** The type. */
  keyType: 'federated'
  /** What its tokens may do, at least one. */
  scopes: Scope[]
  /** The issuer's URL, https. */
  issuer: string
  /** The subject of its tokens; may contain `*`. */
  subject: string
  /** Chosen by the service if absent. */
  audience?: string
  /** Patterns for other claims. */
  customClaimRules?: Record<string, string>
  /** Needed with `devices:core` and `auth_keys`. */
  tags?: string[]
  /** At most 50 letters, digits, hyphens and blanks. */
  description?: string
}

/** What a user may do in the tailnet. */
export type UserRole = 'owner' | 'admin' | 'it-admin' | 'network-admin' | 'billing-admin' | 'auditor' | 'member'

/** A user. */
export interface User {
  /** The id; opaque, not the login name. */
  id: string
  /** The login name. */
  loginName: string
  /** The name to show. */
  displayName?: string
  /** The URL of their picture; may be empty. */
  profilePicUrl?: string
  /** Their tailnet. */
  tailnetId?: string
  /** When they joined, RFC 3339. */
  created?: string
  /** When they were last seen. */
  lastSeen?: string
  /** `shared`: a user of another tailnet. */
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
  /** Whether the policy is managed elsewhere. */
  aclsExternallyManagedOn?: boolean
  /** A link to where it is managed. */
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
  /** Whether routers in the same region are preferred: the older name of `routeSelection`, not to be sent with it. */
  regionalRoutingOn?: boolean
  /** Which of several routers of one route is taken. */
  routeSelection?: 'active-passive-failover' | 'regional-routing' | 'regional-routing-failover' | 'magicroute'
  /** Whether serial numbers are collected. */
  postureIdentityCollectionOn?: boolean
  /** Whether devices can get HTTPS certificates. */
  httpsEnabled?: boolean
}

/** The settings that the caller may read: absent or null is not false. */
export type TailnetSettings = { [Name in keyof SettingsChange]: SettingsChange[Name] | null } & { [field: string]: unknown }

/** The subjects that the service writes about. */
export type ContactType = 'account' | 'support' | 'security'

/** An address that the service writes to. */
export interface Contact {
  /** The address; '' if there is none. */
  email: string
  /** The address that is used until the new one is confirmed. */
  fallbackEmail?: string
  /** Whether the address is yet to be confirmed. */
  needsVerification?: boolean
}

/** The contacts by subject. */
export type Contacts = Record<ContactType, Contact>

/** An invite to make. */
export interface NewUserInvite {
  /** The role that the user will have; `member` by default. */
  role?: Exclude<UserRole, 'owner'>
  /** Whom it is mailed to; nobody by default. */
  email?: string
}

/** An invite to become a user. Its numbers may be larger than JavaScript keeps exactly. */
export interface UserInvite {
  /** Its id: digits. */
  id: string
  /** The role that the user will have. */
  role?: Open<UserRole>
  /** The number of the tailnet. */
  tailnetId?: number
  /** The number of the user who made it. */
  inviterId?: number
  /** Whom it was mailed to. */
  email?: string
  /** When it was last mailed, RFC 3339. */
  lastEmailSentAt?: string
  /** The address under which it is accepted: a secret. */
  inviteUrl?: string
  /** Whatever else the service sends. */
  [field: string]: unknown
}
