// The declarations of the language service and of editors, used as a user would. Never run. Must not live here: what they do.

import type * as kit from 'tailnet-kit'
import { formatPolicy, tailnetPolicy, type CodeMirrorExtension, type CodeMirrorView, type EditorOptions } from 'tailnet-kit/codemirror'
import { language, type CompletionKind, type LanguageService, type TokenType } from 'tailnet-kit/language'
import { register, type Disposable, type MonacoModule } from 'tailnet-kit/monaco'
import { is } from './is.mjs'

export async function editor(text: string, context: kit.PolicyContext): Promise<void> {
  const at: LanguageService = language
  for (const { from, to, code, fixes } of await at.diagnostics(text, context))
    for (const { title, kind, edits, fixes: fixed, preferred } of fixes)
      is<[number, number, string, string, 'fix' | 'refactor', kit.TextEdit[], string | undefined, boolean | undefined]>()([
        from,
        to,
        code,
        title,
        kind,
        edits,
        fixed,
        preferred,
      ])
  const { from, to, items } = language.complete(text, 0, context)
  for (const { label, kind, insert, snippet, detail, documentation } of items)
    is<[number, number, string, CompletionKind, string, boolean | undefined, string | undefined, string | undefined]>()([
      from,
      to,
      label,
      kind,
      insert,
      snippet,
      detail,
      documentation,
    ])
  is<string | undefined>()(language.hover(text, 0, context)?.markdown)
  is<number | undefined>()(language.definition(text, 0)?.from)
  for (const { definition, pointer } of language.references(text, 0)) is<[boolean, string]>()([definition, pointer])
  is<'group' | 'tag' | 'host' | 'ipset' | 'posture' | 'service' | undefined>()(language.renameable(text, 0)?.kind)
  is<kit.TextEdit[]>()(language.rename(text, 0, 'tag:new'))
  for (const { name, kind, detail, range, selection, children } of language.symbols(text))
    is<[string, string, string | undefined, kit.TextRange, kit.TextRange, number]>()([name, kind, detail, range, selection, children.length])
  for (const { kind } of language.folding(text)) is<'section' | 'entry' | 'list' | 'comment'>()(kind)
  is<kit.TextRange[]>()(language.selection(text, 0))
  for (const { type, definition } of language.tokens(text, { from: 0, to: 9 })) is<[TokenType, boolean | undefined]>()([type, definition])
  for (const { at, text: said, kind, tooltip } of language.inlay(text, null, context))
    is<[number, string, 'resolves' | 'test' | 'unreached', string | undefined]>()([at, said, kind, tooltip])
  is<string | undefined>()(language.actions(text, { from: 0, to: 0 }, context)[0]?.title)
  // @ts-expect-error an offset is needed
  language.hover(text)
}

export function editors(monaco: MonacoModule, view: CodeMirrorView, service: NonNullable<EditorOptions['service']>): void {
  const options: EditorOptions = {
    context: async () => ({ devices: [] }),
    service,
    highlight: true,
    completion: true,
    hover: true,
    lint: true,
    rename: true,
    folding: true,
    inlay: false,
    onDiagnostics: (found, text) => found.map(({ from, to, code, fixes }) => [text.slice(from, to), code, fixes.length]),
  }
  is<CodeMirrorExtension>()(tailnetPolicy({ ...options, context: {} }))
  is<CodeMirrorExtension>()(tailnetPolicy())
  is<CodeMirrorExtension>()(tailnetPolicy({ format: (text) => text.trim() }))
  is<boolean>()(formatPolicy(view))
  const registered: Disposable = register(monaco, { ...options, languageId: 'policy' })
  registered.dispose()
}
