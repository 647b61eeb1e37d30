// Declarations of `tailnet-kit/monaco`. Must not live here: what editors share (`types/editor.d.ts`).

import type { EditorOptions } from './types/editor.cjs'

export type { Diagnostic, EditorOptions, LanguageService, Later, PolicyContext } from './types/editor.cjs'

/** As much of the shape of the module `monaco-editor` as identifies it. */
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

/** Something that can be disposed of. */
export interface Disposable {
  /** Disposes of it; calling it again does nothing. */
  dispose(): void
}

/**
 * Makes Monaco a policy editor: for every model of the language `languageId`, `tailnet-policy` by default, until disposed.
 * @example const { dispose } = register(monaco, { context }) // the module `monaco-editor`
 */
export declare function register(monaco: MonacoModule, options?: EditorOptions & { languageId?: string }): Disposable
