// `<tailnet-conflict>` and `merge` of `tailnet-kit/elements/conflict`. Must not live here: what a change of a text is (`policy.d.ts`).

import type { ElementEventMap, KitElement } from './element.js'
import type { PolicyChange } from './policy.js'

/** What two people made of one text. */
export interface Conflict {
  /** What `mine` changed. */
  mine: PolicyChange[]
  /** What `theirs` changed. */
  theirs: PolicyChange[]
  /** Both changes in one text; absent where they touch the same lines. */
  merged?: string
}

/** The events of `<tailnet-conflict>`. */
export interface ConflictEventMap extends ElementEventMap<Conflict> {}

/**
 * `<tailnet-conflict>`: what two people changed in one policy, for whoever meets `precondition_failed` on a save, and whether both fit into one text. What
 * to do about it the page asks. Parts: `body`, `mine`, `theirs`, `fault`.
 * @example
 * const conflict = document.createElement('tailnet-conflict')
 * Object.assign(conflict, { base: text, mine: text.replace('443', '22'), theirs: text })
 * conflict.addEventListener('answer', ({ detail }) => console.log(detail.merged))
 */
export declare class TailnetConflict extends KitElement<ConflictEventMap> {
  /** The text that both began with. */
  base: string
  /** What this page made of it. */
  mine: string
  /** What is stored by now. */
  theirs: string
}

/**
 * Both changes of `base` in one text, line by line; undefined where they touch the same lines, or lines beside each other, and differ.
 * @example const merged = await merge('a\nb\nc', 'A\nb\nc', 'a\nb\nC') // 'A\nb\nC'
 */
export declare function merge(base: string, mine: string, theirs: string): Promise<string | undefined>

declare global {
  interface HTMLElementTagNameMap {
    'tailnet-conflict': TailnetConflict
  }
}
