// Declarations that the editors share. Must not live here: what the service answers (`language.d.ts`).

import type { Diagnostic, LanguageService } from './language.js'
import type { Dialect, PolicyContext } from './policy.js'

export type { Diagnostic, LanguageService, Later } from './language.js'
export type { Dialect, PolicyContext } from './policy.js'

/** What an editor asks and shows. A misspelt option is an `invalid_argument`. */
export interface EditorOptions {
  /** What is known of the tailnet; a function is called each time. */
  context?: PolicyContext | (() => PolicyContext | Promise<PolicyContext>)
  /** Whose language the text is in; that of the context if left out, else the one that the first line of the text names. */
  dialect?: Dialect
  /** Answers the questions, for example in a worker. By default `language` of `tailnet-kit/language`, in this thread, loaded at the first question. */
  service?: LanguageService
  /** Formats a text. By default `hujson.format` of `tailnet-kit/hujson`, in this thread, loaded when it is first used. */
  format?: (text: string) => string | Promise<string>
  /** Colours. On unless false, like each option below. */
  highlight?: boolean
  /** Completion. */
  completion?: boolean
  /** Hover. */
  hover?: boolean
  /** Issues with their fixes. */
  lint?: boolean
  /** Renaming. */
  rename?: boolean
  /** Folding of sections, entries, lists and comments. */
  folding?: boolean
  /** Inlay hints: what a selector stands for, how a test ends. */
  inlay?: boolean
  /** Called after each check, for anything shown beside the editor. */
  onDiagnostics?: (diagnostics: Diagnostic[], text: string) => void
}
