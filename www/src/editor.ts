// The policy editor: CodeMirror with HuJSON colours. Must not live here: what a policy means.
import { defaultKeymap, history, historyKeymap, isolateHistory, redo, undo } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, bracketMatching, matchBrackets, syntaxHighlighting } from '@codemirror/language';
import { json } from '@codemirror/legacy-modes/mode/javascript';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Issue } from 'tailnet-kit/slim';

export interface Editor {
  text(): string;
  /** Puts another text in place, as one step that can be undone. */
  replace(text: string): void;
  undo(): void;
  redo(): void;
  /** The text of the rule that begins on a line (1-based), in one line. */
  rule(line: number): string;
  /** Brings a line (1-based) into view and puts the cursor there. */
  goTo(line: number): void;
  /** Marks the rules that begin on these lines (1-based), in place of those marked before. */
  mark(lines: number[]): void;
  /** Underlines issues, in place of those shown before. */
  report(issues: Issue[]): void;
}

const setMarks = StateEffect.define<number[]>();
const markedLine = Decoration.line({ class: 'cm-marked' });

/** The lines from the one on which a rule's bracket opens to the one on which it closes. */
function linesOfRule(state: EditorState, number: number): number[] {
  if (number < 1 || number > state.doc.lines) return [];
  const { from, text } = state.doc.line(number);
  const end = matchBrackets(state, from + text.indexOf('{'), 1)?.end;
  const last = end ? state.doc.lineAt(end.from).number : number;
  return Array.from({ length: last - number + 1 }, (_, index) => number + index);
}

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { effects, state, changes }) {
    const asked = effects.find((effect) => effect.is(setMarks));
    if (!asked) return shown.map(changes);
    const lines = new Set((asked.value as number[]).flatMap((line) => linesOfRule(state, line)));
    return Decoration.set([...lines].map((line) => markedLine.range(state.doc.line(line).from)), true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const colours = HighlightStyle.define([
  { tag: tags.comment, class: 'tok-comment' },
  { tag: tags.propertyName, class: 'tok-name' },
  { tag: tags.string, class: 'tok-string' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: 'tok-atom' },
]);

export function createEditor(parent: HTMLElement, text: string, onChange: () => void): Editor {
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
    syntaxHighlighting(colours),
    // Tab leaves the editor: who has no mouse must be able to.
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({ 'aria-label': 'Policy text', tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  return {
    text: () => view.state.doc.toString(),
    replace: (insert) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, annotations: isolateHistory.of('full') }),
    undo: () => void undo(view),
    redo: () => void redo(view),
    rule: (line) => linesOfRule(view.state, line).map((number) => view.state.doc.line(number).text.trim()).join(' '),
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    mark: (lines) => view.dispatch({ effects: setMarks.of(lines) }),
    report: (issues) => view.dispatch(setDiagnostics(view.state, issues.map(asDiagnostic(view.state.doc.length)))),
  };
}

/** An issue where the editor draws it: inside the text, at least one character wide. */
const asDiagnostic = (length: number) => (issue: Issue): Diagnostic => ({
  from: Math.min(issue.offset, length),
  to: Math.min(issue.offset + Math.max(issue.length, 1), length),
  severity: issue.severity,
  message: issue.hint ? `${issue.message}\n${issue.hint}` : issue.message,
});
