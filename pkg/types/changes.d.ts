// `<tailnet-changes>`. Must not live here: what a review is (`policy.d.ts`).

import type { CellDetail, ElementEventMap, KitElement } from './element.js'
import type { PolicyContext, PolicyReview } from './policy.js'

/** The events of `<tailnet-changes>`. The answer has the review; `same` where both texts and networks are. */
export interface ChangesEventMap extends ElementEventMap<{ review: PolicyReview } | { same: true }> {
  /** Somebody wants to see a cell. */
  cell: CustomEvent<CellDetail>
}

/**
 * `<tailnet-changes>`: what the change from one policy to another does, the worst first: what is open to many, who is locked out, who loses and
 * gains access, logins and powers, and what is undecided, each with the line of the text that is its cause. Parts: `body`, `list`, `item` with one of
 * `danger`, `warning`, `loss`, `undecided`, `gain`, `note`; `cell` and `rule`, the buttons; `fault`. What a page puts into the slot `same` is shown while
 * both texts are the same.
 * @example
 * const changes = document.createElement('tailnet-changes')
 * Object.assign(changes, { base: text, value: text.replace('22,443', '443'), context })
 * changes.addEventListener('rule', ({ detail }) => console.log(detail.line))
 */
export declare class TailnetChanges extends KitElement<ChangesEventMap> {
  /** The policy before the change, as text. */
  base: string
  /** The policy after it, as text. */
  value: string
  /** The network. */
  context: PolicyContext | undefined
  /** The network before the change, if that changes too. */
  baseContext: PolicyContext | undefined
  /**
   * Marks the items whose cause is on one of these lines of `value`, in place of those marked before.
   * @example document.querySelector('tailnet-changes')?.mark([12])
   */
  mark(lines: number[]): void
}

declare global {
  interface HTMLElementTagNameMap {
    'tailnet-changes': TailnetChanges
  }
}
