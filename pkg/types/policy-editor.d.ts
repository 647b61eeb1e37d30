// `<tailnet-policy>`. Must not live here: what a check is (`policy.d.ts`), the options of editors (`editor.d.ts`).

import type { LanguageService } from './editor.js'
import type { ElementEventMap, KitElement } from './element.js'
import type { Issue } from './issue.js'
import type { Shown } from './link.js'
import type { PolicyCheck, PolicyContext } from './policy.js'

/** The events of `<tailnet-policy>`. The answer has the check of the text; `rule` says on which line somebody is now. */
export interface PolicyEventMap extends ElementEventMap<{ check: PolicyCheck }> {
  /** Somebody changed the text, in the editor or in the form. */
  change: CustomEvent<{ value: string }>
  /** The findings differ from those before. */
  findings: CustomEvent<Issue[]>
  /**
   * A file was chosen or dropped. Its text becomes that of the editor, unless `preventDefault` keeps it from that; of a file that `<tailnet-share>` made
   * `shown` has what it holds, and base and network come with it.
   */
  open: CustomEvent<{ name: string; text: string; shown: Shown | undefined }>
  /** Somebody pressed Mod-s. The browser's own save is kept off by `preventDefault`. */
  save: CustomEvent<null>
}

/**
 * `<tailnet-policy>`: a policy as text and as a form, two views of one document; with all of the language service, the verdict 300 ms after the last
 * key, findings with what refuses the policy first and those of one kind as one, and how the text differs from a base: marked in the gutter, or line by
 * line. Edits of the form keep comments and layout. A menu opens and saves files. A text that is JSON5 is offered as HuJSON. It needs CodeMirror: `@codemirror/autocomplete`,
 * `commands`, `language`, `lint`, `search`, `state`, `view`; and `merge`, which is loaded where there is a base. Its height is `--tailnet-policy-size`.
 * Parts: `body`, `bar`, `offer`, `editor`, `form`, `row`, `findings`, `fault`; the states `refused`, and `past` as long as the verdict is that of an earlier
 * text. What a page puts into the slot `actions` is beside
 * the buttons of the editor, and into `file` in its menu of files.
 * @example
 * const editor = document.createElement('tailnet-policy')
 * Object.assign(editor, { base: text, value: text.replace('22,443', '443'), context })
 * editor.addEventListener('change', ({ detail }) => console.log(detail.value.length))
 */
export declare class TailnetPolicy extends KitElement<PolicyEventMap> {
  /** The policy as text. Its lines end in line feeds once somebody has changed it. */
  value: string
  /** The text that it is compared with; none where it is empty. */
  base: string
  /** The network. */
  context: PolicyContext | undefined
  /** What is shown: the text, the form, or the text with the lines that went. */
  view: 'text' | 'form' | 'changes'
  /** Answers the questions of the editor in place of the worker that the element brings; read when the element enters the page. */
  service: LanguageService | undefined
  /**
   * What can be undone, as plain data that survives a reload: set together with the `value` that it belongs to, before the element enters the page, it
   * is what this editor begins with. Of another text it has no effect.
   */
  past: unknown
  /**
   * Puts the text of a file in place, in one step that can be undone, as does a file that is dropped on the editor. Throws for what is no text, or larger
   * than a policy may be.
   */
  open(file: File): Promise<void>
  /** Lays the text out, in one step that can be undone; false where there is no editor yet. */
  format(): Promise<boolean>
  /** Takes the last step back; false where there is none. */
  undo(): Promise<boolean>
  /** Makes the last step that was taken back again; false where there is none. */
  redo(): Promise<boolean>
  /** Goes to the next finding, and focuses the editor; false where there is none. */
  next(): Promise<boolean>
  /**
   * Brings a line of the text, from 1, into view, with the cursor. A line of the base, which may have gone, is quoted above the text.
   * @example await document.querySelector('tailnet-policy')?.reveal(12)
   */
  reveal(line: number, text?: 'value' | 'base'): Promise<void>
  /**
   * Marks lines of the text, in place of those marked before, and scrolls the editor to the first, but not the page. Marks move with the text.
   * @example await document.querySelector('tailnet-policy')?.mark([12, 14])
   */
  mark(lines: number[]): Promise<void>
}

declare global {
  interface HTMLElementTagNameMap {
    'tailnet-policy': TailnetPolicy
  }
}
