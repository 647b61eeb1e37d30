// How the text in the editor differs from a base: marks in a gutter, or a view of the lines. Must not live here: what a difference means.

import { Chunk, unifiedMergeView } from '@codemirror/merge'
import { RangeSet, StateField, Text } from '@codemirror/state'
import { GutterMarker, gutter } from '@codemirror/view'

/** Large differences are found roughly rather than late. */
const CONFIG = { scanLimit: 500, timeout: 200 }
const FEW = 20

class Mark extends GutterMarker {
  constructor(kind, label) {
    super()
    Object.assign(this, { kind, label })
    this.elementClass = `difference ${kind}`
  }

  toDOM({ dom: { ownerDocument } }) {
    return Object.assign(ownerDocument.createElement('span'), { className: 'hidden', textContent: this.label })
  }
}
const MARKS = {
  added: new Mark('added', 'new line'),
  changed: new Mark('changed', 'changed line'),
  removed: new Mark('removed', 'lines removed here'),
}

function marksOf(chunks, doc) {
  const found = chunks.flatMap(({ fromA, toA, fromB, toB, endB }) => {
    if (fromB === toB) return [MARKS.removed.range(doc.lineAt(Math.min(fromB, doc.length)).from)]
    const [kind, marks] = [fromA === toA ? MARKS.added : MARKS.changed, []]
    for (let { from, to } = doc.lineAt(fromB); from <= endB; { from, to } = doc.lineAt(to + 1)) {
      marks.push(kind.range(from))
      if (to + 1 > doc.length) break
    }
    return marks
  })
  return RangeSet.of(found, true)
}

/** The differences after a change. They are followed change by change only where these are few: formatting makes thousands. */
function updated(chunks, before, doc, changes) {
  let count = 0
  changes.iterChangedRanges(() => count++)
  return count > FEW ? Chunk.build(before, doc, CONFIG) : Chunk.updateB(chunks, before, doc, changes, CONFIG)
}

/** Marks in a gutter at each line that differs from the base. */
export function marks(base) {
  const before = Text.of(base.split('\n'))
  const field = StateField.define({
    create: ({ doc }) => of(Chunk.build(before, doc, CONFIG), doc),
    update: (shown, { docChanged, changes, newDoc }) => (docChanged ? of(updated(shown.chunks, before, newDoc, changes), newDoc) : shown),
  })
  const of = (chunks, doc) => ({ chunks, marks: marksOf(chunks, doc) })
  return [field, gutter({ class: 'differences', markers: ({ state }) => state.field(field).marks })]
}

/** The lines that went above those that came, with what did not change folded. */
export const lines = (base) =>
  unifiedMergeView({ original: base, mergeControls: false, syntaxHighlightDeletions: false, collapseUnchanged: { margin: 3, minSize: 6 }, diffConfig: CONFIG })

/** How many lines came and went. */
export function count(base, text) {
  const [before, after] = [base, text].map((each) => Text.of(each.split('\n')))
  const tall = (doc, from, to) => (from === to ? 0 : doc.lineAt(Math.min(to - 1, doc.length)).number - doc.lineAt(from).number + 1)
  const chunks = Chunk.build(before, after, CONFIG)
  return {
    added: chunks.reduce((sum, { fromB, toB }) => sum + tall(after, fromB, toB), 0),
    removed: chunks.reduce((sum, { fromA, toA }) => sum + tall(before, fromA, toA), 0),
  }
}
