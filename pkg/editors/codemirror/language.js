// HuJSON's syntax for the editor: comments, brackets, indentation. Must not live here: questions to the service.

import { indentService, indentUnit } from '@codemirror/language'
import { EditorState, Prec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

const WORDS = [{ commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, closeBrackets: { brackets: ['{', '[', '"'] }, indentOnInput: /^\s*[\]}]$/ }]

/** The indentation of a line: that of the line above, one level more after an opening bracket, one less before a closing one. */
function indentation(context, pos) {
  const { doc } = context.state
  const upTo = context.lineAt(pos, -1)
  const above = upTo.from < pos ? upTo : doc.line(Math.max(1, doc.lineAt(pos).number - 1))
  const opens = /[[{]\s*(\/\/.*)?$/.test(above.text)
  const closes = /^\s*[\]}]/.test(context.textAfterPos(pos))
  return Math.max(0, context.lineIndent(above.from) + (Number(opens) - Number(closes)) * context.unit)
}

/** The indentation of the first indented line, or a tab. */
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
  // The text's own indentation, unless the page says otherwise.
  Prec.lowest(indentUnit.compute(['doc'], unit)),
  // The name for screen readers, unless the page says otherwise; `tabindex`, as some accessibility checkers do not count editable text as focusable.
  Prec.lowest(EditorView.contentAttributes.of({ 'aria-label': 'Tailnet policy', tabindex: '0' })),
]
