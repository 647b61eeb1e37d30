// What a word means, under the pointer or, by Mod-k Mod-i, at the cursor. Must not live here: what it says.

import { EditorView, activateHover, closeHoverTooltips, hasHoverTooltips, hoverTooltip, keymap } from '@codemirror/view'
import { markdownDOM } from '../markdown.js'

function rendered({ dom: { ownerDocument } }, markdown) {
  const dom = ownerDocument.createElement('div')
  dom.className = 'tailnet-hover'
  dom.setAttribute('role', 'tooltip')
  dom.append(markdownDOM(markdown, ownerDocument))
  return { dom }
}

const theme = EditorView.baseTheme({
  '.tailnet-hover': { padding: '0.3em 0.7em', maxWidth: '40em', maxHeight: '20em', overflow: 'auto' },
  '.tailnet-hover p, .tailnet-hover ul, .tailnet-hover pre': { margin: '0.3em 0', paddingLeft: '0' },
  '.tailnet-hover ul': { paddingLeft: '1.2em' },
})

export function hover(ask) {
  const tooltip = hoverTooltip(async ({ state }, pos) => {
    const found = await ask('hover', state.doc.toString(), pos)
    return found && { pos: found.from, end: found.to, above: true, create: (view) => rendered(view, found.markdown) }
  })
  /** Shows it until the cursor moves; screen readers read it out. */
  const show = (view) => {
    const { head } = view.state.selection.main
    activateHover(view, head, 1, { tooltip, until: ({ docChanged, selection }) => docChanged || selection !== undefined })
    announced(view, head)
    return true
  }
  const announced = async (view, head) => {
    const found = await ask('hover', view.state.doc.toString(), head).catch(() => null)
    if (found) view.dispatch({ effects: EditorView.announce.of(rendered(view, found.markdown).dom.textContent) })
  }
  const close = (view) => hasHoverTooltips(view.state) && (view.dispatch({ effects: closeHoverTooltips }), true)
  return [
    tooltip,
    theme,
    keymap.of([
      { key: 'Mod-k Mod-i', run: show, preventDefault: true },
      { key: 'Escape', run: close },
    ]),
  ]
}
