// `together` of `tailnet-kit/elements/together`. Must not live here: a single element.

import type { TailnetAccess } from './access.js'
import type { TailnetChanges } from './changes.js'
import type { TailnetFlow } from './flow.js'
import type { TailnetPolicy } from './policy-editor.js'
import type { TailnetPreview } from './preview.js'
import type { TailnetSave } from './save.js'
import type { TailnetShare } from './share.js'
import type { TailnetTests } from './tests.js'

/** Elements of a page about the text of one editor. */
export interface Elements {
  policy: TailnetPolicy
  changes?: TailnetChanges | undefined
  access?: TailnetAccess | undefined
  flow?: TailnetFlow | undefined
  preview?: TailnetPreview | undefined
  tests?: TailnetTests | undefined
  save?: TailnetSave | undefined
  share?: TailnetShare | undefined
}

/** What joins them. */
export interface Together {
  /** The last text that the elements show; none before the first. */
  answered: string | undefined
  /** Brings a line of that text into view in the editor, wherever it is by now. */
  goTo(line: number): Promise<void>
  /** Marks the rules that begin on these lines of that text. */
  mark(lines: number[]): Promise<void>
  /** Marks the lines of the editor that differ from its base. */
  markChange(): Promise<void>
  /** Leaves each of them alone again. */
  end(): void
}

/**
 * Joins elements about one text, so that each leads to the others. They show what the editor has, with its base and network, as long as its text has
 * access to show: a text that is refused for more than its tests is told by the changes alone, and the others say that they are of the one before. What somebody chooses in one is marked in the others and
 * brought into view; an edit that allows a flow is made in the editor, and what is saved becomes its base.
 * @example
 * const [policy, changes, access] = [document.createElement('tailnet-policy'), document.createElement('tailnet-changes'), document.createElement('tailnet-access')]
 * const { goTo } = together({ policy, changes, access })
 * Object.assign(policy, { base: text, value: text.replace('22,443', '443'), context })
 * document.body.append(policy, changes, access)
 */
export declare function together(elements: Elements): Together
