// What lists and settings of a service look like, at whatever width they have. Must not live here: what all elements share.

export const styles = `
:host { container-type: inline-size; --_good: var(--tailnet-good, light-dark(#136c3a, #7fd6a2)); }
small { font-size: 0.875em; color: var(--_quiet); }
.status { margin-block-end: 0.4em; font-weight: 400; }
input[type=checkbox] { min-height: 0; }
.body { display: grid; gap: 12px; }
input:not([type=checkbox]), textarea, select { width: 100%; padding: 0.35em 0.7em; }
textarea { font: inherit; font-family: var(--_code); color: inherit; background: var(--_raised); border: 1px solid var(--_line); border-radius: var(--_radius); resize: vertical; display: block; }
::placeholder { color: var(--_quiet); opacity: 1; }
button { white-space: nowrap; }
.bad { color: var(--_loss); }
.soon, .warning { color: var(--_warning); }
.online { color: var(--_good); }
.offline { color: var(--_quiet); }
.warning { overflow-wrap: anywhere; }
.bar > input { width: min(100%, 400px); }
.field { display: grid; gap: 3px; }
.field > span { font-size: 0.875em; color: var(--_quiet); }
.choice { display: flex; gap: 9px; align-items: center; }
.badge { font: 0.875em/1.5 var(--_code); padding: 0 7px; margin-inline-start: 6px; border: 1px solid var(--_line); border-radius: 4px; background: var(--_raised); color: var(--_quiet); overflow-wrap: anywhere; }
.badge.active { color: var(--_good); }
.badge.pending { color: var(--_warning); }
.card, .scroll { border: 1px solid var(--_line); border-radius: 10px; background: var(--_surface); min-width: 0; }
.card { display: grid; gap: 8px; padding: 12px 14px 14px; }
.scroll { position: relative; overflow: auto; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 16px; align-items: start; }
.stack { display: grid; gap: 16px; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 220px), 1fr)); gap: 12px; }
form { display: grid; gap: 10px; }
.secret { display: grid; gap: 8px; padding: 12px 14px; border-radius: 8px; background: var(--_warning-surface); }
.secret code { user-select: all; }

table { border-collapse: collapse; width: 100%; }
th, td { padding: 7px 14px; text-align: start; white-space: nowrap; border-bottom: 1px solid var(--_line); font-weight: 400; }
tbody th { font-weight: 550; }
thead th { padding: 6px 14px; background: var(--_raised); font-size: 0.875em; color: var(--_quiet); }
tbody tr:last-child > * { border-bottom: 0; }
.item select { width: auto; }
.item :is(button, select) { padding: 1px 10px; font-size: 0.9em; }
.unfold::before { content: "▸" / ""; display: inline-block; margin-inline-end: 6px; color: var(--_quiet); }
.unfold[aria-expanded=true]::before { transform: rotate(90deg); }
.tools .toolbar { justify-content: end; flex-wrap: nowrap; }
.sort { border: 0; padding: 2px 0; min-height: 0; background: none; color: inherit; font-weight: 600; }
[aria-sort=ascending] .sort::after { content: " ↑" / ""; }
[aria-sort=descending] .sort::after { content: " ↓" / ""; }
.online::before, .offline::before { content: ""; display: inline-block; width: 7px; height: 7px; margin-inline-end: 7px; border-radius: 50%; background: var(--_good); }
.offline::before { background: none; box-shadow: inset 0 0 0 1.5px currentcolor; }
td > .badge:first-child { margin-inline-start: 0; }
.more > td { background: var(--_raised); white-space: normal; }
.routing { display: grid; gap: 8px; padding: 4px 0; max-width: 640px; }
.routes .choice { padding: 3px 0; }
.routing .field { flex: 1 1 160px; }

.numbered { display: grid; grid-template-columns: auto minmax(0, 1fr); border: 1px solid var(--_line); border-radius: 6px; background: var(--_raised); overflow: clip; }
.numbered:focus-within { outline: 2px solid var(--_accent); outline-offset: -1px; }
.numbered > textarea { border: 0; border-radius: 0; resize: none; outline: 0; padding: 5px 10px; font: 12.5px/1.5 var(--_code); tab-size: 4; }
.numbers { padding: 5px 8px; font: 12.5px/1.5 var(--_code); text-align: end; color: var(--_quiet); font-variant-numeric: tabular-nums; min-width: 2.6em; }
.numbers > :is(.error, .warning) { margin: 0 -8px; padding: 0 8px; font-weight: 650; }
.numbers > .error { background: var(--_loss-surface); color: var(--_loss); }
.numbers > .warning { background: var(--_warning-surface); color: var(--_warning); }

@container (max-width: 1239px) {
  table, thead, tbody, .more, .more > td { display: block; }
  thead tr { display: flex; flex-wrap: wrap; gap: 0 16px; padding: 6px 14px; background: var(--_raised); border-bottom: 1px solid var(--_line); }
  thead th { padding: 0; border: 0; }
  .item { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 8px 14px; padding: 12px 14px; border-bottom: 1px solid var(--_line); }
  .item > :is(th, td) { padding: 0; border: 0; white-space: normal; overflow-wrap: anywhere; }
  .item > th { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 6px; grid-column: 1 / -2; font-size: 1.07em; }
  .item > th > .badge { margin: 0; }
  .item > .tools { grid-area: 1 / -2 / auto / -1; }
  .item .toolbar { flex-wrap: wrap; }
  .item > td[data-title]::before { content: attr(data-title); display: block; font-size: 0.8em; color: var(--_quiet); }
  .item .unfold { padding: 1px 6px; white-space: normal; text-align: start; }
}
@media (pointer: coarse) {
  button:not(.link), input:not([type=checkbox]), select { min-height: 38px; }
}
@media (forced-colors: active) {
  .online::before, .offline::before { forced-color-adjust: none; }
}
`
