// Webhooks: what is subscribed to, and where events go; wire names, unknown fields kept. Must not live here: calls.

import type { NodeEventType, UserEventType } from './deliveries.js'
import type { Open } from './wire.js'

/** The events of a webhook; a category includes all of its kind, future ones too. */
export type WebhookSubscription =
  | NodeEventType
  | UserEventType
  | 'policyUpdate'
  | 'userRoleUpdated'
  | 'categoryTailnetManagement'
  | 'categoryDeviceMisconfigurations'

/** The format of its events; the empty one stands for JSON. */
export type WebhookProvider = '' | 'slack' | 'mattermost' | 'googlechat' | 'discord'

/** A webhook to make. */
export interface NewWebhook {
  /** The URL that events are sent to: https, port 443 or 80. */
  endpointUrl: string
  /** At least one. */
  subscriptions: WebhookSubscription[]
  /** The format of its events; JSON by default. */
  providerType?: WebhookProvider
}

/** A webhook. */
export interface Webhook {
  /** Its id. */
  endpointId: string
  /** The URL that events are sent to. */
  endpointUrl?: string
  /** The format of its events. */
  providerType?: Open<WebhookProvider>
  /** Who made it; empty if a token of the tailnet did. */
  creatorLoginName?: string
  /** When it was made, RFC 3339. */
  created?: string
  /** When it was last changed. */
  lastModified?: string
  /** Its events, sorted. */
  subscriptions: Open<WebhookSubscription>[]
  /** The secret that signs deliveries: in the answers to `create` and `rotateSecret` only. */
  secret?: string
  /** Whatever else the service sends. */
  [field: string]: unknown
}
