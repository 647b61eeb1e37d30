// What a word means, under the pointer or, by Mod-k Mod-i, at the cursor. Must not live here: what it says.

import { EditorView, activateHover, closeHoverTooltips, hasHoverTooltips, hoverTooltip, keymap } from '@codemirror/view'
import { markdownDOM } from '../markdown.js'
import { commanded } from './commands.js'

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
  const asked = async ({ state }, pos) => {
    const found = await ask('hover', state.doc.toString(), pos)
    return found && { pos: found.from, end: found.to, above: true, create: (view) => rendered(view, found.markdown), markdown: found.markdown }
  }
  let known
  const tooltip = hoverTooltip((view, pos) => known ?? asked(view, pos))
  /** Shows an answer that is there: one that it has to wait for is lost to the editor when colours or underlines come in between. */
  function activated(view, found, until) {
    known = found
    activateHover(view, found.pos, 1, { tooltip, until })
    known = undefined
  }
  /** Shows it until the cursor moves; screen readers read it out. */
  async function show(view) {
    const { doc, selection } = view.state
    const found = await asked(view, selection.main.head)
    if (!found || view.state.doc !== doc || !view.state.selection.eq(selection)) return
    activated(view, found, (change) => change.docChanged || change.selection !== undefined)
    view.dispatch({ effects: EditorView.announce.of(rendered(view, found.markdown).dom.textContent) })
  }
  const close = (view) => hasHoverTooltips(view.state) && (view.dispatch({ effects: closeHoverTooltips }), true)
  return [
    tooltip,
    theme,
    keymap.of([
      { key: 'Mod-k Mod-i', run: commanded(show), preventDefault: true },
      { key: 'Escape', run: close },
    ]),
  ]
}
