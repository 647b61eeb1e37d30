// What the parts of the policy workbench share. Must not live here: any of the parts.
import type { AccessMatrix, AclText } from 'tailnet-kit/slim';
import type { Editor } from './editor.js';

/** What every card works with. */
export interface Workbench {
  editor: Editor;
  /** The text under way, and the stored one it grew from. */
  draft: { opened: AclText; text: string };
  /** The field that names whose rules are shown. */
  subject: HTMLInputElement;
  /** Asks everything again. */
  refresh(): void;
  /** The same, when the text or what it is measured against is another. */
  changed(): void;
}

/** A card, and how it shows what a text means, of which it is known who reaches what. */
export type Card = { view: Node; update(text: string, access: AccessMatrix): Promise<void> | void };
