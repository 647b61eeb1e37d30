// What a button that saves looks like: it is a part of the row around it, and what it says is a line below. Must not live here: what all elements share.

export const styles = `
:host, .body { display: contents; }
button { padding-inline: 0.5em; font-size: 0.95em; }
.body > div { flex-basis: 100%; }
.body > div:empty { display: none; }
dialog:has(tailnet-conflict) { width: min(92vw, 820px); }
`
