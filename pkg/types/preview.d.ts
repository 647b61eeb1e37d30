// `<tailnet-preview>`. Must not live here: what a preview is (`policy.d.ts`).

import type { ElementEventMap, KitElement } from './element.js'
import type { PolicyContext, PolicyPreview } from './policy.js'

/** The events of `<tailnet-preview>`. The answer has no preview as long as no name is asked for. */
export interface PreviewEventMap extends ElementEventMap<{ preview?: PolicyPreview }> {}

/**
 * `<tailnet-preview>`: the rules that apply to a user, tag, group, host, device or address, as `policy.preview` finds them, each of which leads to its line.
 * Parts: `body`, `rules`, `rule`, `fault`.
 * @example
 * const preview = document.createElement('tailnet-preview')
 * Object.assign(preview, { value: text, context, subject: 'bob@example.com' })
 * preview.addEventListener('rule', ({ detail }) => console.log(detail.line))
 */
export declare class TailnetPreview extends KitElement<PreviewEventMap> {
  /** The policy, as text. */
  value: string
  /** The network. */
  context: PolicyContext | undefined
  /** Whom or what the rules apply to. */
  subject: string
}

declare global {
  interface HTMLElementTagNameMap {
    'tailnet-preview': TailnetPreview
  }
}
