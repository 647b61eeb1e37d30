// The policy editor: CodeMirror with HuJSON colours. Must not live here: what a policy means.
import { isolateHistory, undo } from '@codemirror/commands';
import { StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { json } from '@codemirror/legacy-modes/mode/javascript';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { type Line, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap } from '@codemirror/view';
import { classHighlighter, tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import type { Issue } from 'tailnet-kit/slim';

const setMarks = StateEffect.define<DecorationSet>();
const marked = Decoration.line({ class: 'cm-marked' });
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { effects, changes }) => effects.find((effect) => effect.is(setMarks))?.value ?? shown.map(changes),
  provide: (field) => EditorView.decorations.from(field),
});

export type Editor = ReturnType<typeof createEditor>;

/** An editor of a text: `onChange` is called after every change, `onSave` by the keys of saving. Lines count from 1. */
export function createEditor(parent: HTMLElement, doc: string, onChange: () => void, onSave: () => void) {
  const extensions = [
    // Before the keys of the editor; Tab leaves it: who has no mouse must be able to.
    keymap.of([{ key: 'Mod-s', run: () => (onSave(), true) }]),
    basicSetup,
    lintGutter(),
    marks,
    StreamLanguage.define({ ...json, tokenTable: { property: tags.propertyName } }),
    syntaxHighlighting(classHighlighter),
    EditorView.cspNonce.of(document.querySelector<HTMLElement>('[nonce]')?.nonce ?? ''),
    EditorView.contentAttributes.of({ 'aria-label': 'Policy text', tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
  ];
  const view = new EditorView({ parent, doc, extensions });
  /** The lines of the rule that begins on one, to where its brackets close: by the text, as colours may lag behind. */
  const rule = (first: number): Line[] => {
    const { doc } = view.state;
    const lines = [];
    for (let depth = 0; first <= doc.lines && (depth > 0 || !lines.length); first++) {
      const line = doc.line(first);
      const bare = line.text.replace(/"(\\.|[^"\\])*"|\/\/.*|\/\*.*?\*\//g, '');
      depth += bare.split('{').length - bare.split('}').length;
      lines.push(line);
    }
    return lines;
  };
  return {
    text: () => view.state.doc.toString(),
    /** Puts another text in place, as one step that can be undone. */
    replace(insert: string): void {
      const changes = { from: 0, to: view.state.doc.length, insert };
      view.dispatch({ changes, annotations: isolateHistory.of('full') });
    },
    undo: () => void undo(view),
    /** The text of the rule that begins on a line, in one line. */
    rule: (line: number) => rule(line).map(({ text }) => text.trim()).join(' ').replace(/,$/, ''),
    /** Brings a line into view and puts the cursor there. */
    goTo(line: number): void {
      const { from: anchor } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
      parent.scrollIntoView({ block: 'nearest' });
    },
    /** Marks the rules that begin on these lines, in place of those marked before. */
    mark(lines: number[]): void {
      const starts = new Set(lines.flatMap(rule).map(({ from }) => from));
      view.dispatch({ effects: setMarks.of(Decoration.set([...starts].map((from) => marked.range(from)), true)) });
    },
    /** Underlines issues, in place of those shown before: inside the text, at least one character wide. */
    report(issues: Issue[]): void {
      const inside = (offset: number) => Math.min(offset, view.state.doc.length);
      const drawn = issues.map(({ offset, length, severity, message, hint = '' }) =>
        ({ from: inside(offset), to: inside(offset + Math.max(length, 1)), severity, message: `${message}\n${hint}`.trim() }));
      view.dispatch(setDiagnostics(view.state, drawn));
    },
  };
}
