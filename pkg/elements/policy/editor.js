// CodeMirror with the extension for policies, in the root of an element. Must not live here: what a policy means, what is beside the editor.

import { defaultKeymap, history, historyField, historyKeymap, isolateHistory, redo, undo } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { lintGutter, nextDiagnostic } from '@codemirror/lint'
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  ViewPlugin,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips,
} from '@codemirror/view'
import { tailnetPolicy } from 'tailnet-kit/codemirror'
import { hangingIndent } from './indent.js'

export { formatPolicy as format } from 'tailnet-kit/codemirror'
export { nextDiagnostic as next, redo, undo }

/** The one edit that turns a text into another. */
function difference(before, after) {
  let from = 0
  while (from < before.length && from < after.length && before[from] === after[from]) from++
  let [to, end] = [before.length, after.length]
  while (to > from && end > from && before[to - 1] === after[end - 1]) [to, end] = [to - 1, end - 1]
  return { from, to, insert: after.slice(from, end) }
}

const lineAt = ({ doc, selection }) => doc.lineAt(selection.main.head).number

/** The text as the editor has it: it divides lines by line feeds alone. */
export const unified = (text) => text.replace(/\r\n?/g, '\n')

const setMarked = StateEffect.define()
const line = Decoration.line({ class: 'marked' })
/** Lines that the page marks, which move with the text. */
const marked = StateField.define({
  create: () => Decoration.none,
  update: (shown, { effects, changes }) => effects.find((effect) => effect.is(setMarked))?.value ?? shown.map(changes),
  provide: (field) => EditorView.decorations.from(field),
})

/** What is said of a word covers none of the buttons above the editor. */
const belowBar = tooltips({
  tooltipSpace({ dom }) {
    const { clientWidth: right, clientHeight: bottom } = dom.ownerDocument.documentElement
    return { top: Math.max(0, dom.getBoundingClientRect().top), left: 0, right, bottom }
  },
})

/** Search and closing brackets, which somebody needs only once they are in the editor. */
const later = ViewPlugin.define(() => ({}), {
  eventHandlers: {
    focus(_, view) {
      this.loading ??= import('./later.js').then(({ extension }) => view.dispatch({ effects: StateEffect.appendConfig.of(extension) }))
    },
  },
})

/** The document with the past of an earlier editor, or with none where that one had another text. */
function stateOf(doc, past, extensions) {
  try {
    if (past?.doc === doc) return EditorState.fromJSON(past, { extensions }, { history: historyField })
  } catch {
    // Another version of the package kept it: then there is nothing to undo.
  }
  return EditorState.create({ doc, extensions })
}

/**
 * An editor. `changed(text, isByPerson)` is called after each change, `moved(line)` when a person goes to another line, `saved()` for Mod-s: true if it
 * did. `service`, `format` and `context` are those of the extension.
 */
export class Editor {
  #differences = new Compartment()
  #dark = new Compartment()
  #own = false

  constructor({ parent, root, text, past, changed, moved, saved, ...extension }) {
    const extensions = [
      keymap.of([{ key: 'Mod-s', run: saved }]),
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      drawSelection(),
      history(),
      EditorView.lineWrapping,
      hangingIndent,
      tailnetPolicy(extension),
      lintGutter(),
      marked,
      bracketMatching(),
      indentOnInput(),
      belowBar,
      keymap.of([...defaultKeymap, ...historyKeymap]),
      later,
      this.#differences.of([]),
      this.#dark.of([]),
      EditorView.updateListener.of(({ docChanged, selectionSet, state, startState, view }) => {
        if (docChanged) changed(state.doc.toString(), !this.#own)
        else if (selectionSet && !this.#own && view.hasFocus && lineAt(state) !== lineAt(startState)) moved(lineAt(state))
      }),
    ]
    this.view = new EditorView({ parent, root, state: stateOf(text, past, extensions) })
  }

  get text() {
    return this.view.state.doc.toString()
  }

  /** What can be undone, as plain data. */
  get past() {
    return this.view.state.toJSON({ history: historyField })
  }

  /** Puts another text in place, in one step that can be undone. */
  replace(text, isByPerson = false) {
    const next = unified(text)
    if (next === this.text) return
    this.#dispatch({ changes: difference(this.text, next), annotations: isolateHistory.of('full') }, !isByPerson)
  }

  /** A step that no person took, unless it is said. */
  #dispatch(step, isOwn = true) {
    this.#own = isOwn
    this.view.dispatch(step)
    this.#own = false
  }

  /** Whether the page around is dark. */
  dark(isDark) {
    this.view.dispatch({ effects: this.#dark.reconfigure(EditorView.darkTheme.of(isDark)) })
  }

  /** Shows how the text differs from a base: an extension of `differences.js`. */
  compare(extension) {
    this.view.dispatch({ effects: this.#differences.reconfigure(extension) })
  }

  /** Puts the cursor at an offset, for whoever was there before the editor. */
  goTo(offset) {
    this.#dispatch({ selection: { anchor: Math.min(offset, this.view.state.doc.length) }, scrollIntoView: true })
    this.view.focus()
  }

  /** Brings a line into view, with the cursor. */
  reveal(number) {
    const { doc } = this.view.state
    const anchor = doc.line(Math.max(1, Math.min(number, doc.lines))).from
    this.#dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    this.view.focus()
  }

  /** Marks these lines, in place of those marked before. The editor brings the first into view, and the page stays where it is: nobody went there. */
  mark(numbers) {
    const { doc } = this.view.state
    const starts = [...new Set(numbers)].filter((number) => number >= 1 && number <= doc.lines).map((number) => doc.line(number).from)
    const lines = starts.map((from) => line.range(from))
    this.view.dispatch({ effects: setMarked.of(Decoration.set(lines, true)) })
    if (starts.length === 0) return
    const first = Math.min(...starts)
    this.view.requestMeasure({
      read: (view) => view.lineBlockAt(first).top - view.scrollDOM.clientHeight / 2,
      write: (top, view) => view.scrollDOM.scrollTo(0, top),
    })
  }

  destroy() {
    this.view.destroy()
  }
}
