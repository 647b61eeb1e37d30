// Completion by the items of the service, in its order. Must not live here: what is offered where.

import { acceptCompletion, autocompletion, pickedCompletion, snippet, startCompletion } from '@codemirror/autocomplete'
import { EditorState, Prec } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { markdownDOM } from '../markdown.js'

export { startCompletion }

/** The kinds of the service as those that CodeMirror has an icon for. */
const TYPES = {
  key: 'property',
  group: 'class',
  tag: 'type',
  user: 'variable',
  device: 'variable',
  autogroup: 'class',
  rule: 'method',
  capability: 'interface',
  attribute: 'property',
  operator: 'keyword',
  value: 'constant',
}

function rendered(markdown) {
  const dom = document.createElement('div')
  dom.append(markdownDOM(markdown, document))
  return dom
}

const PLACES = /\\([$}\\])|\$(?:(\d+)|\{(\d+)(?=[:}]))/g
/** Snippets as the protocol of language servers writes them, in CodeMirror's own way: every place has braces, and only those of places are escaped. */
const template = (text) => text.replace(PLACES, (_, plain, bare, braced) => plain ?? (bare ? `\${${bare}}` : `\${${braced}`))

/** As it stands. */
const plain =
  ({ insert }) =>
  (view, completion, from, to) =>
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      scrollIntoView: true,
      userEvent: 'input.complete',
      annotations: pickedCompletion.of(completion),
    })

/** After a key comes its value, which is offered at once. */
const picked = (item) => {
  const apply = item.snippet ? snippet(template(item.insert)) : plain(item)
  return (view, ...where) => {
    apply(view, ...where)
    if (item.kind === 'key') startCompletion(view)
  }
}

const option = (item, index) => ({
  label: item.label,
  type: TYPES[item.kind] ?? 'constant',
  sortText: String(index).padStart(6, '0'),
  apply: picked(item),
  ...(item.detail && { detail: item.detail }),
  ...(item.documentation && { info: () => rendered(item.documentation) }),
})

export function complete(ask) {
  const source = async ({ state, pos, explicit }) => {
    const { from, to, items } = await ask('complete', state.doc.toString(), pos)
    // Nothing is offered unasked where nothing is begun.
    const begun = from < pos || /[":[{,@]\s?$/.test(state.sliceDoc(Math.max(0, pos - 2), pos))
    return items.length > 0 && (explicit || begun) ? { from, to, options: items.map(option) } : null
  }
  // Beside whatever else the editor completes by, so not as `override`.
  const found = [{ autocomplete: source }]
  // Before the Tab of a snippet, which goes on to its next place.
  const accepting = Prec.highest(keymap.of([{ key: 'Tab', run: acceptCompletion }]))
  return [autocompletion(), accepting, EditorState.languageData.of(() => found), keymap.of([{ key: 'Alt-Escape', run: startCompletion }])]
}
