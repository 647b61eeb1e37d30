// The policy editor: CodeMirror with HuJSON colours; the merge of two people's texts. Must not live here: what a policy means.
import { defaultKeymap, history, historyKeymap, isolateHistory, undo } from '@codemirror/commands';
import { StreamLanguage, bracketMatching, matchBrackets, syntaxHighlighting } from '@codemirror/language';
import { json } from '@codemirror/legacy-modes/mode/javascript';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { diff } from '@codemirror/merge';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { ChangeSet, EditorState, StateEffect, StateField, Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter, tags } from '@lezer/highlight';
import type { Issue } from 'tailnet-kit/slim';

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

export type Editor = ReturnType<typeof createEditor>;

export function createEditor(parent: HTMLElement, text: string, onChange: () => void) {
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
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    EditorState.tabSize.of(2),
    EditorView.cspNonce.of(document.querySelector<HTMLElement>('[nonce]')?.nonce ?? ''),
    EditorView.contentAttributes.of({ 'aria-label': 'Policy text', tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  return {
    text: (): string => view.state.doc.toString(),
    /** Puts another text in place, as one step that can be undone. */
    replace: (insert: string): void =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, annotations: isolateHistory.of('full') }),
    undo: (): void => void undo(view),
    /** The text of the rule that begins on a line (1-based), in one line. */
    rule: (line: number): string =>
      linesOfRule(view.state, line).map((number) => view.state.doc.line(number).text.trim()).join(' ').replace(/,$/, ''),
    /** Brings a line (1-based) into view and puts the cursor there. */
    goTo(line: number): void {
      const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    /** Marks the rules that begin on these lines (1-based), in place of those marked before. */
    mark: (lines: number[]): void => view.dispatch({ effects: setMarks.of(lines) }),
    /** Underlines issues, in place of those shown before: inside the text, at least one character wide. */
    report(issues: Issue[]): void {
      const inside = (offset: number): number => Math.min(offset, view.state.doc.length);
      const drawn = ({ offset, length, severity, message, hint = '' }: Issue): Diagnostic =>
        ({ from: inside(offset), to: inside(offset + Math.max(length, 1)), severity, message: `${message}\n${hint}`.trim() });
      view.dispatch(setDiagnostics(view.state, issues.map(drawn)));
    },
  };
}

/** `theirs` with my changes to `base` applied as well; null where both rewrote the same words. */
export function merge(base: string, mine: string, theirs: string): string | null {
  const [my, their] = [changes(base, mine), changes(base, theirs)];
  let clash = false;
  my.iterChangedRanges((from, to) => their.touchesRange(from, to) && to > from && (clash = true));
  return clash ? null : my.map(their).apply(Text.of(theirs.split('\n'))).toString();
}

function changes(from: string, to: string): ChangeSet {
  const spans = diff(from, to).map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: to.slice(fromB, toB) }));
  return ChangeSet.of(spans, from.length);
}
