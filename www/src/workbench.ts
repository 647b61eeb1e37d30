// What the parts of the policy workbench share. Must not live here: any of the parts.
import type { AclText, PolicyContext } from 'tailnet-kit/slim'
import type { Shared } from './url.js'

/** What is typed and not saved. `base` and `network` are what it is compared with and judged in, where that is not what the service has. */
export interface Draft {
  opened: AclText
  text: string
  base?: string | undefined
  network?: PolicyContext | undefined
  past?: unknown
}

/** What the parts of the workbench share. */
export interface Workbench {
  /** All that is shown, until it is in the page. */
  view: ParentNode
  draft: Draft
  /** The text that this one is compared with. */
  base(): string
  /** The network that both are judged in. */
  network(): PolicyContext
  /** Puts another text in place, in one step that can be undone; `isMarked` brings what differs into view and marks it. */
  put(text: string, isMarked?: boolean): void
  /** Asks everything again, after the text, what it is compared with, or the network has changed. */
  changed(): void
  /** Takes over what a link shares. */
  take(shared: Shared): void
  /** What the address shares of this; a link that is given away says more. */
  shared(isLink?: boolean): Shared
}
