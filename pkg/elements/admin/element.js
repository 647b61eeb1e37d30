// What the elements of a service share: the client that they ask, drafts, questions in a dialog, and what failed work says. Must not live here: what an
// element shows.

import { KitElement } from '../common/base.js'
import { h, prose } from '../common/dom.js'
import { buttonStyles, guard } from '../common/buttons.js'
import { choose, problem, workStyles } from '../common/work.js'
import { serviceOf } from './headscale.js'
import { styles } from './styles.js'

/** A part of an element, with its title. */
export const card = (title, ...content) => h('section.card', { ariaLabel: title }, h('h2', title), ...content)

/** A field under its label. */
export const field = (label, input) => h('label.field', h('span', label), input)

/** A short word about something. */
export const badge = (words) => h('code.badge', words)

export class ServiceElement extends KitElement {
  static properties = { client: undefined, drafts: undefined }
  static styles = [buttonStyles, workStyles, styles]
  /** What is asked for, in words. */
  static asks = ''

  constructor() {
    super()
    guard(this.shadowRoot)
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

  choose(title, content, ways) {
    return choose(this.shadowRoot, title, content, ways)
  }
}
