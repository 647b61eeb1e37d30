// Styles as sheets that elements of one kind share, which a strict Content-Security-Policy allows. Must not live here: what a single element alone looks like.

const sheets = new Map()

/** Gives the root these styles. A sheet is made when the first element needs it, so never on a server. */
export function adopt(root, styles) {
  root.adoptedStyleSheets = styles.map((text) => {
    if (!sheets.has(text)) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      sheets.set(text, sheet)
    }
    return sheets.get(text)
  })
}

/**
 * What all elements look like. A page changes it by the custom properties `--tailnet-…`, and by parts. Light or dark follows the `color-scheme` of the
 * page. Colours have a ratio of at least 4.5 to the surface.
 */
export const common = `
:host {
  --_text: var(--tailnet-text, light-dark(#1b1f27, #e7eaf0));
  --_quiet: var(--tailnet-quiet, light-dark(#565e6c, #a3acba));
  --_surface: var(--tailnet-surface, light-dark(#fff, #15181e));
  --_raised: var(--tailnet-raised, light-dark(#f2f4f7, #1f242c));
  --_line: var(--tailnet-line, light-dark(#c9d0da, #3b434f));
  --_accent: var(--tailnet-accent, light-dark(#1f58c7, #8db4ff));
  --_gain: var(--tailnet-gain, light-dark(#1f58c7, #8db4ff));
  --_gain-surface: var(--tailnet-gain-surface, light-dark(#e8effc, #1c2b47));
  --_loss: var(--tailnet-loss, light-dark(#a8261b, #ff9f94));
  --_loss-surface: var(--tailnet-loss-surface, light-dark(#fceae8, #43201d));
  --_warning: var(--tailnet-warning, light-dark(#7a4a00, #ffc46b));
  --_warning-surface: var(--tailnet-warning-surface, light-dark(#fdf1d8, #3d2e10));
  --_radius: var(--tailnet-radius, 6px);
  --_code: var(--tailnet-code-font, ui-monospace, monospace);
  display: block;
  color: var(--_text);
  background: var(--_surface);
  font: var(--tailnet-font, 0.9375rem/1.5 system-ui, sans-serif);
}
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
p, ol, ul, h3 { margin: 0; padding: 0; }
ol, ul { list-style: none; }
code { font-family: var(--_code); font-size: 0.95em; overflow-wrap: anywhere; }
button, input, select {
  font: inherit;
  color: inherit;
  background: var(--_surface);
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  padding: 0.15em 0.6em;
  min-height: 2em;
}
button { cursor: pointer; background: var(--_raised); }
button.link {
  color: var(--_accent);
  background: none;
  border: 0;
  border-radius: 2px;
  padding: 0;
  min-height: 0;
  text-decoration: underline;
  text-underline-offset: 0.15em;
  text-align: start;
}
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }
.quiet { color: var(--_quiet); }
.status { font-weight: 600; margin-block-end: 0.5em; }
.fault { color: var(--_loss); background: var(--_loss-surface); border-radius: var(--_radius); padding: 0.4em 0.7em; margin-block-end: 0.5em; }
.outdated { color: var(--_warning); font-size: 0.875em; margin-block-end: 0.3em; }
.past { border-inline-start: 3px double var(--_warning); padding-inline-start: 0.5em; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) {
  .fault { border: 1px solid; }
}
`
