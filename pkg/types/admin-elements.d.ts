// The elements of `tailnet-kit/elements/admin`: lists and settings of a service. Must not live here: what the service answers (`admin.d.ts`).

import type { TailnetSettings as Answer, Key, User } from './admin.js'
import type { TailnetClient } from './client.js'
import type { ElementEventMap, KitElement } from './element.js'
import type { HeadscaleClient } from './headscale.js'
import type { Device } from './wire.js'

/** What is typed and not sent, by name: kept for as long as the caller wants. A `Map` is one. */
export interface Drafts {
  get(name: string): unknown
  set(name: string, value: unknown): unknown
}

/** The events of an element of a service. Its answer is what the service has now. */
export interface AdminEventMap<Answer> extends ElementEventMap<Answer> {
  /** The service has something else now, by what somebody did here. */
  change: CustomEvent<{ id: string }>
}

/** An element that shows what a client's service has, and changes it. Nothing is asked without a client. */
export declare class AdminElement<Client, Events> extends KitElement<Events> {
  /** The client. A page has none with a key of its own: use a gateway. */
  client: Client | undefined
  /** Where what is typed and not sent is kept; in the element alone without it. */
  drafts: Drafts | undefined
  /** Asks the service again. */
  renew(): void
}

/** The events of `<tailnet-devices>`. */
export interface DevicesEventMap extends AdminEventMap<Device[]> {}

/**
 * `<tailnet-devices>`: the devices of a tailnet as a table to filter and sort, with their routes; authorizes and deletes them. Parts: `table`, `filter`, `body`, `fault`.
 * @example
 * const element = document.createElement('tailnet-devices')
 * element.client = new TailnetClient({ baseURL: '/gateway', apiKey: null, tailnet: 'example.com' })
 */
export declare class TailnetDevices extends AdminElement<TailnetClient | HeadscaleClient, DevicesEventMap> {}

/** The events of `<tailnet-dns>`. */
export interface DnsEventMap extends AdminEventMap<unknown> {}

/**
 * `<tailnet-dns>`: nameservers, MagicDNS, search paths and the nameservers of single domains, each entry checked while it is typed. Parts: `body`, `fault`.
 * @example
 * const element = document.createElement('tailnet-dns')
 * element.client = new TailnetClient({ baseURL: '/gateway', apiKey: null, tailnet: 'example.com' })
 */
export declare class TailnetDns extends AdminElement<TailnetClient, DnsEventMap> {}

/** The events of `<tailnet-keys>`. */
export interface KeysEventMap extends AdminEventMap<Key[]> {}

/**
 * `<tailnet-keys>`: the keys of a tailnet: made, shown once, revoked. Parts: `table`, `filter`, `body`, `fault`.
 * @example
 * const element = document.createElement('tailnet-keys')
 * element.client = new TailnetClient({ baseURL: '/gateway', apiKey: null, tailnet: 'example.com' })
 */
export declare class TailnetKeys extends AdminElement<TailnetClient | HeadscaleClient, KeysEventMap> {}

/** The events of `<tailnet-settings>`. */
export interface SettingsEventMap extends AdminEventMap<Answer> {}

/**
 * `<tailnet-settings>`: the settings of a tailnet, each sent as soon as it is changed. Parts: `body`, `fault`.
 * @example
 * const element = document.createElement('tailnet-settings')
 * element.client = new TailnetClient({ baseURL: '/gateway', apiKey: null, tailnet: 'example.com' })
 */
export declare class TailnetSettings extends AdminElement<TailnetClient, SettingsEventMap> {}

/** The events of `<tailnet-users>`. */
export interface UsersEventMap extends AdminEventMap<User[]> {}

/**
 * `<tailnet-users>`: the users of a tailnet: their roles, who waits for approval, who is suspended. Parts: `table`, `filter`, `body`, `fault`.
 * @example
 * const element = document.createElement('tailnet-users')
 * element.client = new TailnetClient({ baseURL: '/gateway', apiKey: null, tailnet: 'example.com' })
 */
export declare class TailnetUsers extends AdminElement<TailnetClient | HeadscaleClient, UsersEventMap> {}

declare global {
  interface HTMLElementTagNameMap {
    'tailnet-devices': TailnetDevices
    'tailnet-dns': TailnetDns
    'tailnet-keys': TailnetKeys
    'tailnet-settings': TailnetSettings
    'tailnet-users': TailnetUsers
  }
}
