// Lines that are wider than the editor go on below their own indentation. Must not live here: how wide a line is, what it says.

import { RangeSetBuilder } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin } from '@codemirror/view'

/** The deepest indentation that is kept, in characters: beyond it too little of a narrow editor would be left. */
const DEEPEST = 24
const depths = Array.from({ length: DEEPEST }, (_, index) => index + 1)
const lines = depths.map((depth) => Decoration.line({ class: `hang-${depth}` }))

/** A class for each depth, as a strict Content-Security-Policy allows no style of a line's own. */
const look = EditorView.theme(
  Object.fromEntries(depths.map((depth) => [`.cm-line.hang-${depth}`, { paddingInlineStart: `calc(6px + ${depth}ch)`, textIndent: `-${depth}ch` }])),
)

/** How many characters a line is indented by. */
function depthOf(text, tabSize) {
  let depth = 0
  for (const sign of text) {
    if (sign === '\t') depth += tabSize - (depth % tabSize)
    else if (sign === ' ') depth++
    else break
  }
  return Math.min(depth, DEEPEST)
}

function indented({ state, visibleRanges }) {
  const built = new RangeSetBuilder()
  for (const { from, to } of visibleRanges) {
    for (let line = state.doc.lineAt(from); line.from <= to; line = state.doc.line(line.number + 1)) {
      const depth = depthOf(line.text, state.tabSize)
      if (depth > 0) built.add(line.from, line.from, lines[depth - 1])
      if (line.number === state.doc.lines) break
    }
  }
  return built.finish()
}

const hanging = ViewPlugin.define(
  (view) => ({
    decorations: indented(view),
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = indented(update.view)
    },
  }),
  { decorations: ({ decorations }) => decorations },
)

export const hangingIndent = [look, hanging]
