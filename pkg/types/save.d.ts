// `<tailnet-save>`. Must not live here: what a conflict is (`conflict.d.ts`), the editor (`policy-editor.d.ts`).

import type { TailnetClient } from './client.js'
import type { ElementEventMap, KitElement } from './element.js'
import type { HeadscaleClient } from './headscale.js'
import type { PolicyContext } from './policy.js'
import type { AclText } from './wire.js'

/** The events of `<tailnet-save>`. */
export interface SaveEventMap extends ElementEventMap<undefined> {
  /** The service has another policy now. `value` is the text to go on with: what was saved, and what was typed since. */
  stored: CustomEvent<{ stored: AclText; value: string }>
}

/**
 * `<tailnet-save>`: a button that writes a policy with `If-Match`, and says how that ended. Where somebody else saved first it shows both changes, writes
 * nothing, and asks: merge and save, keep one's own text, or take theirs. Parts: `button`, `body`, `fault`.
 * @example
 * const client = new TailnetClient({ baseURL: '/gateway', apiKey: null, tailnet: 'example.com' })
 * const [stored, save] = [await client.acl.get(), document.createElement('tailnet-save')]
 * Object.assign(save, { client, stored, value: stored.text.replace('443', '22') })
 * save.addEventListener('stored', ({ detail }) => console.log(detail.stored.etag))
 */
export declare class TailnetSave extends KitElement<SaveEventMap> {
  /** The client that writes, or what gives one once somebody saves. */
  client: TailnetClient | HeadscaleClient | (() => Promise<TailnetClient | HeadscaleClient>) | undefined
  /** The policy that `value` was made of, as the service answered it; of a Headscale its text is the `etag` too. */
  stored: AclText | undefined
  /** The text to save. */
  value: string
  /** The network, for what is said of a refusal. */
  context: PolicyContext | undefined
  /** Whether the text would be refused: then the button does not ask to be pressed. */
  refused: boolean
  /** Saves, as the button does; resolves once that has ended. What is pressed meanwhile is saved then. */
  save(): Promise<void>
}

declare global {
  interface HTMLElementTagNameMap {
    'tailnet-save': TailnetSave
  }
}
