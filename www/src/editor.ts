// The editor of the page: CodeMirror with the kit's extension for policies, and what only this page does with it. It lives in
// a shadow root, where the page's Content-Security-Policy allows its styles. Must not live here: what a policy means.
import { history, historyField, isolateHistory, redo, undo } from '@codemirror/commands'
import { lintGutter, nextDiagnostic } from '@codemirror/lint'
import {
  type ChangeDesc,
  type ChangeSpec,
  ChangeSet,
  Compartment,
  EditorState,
  type EditorStateConfig,
  type Extension,
  type Line,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { formatPolicy, tailnetPolicy } from 'tailnet-kit/codemirror'
import { type TextEdit, hujson } from 'tailnet-kit/slim'
import styles from './editor.css?inline'
import { known, once, startText } from './kit.js'
import { service, startLanguage } from './language.js'

const setMarks = StateEffect.define<DecorationSet>()
const marked = Decoration.line({ class: 'cm-marked' })
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { effects, changes }) => effects.find((effect) => effect.is(setMarks))?.value ?? shown.map(changes),
  provide: (field) => EditorView.decorations.from(field),
})

/** A text at the time when a question about it was asked. Its lines, which count from 1, lead to where they are now. */
export interface Reading {
  readonly text: string
  /** Whether the editor holds another text now. */
  isPast(): boolean
  /** The rule that begins on a line, written in one line. */
  rule(line: number): string
  /** Brings a line into view and puts the cursor there. */
  goTo(line: number): void
  /** Marks the rules that begin on these lines, in place of those marked before. */
  mark(lines: number[]): void
}

/** What an editor begins with, and what it calls. */
export interface Beginning {
  /** The element that it is put into. */
  parent: HTMLElement
  doc: string
  /** What `past` of an earlier editor with the same text returned: the changes made there can still be undone. */
  past?: unknown
  /** Called after every change. */
  onChange(): void
  /** Called when somebody presses the key that saves. */
  onSave(): void
}

export type Editor = ReturnType<typeof createEditor>

/** Lays a text out with what the page has loaded. */
async function format(text: string): Promise<string> {
  await startText()
  return hujson.format(text)
}

/** The lines of the rule that begins on line `first`, up to its closing bracket. Found in the text, as the syntax tree may lag behind. */
function ruleAt(doc: Text, first: number): Line[] {
  const lines = []
  for (let depth = 0; first <= doc.lines && (depth > 0 || !lines.length); first++) {
    const line = doc.line(first)
    const bare = line.text.replace(/"(\\.|[^"\\])*"|\/\/.*|\/\*.*?\*\//g, '')
    depth += bare.split('{').length - bare.split('}').length
    lines.push(line)
  }
  return lines
}

/** The document with the past of an earlier editor, or with none where that one had another text. */
function stateOf({ doc, past }: Beginning, extensions: EditorStateConfig): EditorState {
  try {
    const json = past as { doc?: string } | undefined
    if (json?.doc === doc) return EditorState.fromJSON(json, extensions, { history: historyField })
  } catch {
    // Another version of the page kept it: then there is nothing to undo.
  }
  return EditorState.create({ ...extensions, doc })
}

