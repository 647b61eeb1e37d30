// Declarations of `tailnet-kit/codemirror`. Must not live here: what editors share (`types/editor.d.ts`).

import type { EditorOptions } from './types/editor.cjs'

export type { Diagnostic, EditorOptions, LanguageService, Later, PolicyContext } from './types/editor.cjs'

/** `Extension` of @codemirror/state by its shape, so that these types need no peer. */
export type CodeMirrorExtension = { extension: CodeMirrorExtension } | readonly CodeMirrorExtension[]

/**
 * An extension that makes CodeMirror 6 an editor of policies: colours, completion, hover, issues with fixes, rename, folding, remarks.
 * Keys: F2 renames, F12 goes to the definition, Mod-i selects more, Mod-. lists what can be done, Mod-k Mod-i says what a word means,
 * Shift-Alt-f formats, Enter and Tab take what is offered. An issue that the cursor comes upon is read out. Tokens have classes `tailnet-TYPE`.
 * @example const extension = tailnetPolicy({ context: () => context, onDiagnostics: (issues) => console.log(issues.length) })
 */
export declare function tailnetPolicy(options?: EditorOptions): CodeMirrorExtension

/** `EditorView` of @codemirror/view, by as much of its shape as tells it apart. */
export interface CodeMirrorView {
  readonly state: object
  readonly contentDOM: object
  focus(): void
}

/** The command of Shift-Alt-f, for a button: lays the text out as one step that can be undone; cursors stay where they are. */
export declare function formatPolicy(view: CodeMirrorView): boolean
