// What every element is: a shadow root with its styles, properties that ask anew when they change, and events. Must not live here: what an element
// shows, how a question is answered (`judge.js`).
//
// An element is added in four steps:
// 1. A class that extends `KitElement` in a folder of its own, `elements/NAME/element.js`, with `static styles` and `static properties`. It says what it
//    asks (`question`) and shows the answer (`draw`). A new verb goes to `verbs.js`.
// 2. `elements/NAME.js`, which names it for pages: `defined('tailnet-NAME', Class)`, and its line in `elements/index.js`.
// 3. Its declarations, `types/NAME.d.ts` and the entry `elements/NAME.d.ts`; a wrapper in `peers/react.js`; the entry in `exports` of package.json.
// 4. Its tests in `tests/js/elements`, which use it in Chromium and Firefox.
// To import an element does nothing where there is no page, so that a server may render around it.

import { h } from './dom.js'
import { judge } from './judge.js'
import { common, adopt } from './styles.js'

const Parent = globalThis.HTMLElement ?? class {}

export class KitElement extends Parent {
  /** Style sheets as text; those of all elements come first. */
  static styles = []
  /** Properties with their defaults. Those that are texts are attributes too. */
  static properties = {}
  #values
  #asked = 0
  #warned = 0
  #due = false
  #running = false
  #status = h('p.status', { role: 'status', hidden: true })
  #outdated = h('p.outdated', { hidden: true, part: 'outdated' })
  #fault = h('p.fault', { role: 'alert', hidden: true, part: 'fault' })
  /** Where an element draws. */
  body = h('div.body', { part: 'body' })

  constructor() {
    super()
    const { properties, styles } = new.target
    this.#values = { ...properties }
    const root = this.attachShadow({ mode: 'open' })
    adopt(root, [common, ...styles])
    root.append(this.#status, this.#fault, this.#outdated, this.body)
    // A framework may set properties before the page knows the element.
    for (const name of Object.keys(properties)) {
      if (!Object.hasOwn(this, name)) continue
      const value = this[name]
      delete this[name]
      this[name] = value
    }
  }

  attributeChangedCallback(attribute, _, value) {
    const name = Object.keys(this.constructor.properties).find((property) => property.toLowerCase() === attribute)
    this[name] = value ?? this.constructor.properties[name]
  }

  connectedCallback() {
    this.renew()
  }

  /** A property by its name. */
  get(name) {
    return this.#values[name]
  }

  /** Sets a property, and asks anew if it is another. */
  set(name, value) {
    const next = value ?? this.constructor.properties[name]
    if (Object.is(this.#values[name], next)) return
    this.#values[name] = next
    if (name === 'outdated') this.#date()
    else this.renew()
  }

  /** Asks anew once the task that changes properties is over, and never twice at a time. */
  renew() {
    this.#asked++
    if (this.#due || !this.isConnected) return
    this.#due = true
    queueMicrotask(() => {
      this.#due = false
      this.#run()
    })
  }

  async #run() {
    if (this.#running) return
    this.#running = true
    this.body.ariaBusy = 'true'
    for (let turn = 0; turn !== this.#asked; ) {
      turn = this.#asked
      const shown = await this.question(judge).then(
        (answer) => () => this.#answered(answer),
        (error) => () => this.#failed(error),
      )
      if (turn === this.#asked) shown()
    }
    this.#running = false
    this.body.ariaBusy = 'false'
  }

  #answered(answer) {
    if (this.#warned < this.#asked) this.#fault.hidden = true
    this.#date()
    const told = this.draw(answer) ?? answer
    if (told !== undefined) this.tell('answer', told)
  }

  /** Says of which text the answer is, if that is an earlier one. */
  #date() {
    const words = this.get('outdated') ?? ''
    this.body.classList.toggle('past', words !== '')
    this.#outdated.hidden = words === ''
    this.#outdated.textContent = words
  }

  /** The last answer stays, marked as one of an earlier text. */
  #failed(error) {
    this.body.classList.toggle('past', this.body.childNodes.length > 0)
    this.warn(...this.why(error))
    this.say('')
    this.tell('fault', error)
  }

  /** Says what went wrong, up to the answer to a question asked later: one that was already asked knows nothing of it. */
  warn(...words) {
    this.#warned = this.#asked
    this.#fault.replaceChildren(...words)
    this.#fault.hidden = false
  }

  /** What is said of an error. */
  why(error) {
    const line = error?.issue?.line ?? error?.check?.issues?.find(({ severity }) => severity === 'error')?.line
    const earlier = this.body.childNodes.length === 0 ? '' : ` What is shown is from before the error${line ? ` in line ${line}` : ''}.`
    return [String(error?.check?.message ?? error?.message ?? error), earlier]
  }

  /** What the element asks, by `ask(verb, ...)`; undefined where there is nothing to ask yet. */
  async question() {}

  /** Shows an answer; returns what the page is told of it, if that is less than the answer. */
  draw() {}

  /** One sentence that sums up, which is read out where it differs; `kind` is a class for its colour. */
  say(words, kind = '') {
    this.#status.className = `status ${kind}`
    if (this.#status.textContent !== words) this.#status.textContent = words
    this.#status.hidden = words === ''
  }

  /** Tells the page of something, by an event that leaves the shadow root. */
  tell(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }

  /** A number as it is written in the language of the page around. */
  number(value, options) {
    const lang = this.closest('[lang]')?.lang || undefined
    try {
      return value.toLocaleString(lang, options)
    } catch {
      return value.toLocaleString(undefined, options)
    }
  }
}

/** Names the element for the page, once, and gives its class the properties that it says. */
export function defined(name, Class) {
  const { customElements } = globalThis
  const known = customElements?.get(name)
  if (!customElements || known) return known ?? Class
  Class.properties = { outdated: '', ...Class.properties }
  for (const property of Object.keys(Class.properties)) {
    Object.defineProperty(Class.prototype, property, {
      configurable: true,
      enumerable: true,
      get() {
        return this.get(property)
      },
      set(value) {
        this.set(property, value)
      },
    })
  }
  Class.observedAttributes = Object.entries(Class.properties).flatMap(([property, value]) => (typeof value === 'string' ? [property.toLowerCase()] : []))
  customElements.define(name, Class)
  return Class
}
