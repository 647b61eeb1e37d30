// The editor of the page: CodeMirror with the kit's extension for policies, in a root of its own, whose styles need no leave of the
// page's Content-Security-Policy; and what only this page does with it. Must not live here: what a policy means.
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
import { known, once, start } from './kit.js'
import { service, startLanguage } from './language.js'

const setMarks = StateEffect.define<DecorationSet>()
const marked = Decoration.line({ class: 'cm-marked' })
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { effects, changes }) => effects.find((effect) => effect.is(setMarks))?.value ?? shown.map(changes),
  provide: (field) => EditorView.decorations.from(field),
})

/** A text as it was when it was asked about. Its lines, which count from 1, lead to where they stand by now. */
export interface Reading {
  readonly text: string
  /** Whether the editor holds another text by now. */
  isPast(): boolean
  /** The rule that begins on a line, in one line. */
  rule(line: number): string
  /** Brings a line into view and puts the cursor there. */
  goTo(line: number): void
  /** Marks the rules that begin on these lines, in place of those marked before. */
  mark(lines: number[]): void
}

/** What an editor begins with, and whom it tells. */
export interface Beginning {
  /** Where it goes. */
  parent: HTMLElement
  doc: string
  /** What `past` of an editor gave that had the same text: its changes can be undone still. */
  past?: unknown
  /** Called after every change. */
  onChange(): void
  /** Called by the keys of saving. */
  onSave(): void
}

export type Editor = ReturnType<typeof createEditor>

/** Lays a text out with what the page has loaded. */
async function format(text: string): Promise<string> {
  await start()
  return hujson.format(text)
}

/** The lines of the rule that begins on one, to where its brackets close: by the text, as colours may lag behind. */
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

/** The same document with the past of another editor, or none where that does not fit. */
function stateOf({ doc, past }: Beginning, extensions: EditorStateConfig): EditorState {
  try {
    const json = past as { doc?: string } | undefined
    if (json?.doc === doc) return EditorState.fromJSON(json, extensions, { history: historyField })
  } catch {
    // Kept by another version of the page: then there is nothing to undo.
  }
  return EditorState.create({ ...extensions, doc })
}

/** The readings of an editor, which follow its changes until nobody keeps them. */
function readingsOf(view: EditorView, parent: HTMLElement) {
  const readings = new Map<Reading, (changes: ChangeDesc) => void>()
  /** The text as it is now, to be asked about. */
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
  /** Nobody asks for the lines of any other reading any more. */
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
  const [dark, scheme] = [matchMedia('(prefers-color-scheme: dark)'), new Compartment()]
  const extensions = [
    // Before the keys of the editor; Tab leaves it: who has no mouse must be able to.
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
  /** What nobody sees before they come here: the usual keys, search, brackets that close; and who answers what they will ask soon. */
  const entered = once(async () => {
    startLanguage()
    const { basicSetup } = await import('codemirror')
    view.dispatch({ effects: StateEffect.appendConfig.of(basicSetup) })
  })
  for (const event of ['pointerover', 'focusin']) parent.addEventListener(event, entered, { once: true })
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  /** As one step that can be undone. */
  const change = (changes: ChangeSpec) => view.dispatch({ changes, annotations: isolateHistory.of('full') })
  return {
    text: () => view.state.doc.toString(),
    /** Puts another text in place, as one step. */
    replace: (insert: string) => change({ from: 0, to: view.state.doc.length, insert }),
    /** Changes parts of the text as one step. The cursor stays where it is. */
    edit: (edits: TextEdit[]) => change(edits),
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
