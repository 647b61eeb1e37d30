// What an element does that takes a while: the words that say how it ended, and a question in a dialog. Must not live here: what is done.

import { live } from './buttons.js'
import { h, prose } from './dom.js'

/** A failure in its own words. */
export function problem(error) {
  // A browser does not tell a page which of the two is the cause.
  if (error?.code === 'connection') return 'No answer from the service. Is it running, and does it allow this page (CORS)?'
  const { message = String(error), status = '' } = Object(error)
  return message.includes(`${status}`) ? message : `${message} (${status})`
}

/** Does the work and says in `place` how it ended: the words it resolves with, or why it failed. */
export async function attempt(place, work) {
  place.replaceChildren()
  const failed = (error) => h('p.problem', { role: 'alert' }, prose(problem(error)))
  const said = await work().then((words) => words && h('p.good', words), failed)
  if (said) place.replaceChildren(said)
}

/**
 * Asks in a dialog of this root, which stays open until the work of one of its buttons succeeds; resolves with what that work says, or with nothing.
 */
export const choose = (root, title, content, ways) =>
  new Promise((resolve) => {
    const said = live()
    const button = ([label, work, look = '']) => {
      const take = async () => {
        resolve(await work?.())
        dialog.close()
      }
      return h(`button.${look}`, { onclick: () => attempt(said, take) }, label)
    }
    const onclose = () => {
      dialog.remove()
      resolve()
    }
    const dialog = h('dialog', { ariaLabel: title, onclose }, h('h2', title), ...content, said, h('div.toolbar', ...ways.map(button)))
    root.append(dialog)
    dialog.showModal()
  })

export const workStyles = `
h2 { margin: 0; font-size: 1em; font-weight: 650; }
.toolbar { display: flex; flex-wrap: wrap; align-items: end; gap: 6px; }
dialog { width: min(92vw, 480px); padding: 20px; border: 1px solid var(--_line); border-radius: 12px; background: var(--_surface); color: var(--_text); box-shadow: 0 16px 48px #0005; }
dialog::backdrop { background: #0007; }
dialog > * + * { margin-block-start: 12px; }
dialog .toolbar { justify-content: end; }
`
