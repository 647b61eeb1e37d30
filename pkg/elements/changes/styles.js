// What the list of changes looks like: danger is loud, gains are not green. Must not live here: what all elements share.

export const styles = `
ol { display: grid; gap: 0.35em; }
li { border-inline-start: 4px solid var(--_line); border-radius: 2px; padding: 0.25em 0.7em; overflow-wrap: anywhere; }
.danger, .warning { border-radius: var(--_radius); padding: 0.5em 0.7em; font-weight: 600; }
.danger { color: var(--_loss); background: var(--_loss-surface); border-color: var(--_loss); }
.warning { color: var(--_warning); background: var(--_warning-surface); border-color: var(--_warning); }
.danger button.link, .warning button.link { color: inherit; }
.danger::before { content: "⚠ " / ""; }
.loss { border-color: var(--_loss); }
.gain { border-color: var(--_gain); }
.undecided { border-inline-start-style: dashed; border-color: var(--_warning); }
.marked { outline: 2px solid var(--_accent); outline-offset: 1px; }
@media (forced-colors: active) {
  .danger, .warning { border: 2px solid; border-inline-start-width: 8px; }
}
`
