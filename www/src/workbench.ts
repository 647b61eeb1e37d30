// What the parts of the policy workbench share. Must not live here: any of the parts.
import type { AccessChange, AccessMatrix, AclText } from 'tailnet-kit/slim'
import type { Editor, Reading } from './editor.js'

/** What every card works with. */
export interface Workbench {
  editor: Editor
  /** The text under way, and the stored one it grew from. */
  draft: { opened: AclText; text: string }
  /** The text that all cards answer; its lines lead to where they stand by now. */
  reading: Reading
  /** The field that names whose rules are shown. */
  subject: HTMLInputElement
  /** Asks everything again. */
  refresh(): void
  /** The same, when the text or what it is measured against is another. */
  changed(): void
}

/** What is known of a text before any card asks more. */
export interface Known {
  text: string
  /** Who reaches what by it, and by the stored text. */
  access: AccessMatrix
  before: AccessMatrix
  /** Who gains and who loses what from the stored text to it. */
  changes: AccessChange[]
}

/** A card. It asks what it shows and hands back how it is drawn: all cards go from one text to the next at once. */
export type Card = { view: Node; update(known: Known): Promise<() => void> | (() => void) }
