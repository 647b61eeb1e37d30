// Folding with the ranges of the service. Must not live here: what can be folded.

import { codeFolding, foldGutter, foldKeymap, foldService } from '@codemirror/language'
import { Prec, StateEffect, StateField } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { following } from './following.js'

const setRanges = StateEffect.define()
const isNew = (effect) => effect.is(setRanges)
const moved = ({ from, to }, changes) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) })
const ranges = StateField.define({
  create: () => [],
  update: (before, { effects, changes, docChanged }) => effects.find(isNew)?.value ?? (docChanged ? before.map((range) => moved(range, changes)) : before),
})

/** The outermost range that begins on the line and goes beyond it. */
const ofLine = (state, start, end) => state.field(ranges).find(({ from, to }) => from >= start && from <= end && to > end) ?? null

const gutter = foldGutter({ foldingChanged: ({ transactions }) => transactions.some(({ effects }) => effects.some(isNew)) })
/** An editor's own fold gutter, such as that of `basicSetup`, does not update when ranges come later: only the last gutter, which is this one, is shown. */
const alone = EditorView.baseTheme({ '.cm-foldGutter:has(~ .cm-foldGutter)': { display: 'none !important' } })

export const fold = (ask) => [
  ranges,
  following((text) => ask('folding', text), setRanges, { delay: 100 }),
  foldService.of(ofLine),
  codeFolding(),
  alone,
  Prec.lowest(gutter),
  keymap.of(foldKeymap),
]
