// Completion with the items of the service, in its order. Must not live here: which items there are.

import { acceptCompletion, autocompletion, pickedCompletion, snippet, startCompletion } from '@codemirror/autocomplete'
import { EditorState, Prec } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { markdownDOM } from '../markdown.js'

export { startCompletion }

/** The service's kinds of items as kinds for which CodeMirror has an icon. */
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
/** A snippet of the language server protocol in CodeMirror's form: every place has braces, and only the braces of places are escaped. */
const template = (text) => text.replace(PLACES, (_, plain, bare, braced) => plain ?? (bare ? `\${${bare}}` : `\${${braced}`))

/** Inserts the text as it is. */
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

/** Inserts an item; after a key it offers the values at once. */
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
    // Offers nothing by itself where no word has begun.
    const begun = from < pos || /[":[{,@]\s?$/.test(state.sliceDoc(Math.max(0, pos - 2), pos))
    return items.length > 0 && (explicit || begun) ? { from, to, options: items.map(option) } : null
  }
  // Not as `override`, so that other sources of the editor work too.
  const found = [{ autocomplete: source }]
  // Before the Tab of a snippet, which goes to its next place.
  const accepting = Prec.highest(keymap.of([{ key: 'Tab', run: acceptCompletion }]))
  return [autocompletion(), accepting, EditorState.languageData.of(() => found), keymap.of([{ key: 'Alt-Escape', run: startCompletion }])]
}
