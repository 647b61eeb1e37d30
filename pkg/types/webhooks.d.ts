// Webhooks: what is subscribed to, and what a receiver gets; wire names, unknown fields kept. Must not live here: calls.

import type { Open } from './wire.js';

/** What can happen to a device. */
export type NodeEventType =
  | 'nodeCreated' | 'nodeNeedsApproval' | 'nodeApproved' | 'nodeKeyExpiringInOneDay' | 'nodeKeyExpired' | 'nodeDeleted' | 'nodeSigned' | 'nodeNeedsSignature'
  | 'subnetIPForwardingNotEnabled' | 'exitNodeIPForwardingNotEnabled';

/** What can happen to a user, but for another role. */
export type UserEventType = 'userCreated' | 'userNeedsApproval' | 'userSuspended' | 'userRestored' | 'userDeleted' | 'userApproved';

/** What a webhook can be told of; a category is all of a kind, future ones too. */
export type WebhookSubscription = NodeEventType | UserEventType | 'policyUpdate' | 'userRoleUpdated' | 'categoryTailnetManagement' | 'categoryDeviceMisconfigurations';

/** In whose form it is told; the empty one stands for events in JSON. */
export type WebhookProvider = '' | 'slack' | 'mattermost' | 'googlechat' | 'discord';

/** A webhook to make. */
export interface NewWebhook {
  /** Where events are sent to: https, port 443 or 80. */
  endpointUrl: string;
  /** At least one. */
  subscriptions: WebhookSubscription[];
  /** In whose form; events in JSON where absent. */
  providerType?: WebhookProvider;
}

/** Where events are sent to. */
export interface Webhook {
  /** Its id. */
  endpointId: string;
  /** The address. */
  endpointUrl?: string;
  /** In whose form it is told. */
  providerType?: Open<WebhookProvider>;
  /** Who made it; empty where a token of the tailnet did. */
  creatorLoginName?: string;
  /** When it was made, RFC 3339. */
  created?: string;
  /** When it was changed last. */
  lastModified?: string;
  /** What it is told of, sorted. */
  subscriptions: Open<WebhookSubscription>[];
  /** What signs the deliveries: in the answers to `create` and `rotateSecret` only. */
  secret?: string;
  /** Whatever else the service sends. */
  [field: string]: unknown;
}

/** Something that happened. */
export interface WebhookEventOf<Type extends string, Data> {
  /** What. */
  type: Type;
  /** More of it. */
  data: Data | null;
  /** When, RFC 3339. */
  timestamp: string;
  /** Of this form: 1. */
  version: number;
  /** Where. */
  tailnet: string;
  /** The same for people. */
  message: string;
}

/** More of what happened to a device. */
export interface NodeEventData {
  /** Its id. */
  nodeID?: string;
  /** Its name. */
  deviceName?: string;
  /** Whose it is. */
  managedBy?: string;
  /** Who did it. */
  actor?: string;
  /** Where a person would look. */
  url?: string;
  /** When its key ends. */
  expiration?: string;
  /** Whatever else the service sends. */
  [field: string]: unknown;
}

/** More of what happened to a user. */
export interface UserEventData {
  /** Login name. */
  user?: string;
  /** Who did it. */
  actor?: string;
  /** Where a person would look. */
  url?: string;
  /** Whatever else the service sends. */
  [field: string]: unknown;
}

/** Narrows by `type`. A type that this version does not know comes through as it is: keep a default branch. */
export type WebhookEvent =
  | WebhookEventOf<NodeEventType | 'nodeAuthorized' | 'nodeNeedsAuthorization', NodeEventData>
  | WebhookEventOf<UserEventType, UserEventData>
  | WebhookEventOf<'userRoleUpdated', UserEventData & {
    /** What the user could do before. */
    oldRoles?: string[];
    /** What the user can do now. */
    newRoles?: string[];
  }>
  | WebhookEventOf<'policyUpdate', {
    /** The text as it is now. */
    newPolicy?: string;
    /** The text as it was before. */
    oldPolicy?: string;
    /** Where a person would look. */
    url?: string;
    /** Who did it. */
    actor?: string;
    /** Whatever else the service sends. */
    [field: string]: unknown;
  }>
  | WebhookEventOf<'test' | 'webhookUpdated' | 'webhookDeleted', Record<string, unknown>>;
