// `<tailnet-flow>`. Must not live here: what an explanation and a repair are (`policy.d.ts`).

import type { ElementEventMap, KitElement } from './element.js'
import type { TextEdit } from './hujson.js'
import type { Explanation, PolicyContext } from './policy.js'

/** An edit that somebody wants. */
export interface EditDetail {
  /** The text after it. */
  text: string
  /** The edits of the text, for an editor. */
  edits: TextEdit[]
  /** What it does, in words. */
  title: string
}

/** The events of `<tailnet-flow>`. The answer has no explanation as long as no question is asked. */
export interface FlowEventMap extends ElementEventMap<{ explanation?: Explanation }> {
  /** Somebody wants an edit of `value` that allows the flow. The element does not change `value` itself. */
  edit: CustomEvent<EditDetail>
}

/**
 * `<tailnet-flow>`: whether one reaches another, or may log in there, why, which rules are closest and what is in the way; and, of what is not allowed,
 * the smallest edits that allow it, each with what else it opens. Parts: `body`, `fact`, `rule`, `edits`, `use`, `fault`.
 * @example
 * const flow = document.createElement('tailnet-flow')
 * Object.assign(flow, { value: text, context, from: 'ann@example.com', to: 'tag:web:22' })
 * flow.addEventListener('edit', ({ detail }) => (flow.value = detail.text))
 */
export declare class TailnetFlow extends KitElement<FlowEventMap> {
  /** The policy, as text. */
  value: string
  /** The network. */
  context: PolicyContext | undefined
  /** The source, as in `Flow`. */
  from: string
  /** The destination, as in `Flow`. */
  to: string
  /** The protocol, `tcp` by default. */
  proto: string
  /** The account of a login by SSH; empty for other flows. */
  user: string
}

declare global {
  interface HTMLElementTagNameMap {
    'tailnet-flow': TailnetFlow
  }
}
