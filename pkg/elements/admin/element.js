// What the elements of a service share: the client that they ask, drafts, questions in a dialog, and what failed work says. Must not live here: what an
// element shows.

import { KitElement } from '../common/base.js'
import { h, prose } from '../common/dom.js'
import { serviceOf } from './headscale.js'
import { styles } from './styles.js'

/** A place whose words a screen reader reads out when they change. */
export const live = () => h('div', { ariaLive: 'polite' })

/** Sets whether a button can be used now. It keeps the focus either way; one with `disabled` would lose it. */
export const enable = (button, usable) => (button.ariaDisabled = String(!usable))
const refuse = (event) => event.target.closest('[aria-disabled=true]') && event.stopPropagation()

/** A part of an element, with its title. */
export const card = (title, ...content) => h('section.card', { ariaLabel: title }, h('h2', title), ...content)

/** A field under its label. */
export const field = (label, input) => h('label.field', h('span', label), input)

/** A short word about something. */
export const badge = (words) => h('code.badge', words)

/** A failure in its own words. */
function problem(error) {
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

export class ServiceElement extends KitElement {
  static properties = { client: undefined, drafts: undefined }
  static styles = [styles]
  /** What is asked for, in words. */
  static asks = ''

  constructor() {
    super()
    this.shadowRoot.addEventListener('click', refuse, { capture: true })
  }

  /** The client, in one form whatever it is a client of. */
  get service() {
    return serviceOf(this.client)
  }

  async question(ask) {
    if (!this.client) return undefined
    this.say(`Asking for the ${this.constructor.asks || this.constructor.words.many} …`, 'quiet')
    return this.load(this.service, ask)
  }

  draw(found) {
    this.say('')
    return found && this.show(found)
  }

  /** What the service has, by its client. */
  async load() {}

  /** Shows that; returns what the page is told of it. */
  show() {}

  why(error) {
    return [...prose(problem(error)), ' ', h('button.link', { onclick: () => this.renew() }, 'Try again')]
  }

  /** A field whose text is kept as a draft; `changed` is called at every change. */
  kept(name, input, changed) {
    input.value = this.drafts?.get(name) ?? input.value
    input.addEventListener('input', () => {
      this.drafts?.set(name, input.value)
      changed()
    })
    return input
  }

  /** Asks in a dialog, which stays open until the work of one of its buttons succeeds; resolves with whether it did. */
  choose(title, words, ways) {
    return new Promise((resolve) => {
      const said = live()
      const button = ([label, work, look = '']) => {
        const take = async () => {
          await work?.()
          resolve(Boolean(work))
          dialog.close()
        }
        return h(`button.${look}`, { onclick: () => attempt(said, take) }, label)
      }
      const onclose = () => {
        dialog.remove()
        resolve(false)
      }
      const dialog = h('dialog', { ariaLabel: title, onclose }, h('h2', title), h('p', words), said, h('div.toolbar', ...ways.map(button)))
      this.shadowRoot.append(dialog)
      dialog.showModal()
    })
  }
}
