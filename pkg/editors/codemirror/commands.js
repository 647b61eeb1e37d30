// The commands and their keys: rename, go to the definition, select more, format. Must not live here: what changes.

import { EditorSelection, Facet, Prec } from '@codemirror/state'
import { EditorView, keymap, logException, showDialog } from '@codemirror/view'
import { formatting } from '../asker.js'

/** A command from an asynchronous function. */
export const commanded =
  (run) =>
  (view, ...rest) => {
    run(view, ...rest).catch((error) => logException(view.state, error))
    return true
  }

/** Makes these edits, unless the text is no longer `doc`. */
export function applied(view, doc, edits) {
  if (view.state.doc === doc) view.dispatch({ changes: edits, scrollIntoView: true, userEvent: 'input.tailnet' })
}

const said = (view, sentence) => view.dispatch({ effects: EditorView.announce.of(sentence) })
const head = ({ state }) => state.selection.main.head

async function rename(ask, view, complaint = '', wanted = undefined) {
  const place = await ask('renameable', view.state.doc.toString(), head(view))
  if (!place) return said(view, 'Nothing here can be renamed.')
  const label = `${complaint && `${complaint}. `}New name for ${place.name}`
  if (complaint) said(view, label)
  const form = await showDialog(view, {
    label,
    input: { name: 'name', type: 'text', value: wanted ?? place.name },
    submitLabel: 'Rename',
    class: 'tailnet-rename',
    focus: true,
  }).result
  view.focus()
  const name = form?.elements.namedItem('name').value
  if (name === undefined || name === place.name) return
  const { doc } = view.state
  try {
    applied(view, doc, await ask('rename', doc.toString(), head(view), name))
  } catch (error) {
    // Any error: its code is lost on the way from a worker.
    await rename(ask, view, error.message, name)
  }
}

async function define(ask, view) {
  const place = await ask('definition', view.state.doc.toString(), head(view))
  if (!place) return said(view, 'Nothing is defined under this name.')
  view.dispatch({ selection: { anchor: place.from, head: place.to }, scrollIntoView: true })
}

async function expand(ask, view) {
  const { from, to } = view.state.selection.main
  const wider = (await ask('selection', view.state.doc.toString(), from)).find(
    (range) => range.from <= from && range.to >= to && range.to - range.from > to - from,
  )
  if (wider) view.dispatch({ selection: EditorSelection.single(wider.from, wider.to), userEvent: 'select' })
}

/** The function that formats the text. */
const layout = Facet.define({ combine: ([format]) => format })

async function format(view) {
  const { doc } = view.state
  const edits = await formatting(doc.toString(), view.state.facet(layout))
  if (edits.length > 0) applied(view, doc, edits)
}

/** Formats the policy: the command of Shift-Alt-f. */
export const formatPolicy = commanded(format)

export const renaming = (ask) => keymap.of([{ key: 'F2', run: commanded((view) => rename(ask, view)) }])

/** The keys. They come before the editor's own, one of which selects by a syntax tree, and there is none here. */
export const commands = (ask, format) => [
  layout.of(format),
  Prec.high(
    keymap.of([
      { key: 'F12', run: commanded((view) => define(ask, view)) },
      { key: 'Mod-i', run: commanded((view) => expand(ask, view)), preventDefault: true },
      { key: 'Shift-Alt-f', run: formatPolicy },
    ]),
  ),
]
