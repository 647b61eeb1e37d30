// Declarations of `tailnet-kit/codemirror`. Must not live here: what editors share (`types/editor.d.ts`).

import type { EditorOptions } from './types/editor.cjs'

export type { Diagnostic, EditorOptions, LanguageService, Later, PolicyContext } from './types/editor.cjs'

/** The shape of `Extension` of @codemirror/state, so that these types do not need the package. */
export type CodeMirrorExtension = { extension: CodeMirrorExtension } | readonly CodeMirrorExtension[]

/**
 * An extension that makes CodeMirror 6 a policy editor: colours, completion, hover, issues with fixes, rename, folding, inlay hints.
 * Keys: F2 renames, F12 goes to the definition, Mod-i expands the selection, Mod-. lists the fixes, Mod-k Mod-i says what a word means,
 * Shift-Alt-f formats, Enter and Tab accept a completion. An issue at the cursor is announced. Tokens have classes `tailnet-TYPE`.
 * @example const extension = tailnetPolicy({ context: () => context, onDiagnostics: (issues) => console.log(issues.length) })
 */
export declare function tailnetPolicy(options?: EditorOptions): CodeMirrorExtension

/** As much of the shape of `EditorView` of @codemirror/view as identifies it. */
export interface CodeMirrorView {
  readonly state: object
  readonly contentDOM: object
  focus(): void
}

/** The command of Shift-Alt-f, for a button: formats the text in one undo step; cursors stay in place. */
export declare function formatPolicy(view: CodeMirrorView): boolean
