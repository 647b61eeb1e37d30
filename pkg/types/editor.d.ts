// Declarations that the editors share. Must not live here: what the service answers (`language.d.ts`).

import type { Diagnostic, LanguageService } from './language.js'
import type { PolicyContext } from './policy.js'

export type { Diagnostic, LanguageService, Later } from './language.js'
export type { PolicyContext } from './policy.js'

/** What an editor asks, and shows. One that is misspelt is an `invalid_argument`. */
export interface EditorOptions {
  /** What is known of the tailnet; a function is asked each time. */
  context?: PolicyContext | (() => PolicyContext | Promise<PolicyContext>)
  /** Who answers, such as a worker. Without one `language` of `tailnet-kit/language` does, in this thread, loaded by the first question. */
  service?: LanguageService
  /** Lays a text out. Without one `hujson.format` of `tailnet-kit/hujson` does, in this thread, loaded when it is first asked for. */
  format?: (text: string) => string | Promise<string>
  /** Colours. On unless it is false, like each that follows. */
  highlight?: boolean
  /** What may stand at the cursor. */
  completion?: boolean
  /** What a word means. */
  hover?: boolean
  /** Issues with what removes them. */
  lint?: boolean
  /** A name, wherever it stands. */
  rename?: boolean
  /** Folding of sections, entries, lists and comments. */
  folding?: boolean
  /** Remarks between the words: what a selector stands for, how a test ends. */
  inlay?: boolean
  /** Called after each check, for what stands beside the editor. */
  onDiagnostics?: (diagnostics: Diagnostic[], text: string) => void
}
