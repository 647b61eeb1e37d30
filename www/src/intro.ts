// The examples, and the edits of them that are worth a try. Must not live here: what a tried edit shows.
import built from 'virtual:example'
import { find, h } from './dom.js'
import { type Edit, edited, examples } from './examples.js'
import { startText } from './kit.js'
import { example } from './connection.js'
import type { Workbench } from './workbench.js'

/** Fills in the first lines of the page. Its edits are toggles of the base; what this returns says which of them a text is. */
export function intro({ view, put, base }: Workbench): (text: string) => void {
  const now = example()
  for (const [name, { title, about }] of Object.entries(examples))
    find(view, '.examples').append(
      h('a', { className: 'pick', href: `#example=${name}`, title: about, ariaCurrent: examples[name] === now ? 'true' : null }, title),
    )
  find(view, '.local').hidden = !now
  find(view, '.elsewhere').hidden = Boolean(now)
  const results = new Map<HTMLElement, string>()
  const press = async (button: HTMLElement, edit: Edit) => {
    await startText()
    const text = edited(base(), edit)
    results.set(button, text)
    put(button.ariaPressed === 'true' ? base() : text, true)
  }
  for (const edit of now?.edits ?? []) {
    const button = h('button', { className: 'try', ariaPressed: 'false', onclick: () => press(button, edit) }, edit.label)
    find(view, '.tries').append(button)
    results.set(button, edit.isFirst ? built.edited : '')
  }
  find(view, '.tries').hidden = !now
  return (text) => results.forEach((result, button) => (button.ariaPressed = String(result === text)))
}
