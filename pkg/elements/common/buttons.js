// Buttons that rest while they cannot be used, and places for the words that say how something ended. Must not live here: work.

import { h } from './dom.js'

/** A place whose words a screen reader reads out when they change. */
export const live = () => h('div', { ariaLive: 'polite' })

/** Sets whether a button can be used now. It keeps the focus either way; one with `disabled` would lose it. */
export const enable = (button, usable) => (button.ariaDisabled = String(!usable))

/** Lets no press of a button in this root through that cannot be used now. */
export const guard = (root) =>
  root.addEventListener('click', (event) => event.target.closest('[aria-disabled=true]') && event.stopPropagation(), { capture: true })

export const buttonStyles = `
button[aria-disabled=true] { color: var(--_quiet); cursor: default; }
button.primary:not([aria-disabled=true]) { background: var(--_accent); border-color: var(--_accent); color: light-dark(#fff, #10141c); font-weight: 550; }
button.danger, .problem { color: var(--_loss); }
.good { color: var(--tailnet-good, light-dark(#136c3a, #7fd6a2)); }
.problem { overflow-wrap: anywhere; }
`
