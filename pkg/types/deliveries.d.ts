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
  /** Details; null if there are none. */
  data: Data | null
  /** When it happened. */
  timestamp: string
  /** The version of this format. */
  version: number
  /** The tailnet. */
  tailnet: string
  /** A description for people. */
  message: string
}

/** Details of an event on a device. */
export interface NodeEventData {
  /** The device. */
  nodeID?: string
  /** Its name. */
  deviceName?: string
  /** Its user, or its tags. */
  managedBy?: string
  /** Who did it. */
  actor?: string
  /** A page with more about it. */
  url?: string
  /** When its key expires. */
  expiration?: string
  [field: string]: unknown
}

/** Details of an event on a user. */
export interface UserEventData {
  /** The login name. */
  user?: string
  /** Who did it. */
  actor?: string
  /** A page with more about it. */
  url?: string
  [field: string]: unknown
}

/** Narrows by `type`. A type that this version does not know is passed through: keep a default branch. */
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
        /** The whole new text. */
        newPolicy?: string
        /** The whole old text. */
        oldPolicy?: string
        /** A page with more about it. */
        url?: string
        /** Who did it. */
        actor?: string
        [field: string]: unknown
      }
    >
  | WebhookEventOf<'test' | 'webhookUpdated' | 'webhookDeleted', Record<string, unknown>>

/** A delivery outside of a `Request`: its headers, in upper or lower case, and its body before any parser. */
export interface WebhookDeliveryInput {
  /** All headers, or only the signature. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** The raw body. */
  body: string | Uint8Array | ArrayBuffer
}

/** How strictly a delivery is checked. */
export interface VerifyOptions {
  /** How many seconds its time may be off, either way; 300 by default. */
  tolerance?: number
  /** The clock, in milliseconds since 1970. */
  now?: () => number
}

/**
 * Checks the signature over the raw body, in constant time, against each secret (two for a day after a rotation), and gives the events; rejects with
 * WebhookSignatureError. Reads the body of a Request. Answer 2xx to events that you do not know, and detect repetitions yourself: events have no id.
 * @example
 * const { secret } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['policyUpdate'] })
 * await client.acl.update((text) => `${text}// changed\n`)
 * await sandbox.settled()
 * const { signature, body } = sandbox.deliveries[0] // in a worker: verifyWebhook(request, secret)
 * const [{ type }] = await verifyWebhook({ headers: { 'tailscale-webhook-signature': signature }, body }, secret)
 * type // → 'policyUpdate'
 */
export declare function verifyWebhook(delivery: Request | WebhookDeliveryInput, secret: string | string[], options?: VerifyOptions): Promise<WebhookEvent[]>
