// `<tailnet-share>`. Must not live here: what a link is made of (`link.d.ts`).

import type { TailnetAccess } from './access.js'
import type { ElementEventMap, KitElement } from './element.js'
import type { Shown } from './link.js'
import type { PolicyContext } from './policy.js'

/** The events of `<tailnet-share>`. */
export interface ShareEventMap extends ElementEventMap<undefined> {}

/**
 * `<tailnet-share>`: a menu that gives a change away: copies a link to this page, or what a review says as Markdown; saves the picture of who reaches what.
 * What is too large for a link is saved as a file in its place, which `<tailnet-policy>` opens. Nothing is uploaded: a link holds its texts in its
 * fragment. Parts: `body`, `menu`, `fault`.
 * @example
 * const share = document.createElement('tailnet-share')
 * Object.assign(share, { base: text, value: text.replace('443', '22'), fragment: 'view=review' })
 */
export declare class TailnetShare extends KitElement<ShareEventMap> {
  /** The policy before the change. */
  base: string
  /** The policy. */
  value: string
  /** The network. */
  context: PolicyContext | undefined
  /** What else the address of a link says, as parameters. */
  fragment: string
  /** What a link holds, where that is not all of the three: what whoever opens it has already may be left out. */
  shown: (() => Shown) | undefined
  /** The element whose picture is given away; without it the menu offers none. */
  access: TailnetAccess | undefined
}

declare global {
  interface HTMLElementTagNameMap {
    'tailnet-share': TailnetShare
  }
}
