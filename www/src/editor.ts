// The policy editor: CodeMirror with HuJSON colours. Must not live here: what a policy means.
import { defaultKeymap, history, historyKeymap, isolateHistory, undo } from '@codemirror/commands';
import { StreamLanguage, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { json } from '@codemirror/legacy-modes/mode/javascript';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter, tags } from '@lezer/highlight';
import type { Issue } from 'tailnet-kit/slim';

const setMarks = StateEffect.define<DecorationSet>();
const markedLine = Decoration.line({ class: 'cm-marked' });

/** The lines of a rule, to the one that closes its brackets. It asks the text: the parse for colours may lag behind. */
function linesOfRule({ doc }: EditorState, first: number): number[] {
  const lines = [];
  for (let [at, depth] = [first, 0]; at >= 1 && at <= doc.lines; at++) {
    const bare = doc.line(at).text.replace(/"(\\.|[^"\\])*"|\/\/.*|\/\*.*?\*\//g, '');
    depth += bare.split('{').length - bare.split('}').length;
    lines.push(at);
    if (depth <= 0) break;
  }
  return lines;
}

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { effects, changes }) => effects.find((effect) => effect.is(setMarks))?.value ?? shown.map(changes),
  provide: (field) => EditorView.decorations.from(field),
});

export type Editor = ReturnType<typeof createEditor>;

/** An editor of a text: `onChange` is called after every change, `onSave` by the keys of saving. */
export function createEditor(parent: HTMLElement, doc: string, onChange: () => void, onSave: () => void) {
  const extensions = [
    lineNumbers(),
    history(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    lintGutter(),
    marks,
    StreamLanguage.define({ ...json, tokenTable: { property: tags.propertyName } }),
    syntaxHighlighting(classHighlighter),
    // Tab leaves the editor: who has no mouse must be able to.
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, { key: 'Mod-s', run: () => (onSave(), true) }]),
    EditorState.tabSize.of(2),
    EditorView.cspNonce.of(document.querySelector<HTMLElement>('[nonce]')?.nonce ?? ''),
    EditorView.contentAttributes.of({ 'aria-label': 'Policy text', tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
  ];
  const view = new EditorView({ parent, doc, extensions });
  const lineAt = (number: number) => view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  return {
    text: () => view.state.doc.toString(),
    /** Puts another text in place, as one step that can be undone. */
    replace(insert: string): void {
      const changes = { from: 0, to: view.state.doc.length, insert };
      view.dispatch({ changes, annotations: isolateHistory.of('full') });
    },
    undo: () => void undo(view),
    /** The text of the rule that begins on a line (1-based), in one line. */
    rule: (line: number) =>
      linesOfRule(view.state, line).map((number) => lineAt(number).text.trim()).join(' ').replace(/,$/, ''),
    /** Brings a line (1-based) into view and puts the cursor there. */
    goTo(line: number): void {
      const { from } = lineAt(line);
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
      parent.scrollIntoView({ block: 'nearest' });
    },
    /** Marks the rules that begin on these lines (1-based), in place of those marked before. */
    mark(lines: number[]): void {
      const all = new Set(lines.flatMap((line) => linesOfRule(view.state, line)));
      const marked = Decoration.set([...all].map((line) => markedLine.range(lineAt(line).from)), true);
      view.dispatch({ effects: setMarks.of(marked) });
    },
    /** Underlines issues, in place of those shown before: inside the text, at least one character wide. */
    report(issues: Issue[]): void {
      const inside = (offset: number) => Math.min(offset, view.state.doc.length);
      const drawn = ({ offset, length, severity, message, hint = '' }: Issue): Diagnostic => {
        const [from, to] = [inside(offset), inside(offset + Math.max(length, 1))];
        return { from, to, severity, message: `${message}\n${hint}`.trim() };
      };
      view.dispatch(setDiagnostics(view.state, issues.map(drawn)));
    },
  };
}
