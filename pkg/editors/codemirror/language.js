// What an editor knows of HuJSON as a text: comments, brackets, indentation. Must not live here: what it asks the service.

import { indentService, indentUnit } from '@codemirror/language'
import { EditorState, Prec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

const WORDS = [{ commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, closeBrackets: { brackets: ['{', '[', '"'] }, indentOnInput: /^\s*[\]}]$/ }]

/** As deep as the line above, one more behind an opening bracket, one less before a closing one. */
function indentation(context, pos) {
  const { doc } = context.state
  const upTo = context.lineAt(pos, -1)
  const above = upTo.from < pos ? upTo : doc.line(Math.max(1, doc.lineAt(pos).number - 1))
  const opens = /[[{]\s*(\/\/.*)?$/.test(above.text)
  const closes = /^\s*[\]}]/.test(context.textAfterPos(pos))
  return Math.max(0, context.lineIndent(above.from) + (Number(opens) - Number(closes)) * context.unit)
}

/** What the first line that is indented begins with, or a tab. */
function unit({ doc }) {
  for (const line of doc.iterLines()) {
    const [, found] = /^( +|\t)\S/.exec(line) ?? []
    if (found) return found
  }
  return '\t'
}

export const language = [
  EditorState.languageData.of(() => WORDS),
  indentService.of(indentation),
  // As the text has it, unless the page says otherwise.
  Prec.lowest(indentUnit.compute(['doc'], unit)),
  // What a screen reader calls it, unless the page says otherwise; and that keys can come here, which not every checker knows of what can be edited.
  Prec.lowest(EditorView.contentAttributes.of({ 'aria-label': 'Tailnet policy', tabindex: '0' })),
]
