// What the question and its answer look like. Must not live here: what all elements share.

export const styles = `
.fields { display: flex; flex-wrap: wrap; gap: 0.6em; margin-block-end: 0.6em; align-items: end; }
.fields label { display: grid; gap: 0.15em; flex: 1 1 12em; }
.fields label:has(select) { flex: 0 0 auto; }
.fields span { color: var(--_quiet); font-size: 0.875em; }
h3 { font-size: 1em; margin-block: 0.7em 0.2em; }
ol > li { border-inline-start: 3px solid var(--_line); padding: 0.15em 0.6em; margin-block: 0.3em; overflow-wrap: anywhere; }
.also { color: var(--_warning); }
ul.also { padding-inline-start: 1em; }
.status.allowed::before { content: "✓ " / ""; }
.status.denied::before { content: "✕ " / ""; }
.status.denied { color: var(--_loss); }
.status.partly, .status.unknown { color: var(--_warning); }
`
