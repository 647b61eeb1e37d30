// The policy editor: CodeMirror with HuJSON colours. Must not live here: what a policy means.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { json } from '@codemirror/legacy-modes/mode/javascript';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Issue } from 'tailnet-kit';

export interface Editor {
  text(): string;
  /** Brings a line (1-based) into view and puts the cursor there. */
  goTo(line: number): void;
  /** Marks whole lines (1-based), in place of those marked before. */
  mark(lines: number[]): void;
  /** Underlines issues, in place of those shown before. */
  report(issues: Issue[]): void;
}

const setMarks = StateEffect.define<number[]>();
const markedLine = Decoration.line({ class: 'cm-marked' });

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const { doc } = transaction.state;
      const lines = effect.value.filter((line) => line >= 1 && line <= doc.lines);
      return Decoration.set(lines.map((line) => markedLine.range(doc.line(line).from)), true);
    }
    return shown.map(transaction.changes);
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
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        bracketMatching(),
        highlightSelectionMatches(),
        lintGutter(),
        marks,
        StreamLanguage.define(json),
        syntaxHighlighting(colours),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ 'aria-label': 'Policy text' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange();
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
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
