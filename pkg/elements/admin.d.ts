// Declarations of `tailnet-kit/elements/admin`. Must not live here: what the elements declare (`types/admin-elements.d.ts`).

export type { ElementEventMap } from '../types/element.cjs'
export { TailnetDevices, TailnetDns, TailnetKeys, TailnetSettings, TailnetUsers } from '../types/admin-elements.cjs'
export type {
  AdminElement,
  AdminEventMap,
  DevicesEventMap,
  DnsEventMap,
  Drafts,
  KeysEventMap,
  SettingsEventMap,
  UsersEventMap,
} from '../types/admin-elements.cjs'
