// What the matrix looks like. Must not live here: what all elements share, colours of saved pictures.

export const styles = `
:host {
  --_some: var(--tailnet-cell, light-dark(#e6ecf7, #222c3f));
  --_all: var(--tailnet-cell-all, light-dark(#b9cdf3, #35507f));
}
.toolbar { display: flex; flex-wrap: wrap; gap: 0.4em; align-items: center; margin-block: 0.5em; }
.toolbar input[type=search] { inline-size: 12em; }
.choice { display: inline-flex; gap: 0.35em; align-items: center; }
.choice input { min-height: 0; inline-size: 1.1em; block-size: 1.1em; accent-color: var(--_accent); }
.grid {
  position: relative;
  overflow: auto;
  max-block-size: var(--tailnet-matrix-height, min(36rem, 80vh));
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  font: 0.8125rem/1.5 var(--_code);
}
.ruler { position: absolute; visibility: hidden; }
.sheet { position: relative; }
.header { position: sticky; inset-block-start: 0; z-index: 2; background: var(--_surface); border-block-end: 1px solid var(--_line); }
.column { position: absolute; top: 0; bottom: 0; display: flex; align-items: center; writing-mode: vertical-rl; rotate: 180deg; padding: 4px 0; overflow: hidden; }
.column > span, .row-head > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-inline-size: 100%; }
.row { position: absolute; contain: layout style; inset-inline-start: 0; }
.row-head {
  position: sticky;
  inset-inline-start: 0;
  z-index: 1;
  block-size: 100%;
  display: flex;
  align-items: center;
  padding-inline: 6px;
  background: var(--_surface);
  border-inline-end: 1px solid var(--_line);
}
.column, .row-head, .cell { cursor: pointer; }
.cell { position: absolute; contain: strict; inset-block: 1px; border: 1px solid transparent; border-inline-width: 2px; background-clip: padding-box; overflow: hidden; padding-inline: 2px; }
.cell > span { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; text-align: center; }
.some { background-color: var(--_some); }
.all { background-color: var(--_all); }
.gained { background-color: var(--_gain-surface); color: var(--_gain); }
.lost { background-color: var(--_loss-surface); color: var(--_loss); }
.undecided { background-color: var(--_warning-surface); color: var(--_warning); }
.same { color: var(--_text); }
.cell.gained, .cell.lost { border-color: currentcolor; }
.cell.wide { border-block-end: 2px dashed var(--_quiet); }
.cell span.gained, .cell span.lost, .cell span.undecided { background: none; font-weight: 600; }
:is(.cell, .row-head, .column):focus-visible { outline-offset: -2px; z-index: 1; }
.cell.marked { outline: 2px solid var(--_text); outline-offset: -2px; }
.legend { display: flex; flex-wrap: wrap; gap: 0.5em; margin-block: 0.5em; font-size: 0.8125rem; }
.legend span { border-inline-start: 0.6em solid; padding-inline: 0.5em; border-radius: 2px; }
.legend .some { border-color: light-dark(#8fa5cf, #4a5f88); }
.legend .all { border-color: light-dark(#3c68c4, #7ba3f0); }
.legend .gained { border-color: light-dark(#0b46ff, #4d8bff); }
.legend .lost, .legend .undecided { border-color: currentcolor; }
.legend .wide { border-inline-start: 0; border-block-end: 2px dashed var(--_quiet); }
.told { min-block-size: 3em; overflow-wrap: anywhere; }
.overview { position: relative; inline-size: min(100%, 480px); margin-block: 0.5em; border: 1px solid var(--_line); background: var(--_raised); }
.overview canvas { display: block; inline-size: 100%; block-size: auto; max-block-size: 240px; image-rendering: pixelated; cursor: crosshair; touch-action: none; }
.frame { position: absolute; border: 2px solid var(--_text); pointer-events: none; min-inline-size: 4px; min-block-size: 4px; }
@media (forced-colors: active) {
  .cell { border-color: Canvas; }
  .cell.some, .cell.all, .cell.undecided { border-color: CanvasText; }
  .cell.all { border-style: double; border-inline-width: 3px; }
  .cell.gained { border: 2px solid Highlight; }
  .cell.lost { border: 2px dotted CanvasText; }
  .cell.wide { border-block-end: 2px dashed CanvasText; }
  .legend .all { border-inline-start: 0.6em double; }
}
`
