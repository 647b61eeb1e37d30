// A menu of an element: what it has in it, it is closed by a choice and by Escape. Must not live here: what a choice does.

import { h } from './dom.js'

export const menuStyles = `
.menu { position: relative; }
.menu > summary { display: flex; align-items: center; min-height: 2em; padding: 0.15em 0.6em; font-weight: inherit; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_raised); cursor: pointer; list-style: none; }
.menu > summary::after { content: "▾" / ""; margin-inline-start: 0.4em; color: var(--_quiet); }
.menu > div { position: absolute; z-index: 6; inset: calc(100% + 4px) 0 auto auto; display: grid; min-width: 12em; padding: 4px; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); box-shadow: 0 8px 24px #0003; }
.menu > div > button, .menu ::slotted(*) { display: block; padding: 0.35em 0.7em; border: 0; border-radius: 4px; background: none; color: inherit; text-align: start; text-decoration: none; }
.menu > div > button:hover, .menu ::slotted(:hover) { background: var(--_raised); }
`

export function menu(label, ...items) {
  const summary = h('summary', label)
  const view = h('details.menu', { part: 'menu' }, summary, h('div', ...items))
  view.onclick = ({ target }) => {
    if (target.closest('button, a')) view.open = false
  }
  view.onkeydown = ({ key }) => {
    if (key !== 'Escape' || !view.open) return
    view.open = false
    summary.focus()
  }
  return view
}
