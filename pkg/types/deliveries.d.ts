// Deliveries of webhooks: what a receiver checks and gets. Must not live here: the webhooks themselves.

/** What happens to a device. */
export type NodeEventType =
  | 'nodeCreated'
  | 'nodeNeedsApproval'
  | 'nodeApproved'
  | 'nodeKeyExpiringInOneDay'
  | 'nodeKeyExpired'
  | 'nodeDeleted'
  | 'nodeSigned'
  | 'nodeNeedsSignature'
  | 'subnetIPForwardingNotEnabled'
  | 'exitNodeIPForwardingNotEnabled'
/** What happens to a user. */
export type UserEventType = 'userCreated' | 'userNeedsApproval' | 'userSuspended' | 'userRestored' | 'userDeleted' | 'userApproved'

/** One event. */
export interface WebhookEventOf<Type extends string, Data> {
  /** What happened. */
  type: Type
  /** To whom or what; null where there is no more to say. */
  data: Data | null
  /** When. */
  timestamp: string
  /** The version of this form. */
  version: number
  /** Where. */
  tailnet: string
  /** The same in words. */
  message: string
}

/** What is said of a device. */
export interface NodeEventData {
  /** The device. */
  nodeID?: string
  /** Its name. */
  deviceName?: string
  /** Its user, or its tags. */
  managedBy?: string
  /** Who did it. */
  actor?: string
  /** Where to look at it. */
  url?: string
  /** When its key ends. */
  expiration?: string
  [field: string]: unknown
}

/** What is said of a user. */
export interface UserEventData {
  /** The login name. */
  user?: string
  /** Who did it. */
  actor?: string
  /** Where to look at it. */
  url?: string
  [field: string]: unknown
}

/** Narrows by `type`. A type that this version does not know comes through as it is: keep a default branch. */
export type WebhookEvent =
  | WebhookEventOf<NodeEventType | 'nodeAuthorized' | 'nodeNeedsAuthorization', NodeEventData>
  | WebhookEventOf<UserEventType, UserEventData>
  | WebhookEventOf<
      'userRoleUpdated',
      UserEventData & {
        /** The roles before. */
        oldRoles?: string[]
        /** The roles now. */
        newRoles?: string[]
      }
    >
  | WebhookEventOf<
      'policyUpdate',
      {
        /** The whole text now. */
        newPolicy?: string
        /** The whole text before. */
        oldPolicy?: string
        /** Where to look at it. */
        url?: string
        /** Who did it. */
        actor?: string
        [field: string]: unknown
      }
    >
  | WebhookEventOf<'test' | 'webhookUpdated' | 'webhookDeleted', Record<string, unknown>>

/** A delivery where there is no `Request`: its headers, in any letter case, and its body before any parser. */
export interface WebhookDeliveryInput {
  /** All of them, or the one that signs. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** The raw body. */
  body: string | Uint8Array | ArrayBuffer
}

/** How strictly a delivery is looked at. */
export interface VerifyOptions {
  /** Seconds that it may be away from now, either way; 300 by default. */
  tolerance?: number
  /** The clock, in milliseconds since 1970. */
  now?: () => number
}

/**
 * Checks the signature over the raw body, in constant time, against each secret (two for a day after a rotation), and gives the events; rejects with
 * WebhookSignatureError. Of a Request it reads the body. Answer 2xx to events that you do not know, and drop doubles yourself: events have no id.
 * @example
 * const { secret } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['policyUpdate'] })
 * await client.acl.update((text) => `${text}// changed\n`)
 * await sandbox.settled()
 * const { signature, body } = sandbox.deliveries[0] // in a worker: verifyWebhook(request, secret)
 * const [{ type }] = await verifyWebhook({ headers: { 'tailscale-webhook-signature': signature }, body }, secret)
 * type // → 'policyUpdate'
 */
export declare function verifyWebhook(delivery: Request | WebhookDeliveryInput, secret: string | string[], options?: VerifyOptions): Promise<WebhookEvent[]>
