// `<tailnet-save>`: saves a policy to a service unless somebody else saved first; then it shows both changes, and what can be done. Must not live here:
// how two changes are merged (`../conflict`), the editor.

import { KitElement } from '../common/base.js'
import { buttonStyles, enable, guard, live } from '../common/buttons.js'
import { h } from '../common/dom.js'
import { judge } from '../common/judge.js'
import { adopt, common } from '../common/styles.js'
import { styles } from './styles.js'

const UNGUARDED = 'Not saved: this service, or what stands before it, shows no ETag, so it could not refuse a save that meets that of somebody else.'

export class TailnetSave extends KitElement {
  static properties = { client: undefined, stored: undefined, value: '', context: undefined, refused: false }
  static styles = [buttonStyles, styles]
  #said = live()
  #button = h('button', { onclick: () => this.save(), part: 'button' }, 'Save')
  #saving
  #again = false

  constructor() {
    super()
    guard(this.shadowRoot)
    this.body.append(this.#button, this.#said)
    this.#show()
  }

  #show() {
    enable(this.#button, this.#isUnsaved)
    this.#button.classList.toggle('primary', !this.refused)
  }

  async question() {}

  set(name, value) {
    const before = this.get(name)
    super.set(name, value)
    // While the element is made, its fields are not there yet.
    if (!(#button in this) || Object.is(before, this.get(name))) return
    this.#show()
    if (name === 'value' || name === 'stored') for (const words of this.#said.querySelectorAll('.good')) words.remove()
  }

  get #isUnsaved() {
    return this.stored !== undefined && this.value !== this.stored.text
  }

  /** Saves, one request at a time: two would conflict with each other. Whoever presses meanwhile saves what is there then. */
  save() {
    this.#again = Boolean(this.#saving)
    this.#saving ??= this.#all().finally(() => {
      this.#saving = undefined
      this.#show()
    })
    return this.#saving
  }

  async #all() {
    do {
      this.#again = false
      if (!this.#isUnsaved) return
      enable(this.#button, false)
      // What is there when somebody presses, whatever is typed until the request is made.
      const sent = this.value
      this.#said.replaceChildren()
      const { attempt } = await import('../common/work.js')
      await attempt(this.#said, () => this.#store(sent))
    } while (this.#again)
  }

  async #store(sent) {
    const { etag } = this.stored
    if (etag === null) throw new Error(UNGUARDED)
    const { acl } = await this.#service()
    try {
      return await this.#saved(await acl.set(sent, { ifMatch: etag }), sent)
    } catch (error) {
      if (error.message === 'test(s) failed') throw new Error(await this.#failing(sent))
      if (error.code !== 'precondition_failed' && error.code !== 'conflict') throw error
    }
    return this.#ask(await acl.get())
  }

  /** The client may be fetched only once somebody saves. */
  async #service() {
    const [{ serviceOf }, client] = await Promise.all([import('../admin/headscale.js'), typeof this.client === 'function' ? this.client() : this.client])
    return serviceOf(client)
  }

  async #failing(sent) {
    const { tests } = await judge('check', sent, this.context)
    const failed = tests.results.filter(({ passed }) => passed === false).length
    return `Not saved: the service refused it, as ${failed} ${failed === 1 ? 'test fails' : 'tests fail'}.`
  }

  /** What is stored now is what the next save begins with; `value` is the text to go on with. */
  #goOn(stored, value, words) {
    Object.assign(this, { stored, value })
    this.tell('stored', { stored, value })
    return words
  }

  /** What was typed since `sent` stays. */
  async #saved(stored, sent) {
    return this.#goOn(stored, (await judge('merge', sent, this.value, stored.text)) ?? stored.text, 'Saved.')
  }

  async #ask(stored) {
    const [{ choose, workStyles }] = await Promise.all([import('../common/work.js'), import('../conflict.js')])
    adopt(this.shadowRoot, [common, buttonStyles, workStyles, styles])
    const [base, mine, theirs] = [this.stored.text, this.value, stored.text]
    const both = h('tailnet-conflict', { base, mine, theirs })
    both.addEventListener('answer', (event) => event.stopPropagation())
    const merged = async (now) => {
      const text = await judge('merge', base, mine, now)
      if (text === undefined) throw new Error('Somebody saved once more, and changed the same lines.')
      return text
    }
    const ways = [
      ['Not now'],
      ['Keep my text, over theirs', async () => this.#goOn(stored, this.value, 'Look at what changes, then save.')],
      ['Take theirs', async () => this.#goOn(stored, theirs, '')],
    ]
    if ((await judge('merge', base, mine, theirs)) !== undefined)
      ways.push(['Merge and save', async () => this.#saved(await (await this.#service()).acl.update(merged), mine), 'primary'])
    return choose(this.shadowRoot, 'Somebody else saved another text meanwhile', [h('p', 'Nothing was written.'), both], ways)
  }
}
