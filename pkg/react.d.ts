// Declarations of `tailnet-kit/react`. Must not live here: elements (`types`).

import type {
  DevicesEventMap,
  DnsEventMap,
  KeysEventMap,
  SettingsEventMap,
  UsersEventMap,
  TailnetDevices as Devices,
  TailnetDns as Dns,
  TailnetKeys as Keys,
  TailnetSettings as Settings,
  TailnetUsers as Users,
} from './types/admin-elements.cjs'
import type { AccessEventMap, TailnetAccess as Access } from './types/access.cjs'
import type { ChangesEventMap, TailnetChanges as Changes } from './types/changes.cjs'
import type { ConflictEventMap, TailnetConflict as Conflict } from './types/conflict.cjs'
import type { FlowEventMap, TailnetFlow as Flow } from './types/flow.cjs'
import type { PreviewEventMap, TailnetPreview as Preview } from './types/preview.cjs'
import type { SaveEventMap, TailnetSave as Save } from './types/save.cjs'
import type { ShareEventMap, TailnetShare as Share } from './types/share.cjs'
import type { TestsEventMap, TailnetTests as Tests } from './types/tests.cjs'

/**
 * What a component takes besides the properties of its element: what React gives to every element. Written out, so that these types do not need
 * React's.
 */
export interface CommonProps<Element> {
  ref?: { current: Element | null } | ((element: Element | null) => unknown) | null
  id?: string
  className?: string
  style?: object
  hidden?: boolean
  lang?: string
  slot?: string
  role?: string
  'aria-label'?: string
  'aria-labelledby'?: string
}

/** The properties of the element, all optional. An absent one has its default. */
export type ElementProps<Element> = {
  // biome-ignore lint/suspicious/noExplicitAny: a method of the element is no property
  [Name in Exclude<keyof Element, keyof HTMLElement> as Element[Name] extends (...args: any[]) => unknown ? never : Name]?: Element[Name] | undefined
}

/** The events of the element that are its own. */
export type Listeners<Events extends HTMLElementEventMap> = {
  [Type in keyof Events as Type extends keyof HTMLElementEventMap
    ? HTMLElementEventMap[Type] extends Events[Type]
      ? never
      : `on${Capitalize<Type>}`
    : `on${Capitalize<string & Type>}`]?: ((event: Events[Type]) => unknown) | undefined
}

/** A component of React 19 for an element. */
// biome-ignore lint/suspicious/noExplicitAny: React's types are React's
export type Component<Element, Events extends HTMLElementEventMap> = (props: CommonProps<Element> & ElementProps<Element> & Listeners<Events>) => any

/** `<tailnet-access>` as a component. */
export declare const TailnetAccess: Component<Access, AccessEventMap>

/** `<tailnet-changes>` as a component. */
export declare const TailnetChanges: Component<Changes, ChangesEventMap>

/** `<tailnet-flow>` as a component. */
export declare const TailnetFlow: Component<Flow, FlowEventMap>

/** `<tailnet-devices>` as a component. */
export declare const TailnetDevices: Component<Devices, DevicesEventMap>

/** `<tailnet-dns>` as a component. */
export declare const TailnetDns: Component<Dns, DnsEventMap>

/** `<tailnet-keys>` as a component. */
export declare const TailnetKeys: Component<Keys, KeysEventMap>

/** `<tailnet-settings>` as a component. */
export declare const TailnetSettings: Component<Settings, SettingsEventMap>

/** `<tailnet-users>` as a component. */
export declare const TailnetUsers: Component<Users, UsersEventMap>

/** `<tailnet-preview>` as a component. */
export declare const TailnetPreview: Component<Preview, PreviewEventMap>

/** `<tailnet-conflict>` as a component. */
export declare const TailnetConflict: Component<Conflict, ConflictEventMap>

/** `<tailnet-save>` as a component. */
export declare const TailnetSave: Component<Save, SaveEventMap>

/** `<tailnet-share>` as a component. */
export declare const TailnetShare: Component<Share, ShareEventMap>

/** `<tailnet-tests>` as a component. */
export declare const TailnetTests: Component<Tests, TestsEventMap>