/** The readings of an editor, which follow its changes for as long as somebody keeps them. */
function readingsOf(view: EditorView, parent: HTMLElement) {
  const readings = new Map<Reading, (changes: ChangeDesc) => void>()
  /** A reading of the text as it is now. */
  function read(): Reading {
    const { doc } = view.state
    let since: ChangeDesc = ChangeSet.empty(doc.length)
    const inside = (line: number) => doc.line(Math.max(1, Math.min(line, doc.lines)))
    const now = ({ from }: Line) => view.state.doc.lineAt(since.mapPos(from, 1)).from
    const reading: Reading = {
      text: doc.toString(),
      isPast: () => !view.state.doc.eq(doc),
      rule: (line) =>
        ruleAt(doc, line)
          .map(({ text }) => text.trim())
          .join(' ')
          .replace(/,$/, ''),
      goTo(line) {
        const anchor = now(inside(line))
        view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
        view.focus()
        parent.scrollIntoView({ block: 'nearest' })
      },
      mark(lines) {
        const starts = new Set(lines.flatMap((line) => ruleAt(doc, line)).map(now))
        view.dispatch({
          effects: setMarks.of(
            Decoration.set(
              [...starts].map((from) => marked.range(from)),
              true,
            ),
          ),
        })
      },
    }
    readings.set(reading, (changes) => void (since = since.composeDesc(changes)))
    return reading
  }
  const follow = (changes: ChangeDesc) => readings.forEach((each) => each(changes))
  /** Lets go of all other readings, whose lines nobody asks for any more. */
  function keepOnly(kept: (Reading | undefined)[]): void {
    for (const reading of readings.keys()) if (!kept.includes(reading)) readings.delete(reading)
  }
  return { read, follow, keepOnly }
}

export function createEditor(beginning: Beginning) {
  const { parent, onChange, onSave } = beginning
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  const [dark, scheme, differences] = [matchMedia('(prefers-color-scheme: dark)'), new Compartment(), new Compartment()]
  const extensions = [
    // Before the keys of the editor. Tab leaves the editor, for people without a mouse.
    keymap.of([{ key: 'Mod-s', run: () => (onSave(), true) }]),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    drawSelection(),
    history(),
    tailnetPolicy({ service, format, context: () => known }) as Extension,
    lintGutter(),
    marks,
    scheme.of(EditorView.darkTheme.of(dark.matches)),
    differences.of([]),
    matchMedia('(max-width: 720px)').matches ? EditorView.lineWrapping : [],
    EditorView.updateListener.of(({ docChanged, changes }) => {
      if (!docChanged) return
      follow(changes)
      onChange()
    }),
  ]
  const view = new EditorView({ parent: root, root, state: stateOf(beginning, { extensions }) })
  const { read, follow, keepOnly } = readingsOf(view, parent)
  dark.onchange = () => view.dispatch({ effects: scheme.reconfigure(EditorView.darkTheme.of(dark.matches)) })
  /** Loads what somebody needs only once they are in the editor: the usual keys, search, closing brackets, and the language service. */
  const entered = once(async () => {
    startLanguage()
    const { basicSetup } = await import('codemirror')
    view.dispatch({ effects: StateEffect.appendConfig.of(basicSetup) })
  })
  for (const event of ['pointerover', 'focusin']) parent.addEventListener(event, entered, { once: true })
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  /** The text that the lines are compared with. */
  let compared: string | undefined
  /** Changes the text in one step that can be undone. */
  const change = (changes: ChangeSpec) => view.dispatch({ changes, annotations: isolateHistory.of('full') })
  return {
    text: () => view.state.doc.toString(),
    /** Puts another text in place, as one step. */
    replace: (insert: string) => change({ from: 0, to: view.state.doc.length, insert }),
    /** Changes parts of the text as one step. The cursor stays where it is. */
    edit(edits: TextEdit[]): void {
      change(edits)
      if (edits[0]) view.dispatch({ effects: EditorView.scrollIntoView(edits[0].from, { y: 'center' }) })
    },
    /** Marks the lines that differ from a text. */
    async compare(base: string): Promise<void> {
      if (base === compared) return
      compared = base
      const { marks } = await import('../../pkg/elements/policy/differences.js')
      if (base === compared) view.dispatch({ effects: differences.reconfigure(marks(base)) })
    },
    format: () => void formatPolicy(view),
    undo: () => void undo(view),
    redo: () => void redo(view),
    /** Goes to the next issue. */
    next(): void {
      view.focus()
      nextDiagnostic(view)
    },
    /** What can be undone, as plain data. */
    past: (): unknown => view.state.toJSON({ history: historyField }),
    read,
    keepOnly,
  }
}
