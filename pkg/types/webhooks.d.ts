// Webhooks: what is subscribed to, and what a receiver gets; wire names, unknown fields kept. Must not live here: calls.

import type { NodeEventType, UserEventType } from './deliveries.js'
import type { Open } from './wire.js'

/** What a webhook can be told of; a category is all of a kind, future ones too. */
export type WebhookSubscription =
  | NodeEventType
  | UserEventType
  | 'policyUpdate'
  | 'userRoleUpdated'
  | 'categoryTailnetManagement'
  | 'categoryDeviceMisconfigurations'

/** In whose form it is told; the empty one stands for events in JSON. */
export type WebhookProvider = '' | 'slack' | 'mattermost' | 'googlechat' | 'discord'

/** A webhook to make. */
export interface NewWebhook {
  /** Where events are sent to: https, port 443 or 80. */
  endpointUrl: string
  /** At least one. */
  subscriptions: WebhookSubscription[]
  /** In whose form; events in JSON where absent. */
  providerType?: WebhookProvider
}

/** Where events are sent to. */
export interface Webhook {
  /** Its id. */
  endpointId: string
  /** The address. */
  endpointUrl?: string
  /** In whose form it is told. */
  providerType?: Open<WebhookProvider>
  /** Who made it; empty where a token of the tailnet did. */
  creatorLoginName?: string
  /** When it was made, RFC 3339. */
  created?: string
  /** When it was changed last. */
  lastModified?: string
  /** What it is told of, sorted. */
  subscriptions: Open<WebhookSubscription>[]
  /** What signs the deliveries: in the answers to `create` and `rotateSecret` only. */
  secret?: string
  /** Whatever else the service sends. */
  [field: string]: unknown
}
