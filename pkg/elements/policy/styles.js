// What the editor of a policy looks like. Must not live here: what all elements share.

export const styles = `
:host { display: flex; flex-direction: column; block-size: var(--tailnet-policy-size, 38rem); }
.status { margin: 0; padding: 0.35em 0.6em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.status:not(.waiting)::before { content: "✓ " / ""; }
:host(:state(past)) .status { opacity: 0.65; }
:host(:state(refused)) .status { color: var(--_loss); }
:host(:state(refused)) .status::before { content: "✕ " / ""; }
.body { display: flex; flex-direction: column; flex: 1; min-block-size: 0; }
.body[aria-busy=true] .findings { opacity: 0.65; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3em; padding: 0.3em 0.6em; border-block: 1px solid var(--_line); }
.bar [aria-pressed=true] { background: var(--_accent); color: var(--_surface); border-color: var(--_accent); }
.bar :is(button, summary) { padding-inline: 0.5em; font-size: 0.95em; }
.bar .views { display: flex; margin-inline-end: auto; }
.bar .views button { border-radius: 0; margin-inline-start: -1px; }
.offer { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4em 0.8em; padding: 0.35em 0.6em; background: var(--_warning-surface); }
.offer:empty { display: none; }
.bar [aria-disabled=true] { color: var(--_quiet); cursor: default; }
.place, .form { flex: 1; min-block-size: 6em; overflow: auto; }
.place { display: flex; }
.place > * { flex: 1; min-inline-size: 0; margin: 0; }
pre, .early { padding: 0.3em 3em; font: 0.85em/1.55 var(--_code); white-space: pre-wrap; overflow-wrap: anywhere; }
.early { border: 0; border-radius: 0; resize: none; field-sizing: fixed; }
.findings { max-block-size: 11em; overflow: auto; border-block-start: 1px solid var(--_line); padding: 0.35em 0.6em; flex: none; }
.findings:empty { display: none; }
.findings li { border-inline-start: 4px solid var(--_line); padding-inline-start: 0.6em; margin-block: 0.2em; overflow-wrap: anywhere; }
.findings .error { border-color: var(--_loss); }
.findings .error strong { color: var(--_loss); }
.findings .warning { border-color: var(--_warning); }
.findings .warning strong { color: var(--_warning); }
.cm-editor { font-size: 0.85em; background: var(--_surface); color: var(--_text); }
.cm-editor.cm-focused { outline: 0; }
.cm-editor .cm-scroller { font-family: var(--_code); line-height: 1.55; }
.cm-editor .cm-content { caret-color: var(--_text); }
.cm-editor .cm-cursor { border-left-color: var(--_text); }
.cm-editor .cm-gutters { background: var(--_surface); color: var(--_quiet); border: 0; padding-inline-end: 5px; }
.cm-editor .cm-activeLine { background: color-mix(in srgb, var(--_raised) 60%, transparent); }
.cm-editor .cm-activeLineGutter { background: var(--_raised); }
.cm-editor .cm-line.marked { background: var(--_warning-surface); box-shadow: inset 3px 0 var(--_warning); }
.cm-editor :is(.cm-tooltip, .cm-panels) { background: var(--_raised); color: var(--_text); border-color: var(--_line); }
.cm-editor .cm-search { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3em; padding: 0.4em 2em 0.4em 0.6em; font: inherit; }
.cm-editor .cm-search :is(button, .cm-textfield) { color: inherit; background: var(--_surface); border: 1px solid var(--_line); border-radius: var(--_radius); margin: 0; font-size: 0.9em; }
.cm-search > br { display: none; }
.cm-editor .cm-search [name=close] { position: absolute; inset: 0.4em 0.4em auto auto; border: 0; min-height: 0; }
.cm-editor :is(.cm-searchMatch, .cm-selectionMatch) { background: var(--_warning-surface); outline: 1px solid var(--_warning); }
.cm-editor .cm-selectionBackground, .cm-editor.cm-focused .cm-selectionBackground { background: color-mix(in srgb, var(--_accent) 25%, transparent) !important; }
.differences { inline-size: 5px; margin-inline-end: -5px; }
.differences .difference { position: relative; }
.differences .added { background: var(--_gain); }
.differences .changed { background: repeating-linear-gradient(135deg, var(--_gain) 0 3px, transparent 3px 5px); }
.differences .removed { border-block-start: 3px solid var(--_loss); }
.cm-editor .cm-deletedChunk { background: var(--_loss-surface); }
.cm-editor .cm-changedLine { background: var(--_gain-surface) !important; }
.cm-editor :is(.cm-deletedText, .cm-changedText) { background: none !important; text-decoration: underline; text-decoration-thickness: 2px; }
.cm-editor .cm-deletedLine del { text-decoration: none; }
.cm-editor .cm-collapsedLines { background: var(--_raised); color: var(--_quiet); }
.cm-editor .cm-collapsedLines::before, .cm-editor .cm-collapsedLines::after { content: "⋯" / ""; }
.cm-editor .cm-gutters .cm-lint-marker { content: normal; inline-size: 1em; text-align: center; font-weight: 700; }
.cm-editor .cm-lint-marker-error::before { content: "✕" / ""; color: var(--_loss); }
.cm-editor .cm-lint-marker-warning::before { content: "▲" / ""; color: var(--_warning); }
.cm-editor .cm-lint-marker-info::before { content: "i" / ""; color: var(--_accent); }
details:not(.menu) { border-block-end: 1px solid var(--_line); padding: 0.4em 0.6em; }
details:not(.menu) > summary { cursor: pointer; font-weight: 600; }
.row { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0.3em 0.6em; padding: 0.3em 0; }
.row + .row, ol + .row { border-block-start: 1px solid color-mix(in srgb, var(--_line) 50%, transparent); }
.field { display: grid; flex: 1 1 11em; font-size: 0.85em; }
.field span { color: var(--_quiet); }
textarea { font: 0.95em/1.4 var(--_code); color: inherit; background: var(--_surface); border: 1px solid var(--_line); border-radius: var(--_radius); padding: 0.2em 0.4em; resize: vertical; field-sizing: content; }
.field input { font-family: var(--_code); min-height: 0; }
.tools { display: flex; gap: 0.25em; font-size: 0.85em; align-self: center; }
.rest { flex-basis: 100%; color: var(--_quiet); }
@media (forced-colors: active) {
  .differences .difference { border-inline-start: 4px solid Highlight; }
  .cm-editor .cm-line.marked { border-inline-start: 3px solid Highlight; }
  .bar [aria-pressed=true] { border: 3px solid Highlight; }
}
`
