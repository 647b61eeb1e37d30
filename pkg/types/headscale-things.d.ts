// What Headscale lists: users, machines, keys, its policy. Must not live here: its client (`headscale.d.ts`).

/** A user. `name`, `email` or `providerId` name the user in policies. */
export interface HeadscaleUser {
  /** A number in digits. */
  id: string
  name: string
  /** RFC 3339. */
  createdAt: string
  displayName: string
  email: string
  /** The id that the identity provider has for the user; empty for a user made by hand. */
  providerId: string
  /** `oidc`, or empty. */
  provider: string
  profilePicUrl: string
  [field: string]: unknown
}

/** A machine. */
export interface HeadscaleNode {
  /** A number in digits. */
  id: string
  machineKey: string
  nodeKey: string
  discoKey: string
  ipAddresses: string[]
  /** What the machine calls itself. */
  name: string
  /** Its name in the network, which `rename` sets. */
  givenName: string
  /** Whose it is; of a node with tags a user `tagged-devices` that stands for all such. */
  user: HeadscaleUser
  online: boolean
  /** With the `tag:` in front. */
  tags: string[]
  /** RFC 3339; null where it never was connected. */
  lastSeen: string | null
  /** When its key ends; null for never. */
  expiry: string | null
  createdAt: string
  /** `REGISTER_METHOD_AUTH_KEY`, `…_CLI`, `…_OIDC` or `…_UNSPECIFIED`. */
  registerMethod: string
  /** The routes that it may serve, announced or not. */
  approvedRoutes: string[]
  /** The routes that it announces. */
  availableRoutes: string[]
  /** The routes that it serves now. Servers list them in `nodes.list` alone. */
  subnetRoutes: string[]
  [field: string]: unknown
}

/** A key with which machines sign in. */
export interface HeadscalePreAuthKey {
  /** A number in digits. */
  id: string
  /** Whose the machines become; null where they get tags. */
  user: HeadscaleUser | null
  /** Whole in the answer to `create`; in lists its secret is `***`. */
  key: string
  reusable: boolean
  ephemeral: boolean
  used: boolean
  /** RFC 3339; null for never. */
  expiration: string | null
  createdAt: string
  aclTags: string[]
}

/** A key of the API. */
export interface HeadscaleApiKey {
  /** A number in digits. */
  id: string
  /** The part that is no secret. */
  prefix: string
  /** RFC 3339; null for never. */
  expiration: string | null
  createdAt: string
  /** Null where it was never used. */
  lastSeen: string | null
}

/** The policy as the server stores it. */
export interface HeadscaleStoredPolicy {
  /** Byte for byte. */
  text: string
  /** RFC 3339; null where it comes from a file. */
  updatedAt: string | null
}
