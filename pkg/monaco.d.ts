// Declarations of `tailnet-kit/monaco`. Must not live here: what editors share (`types/editor.d.ts`).

import type { EditorOptions } from './types/editor.cjs'

export type { Diagnostic, EditorOptions, LanguageService, Later, PolicyContext } from './types/editor.cjs'

/** The module `monaco-editor`, by as much of its shape as tells it apart. */
export interface MonacoModule {
  /** Where providers are registered. */
  readonly languages: object
  /** Models and editors. */
  readonly editor: object
  /** A range of lines and columns. */
  readonly Range: unknown
  /** How bad an issue is. */
  readonly MarkerSeverity: object
}

/** What can be ended. */
export interface Disposable {
  /** Ends it; again it does nothing. */
  dispose(): void
}

/**
 * Makes Monaco an editor of policies: for every model of the language `languageId`, `tailnet-policy` by default, until disposed.
 * @example const { dispose } = register(monaco, { context }) // the module `monaco-editor`
 */
export declare function register(monaco: MonacoModule, options?: EditorOptions & { languageId?: string }): Disposable
