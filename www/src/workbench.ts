// What the parts of the policy workbench share. Must not live here: any of the parts.
import type { AccessMatrix, AclText } from 'tailnet-kit/slim'
import type { Editor, Reading } from './editor.js'

/** What every card works with. */
export interface Workbench {
  editor: Editor
  /** The edited text, and the stored one it started from. */
  draft: { opened: AclText; text: string }
  /** The text that all cards are about; its lines lead to where they are now. */
  reading: Reading
  /** The field that names whose rules are shown. */
  subject: HTMLInputElement
  /** Asks everything again. */
  refresh(): void
  /** The same, after the text or the stored one has changed. */
  changed(): void
}

/** What is known of a text before any card asks more. */
export interface Known {
  text: string
  /** Who reaches what under it. */
  access: AccessMatrix
  before: AccessMatrix
}

/** A card. `update` asks its questions and returns what draws the answers, so that all cards change to the next text at once. */
export type Card = { view: Node; update(known: Known): Promise<() => void> | (() => void) }
