// `<tailnet-policy>`: a policy as text and as a form, with the verdict, its findings, and how it differs from a base. Must not live here: the editor
// (`editor.js`), the form (`form`), the words of findings.

import { KitElement } from '../common/base.js'
import { h, prose } from '../common/dom.js'
import { judge } from '../common/judge.js'
import { findings, verdict } from './findings.js'
import { Form } from './form/form.js'
import { service } from './service.js'
import { styles } from './styles.js'

/** How long after the last key the text is judged, in milliseconds. */
const PAUSE = 300
/** How many places of one finding are listed. */
const PLACES = 12
const VIEWS = { text: 'Text', form: 'Form', changes: 'Changes' }
const dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)')

export class TailnetPolicy extends KitElement {
  static properties = { value: '', base: '', context: undefined, view: 'text', service: undefined }
  static styles = [styles]
  #editor
  #modules
  #typed = 0
  #told = ''
  #past
  #internals = globalThis.HTMLElement && this.attachInternals()
  #form = new Form({ edit: (...edit) => this.#formEdit(edit), reveal: async (pointer) => this.reveal(await judge('lineOf', this.value, pointer)) })
  #views = Object.entries(VIEWS).map(([view, words]) => h('button', { onclick: () => (this.view = view), value: view }, words))
  #place = h('div.place', { part: 'editor' })
  #findings = h('ol.findings', { part: 'findings', ariaLabel: 'Findings', tabIndex: 0 })

  constructor() {
    super()
    this.say('Checking …', 'waiting')
  }

  connectedCallback() {
    super.connectedCallback()
    if (this.#place.isConnected) return
    const action = (words, run, title) => h('button', { onclick: () => run(), title }, words)
    const bar = h(
      'div.bar',
      { part: 'bar', role: 'group', ariaLabel: 'Policy' },
      h('span.views', ...this.#views),
      action('Format', () => this.format(), 'Shift+Alt+F'),
      action('Undo', () => this.undo(), 'Ctrl+Z'),
      action('Redo', () => this.redo(), 'Ctrl+Y'),
    )
    bar.append(
      action('Next issue', () => this.next(), 'F8'),
      h('slot', { name: 'actions' }),
    )
    this.body.append(bar, this.#place, this.#form.root, this.#findings)
    this.#show()
    this.#open()
  }

  disconnectedCallback() {
    // Whoever moves the element puts it elsewhere within the same task.
    queueMicrotask(() => {
      if (this.isConnected || !this.#editor) return
      this.#editor.destroy()
      this.#editor = undefined
      this.#place.remove()
    })
  }

  /** The editor is fetched once the text can be read. */
  async #open() {
    this.#place.replaceChildren(h('pre', this.value))
    this.#modules ??= import('./editor.js')
    const { Editor } = await this.#modules
    if (this.#editor || !this.isConnected) return
    this.#place.replaceChildren()
    this.#editor = new Editor({
      parent: this.#place,
      root: this.shadowRoot,
      text: this.value,
      past: this.#past,
      service: this.service ?? service,
      context: () => this.context,
      format: (text) => judge('format', text),
      changed: (text, isByPerson) => this.#changed(text, isByPerson),
      moved: (line) => this.tell('rule', { line, text: 'value' }),
      saved: () => !this.dispatchEvent(new CustomEvent('save', { bubbles: true, composed: true, cancelable: true })),
    })
    this.#scheme()
    dark?.addEventListener('change', () => this.#scheme())
    this.#compare()
  }

  #scheme() {
    const { colorScheme } = getComputedStyle(this)
    this.#editor?.dark(colorScheme === 'dark' || (colorScheme !== 'light' && dark.matches))
  }

  set(name, value) {
    const before = this.get(name)
    super.set(name, value)
    if (!(#editor in this) || Object.is(before, this.get(name))) return
    if (name === 'value') this.#internals.states.add('past')
    if (name === 'value') this.#editor?.replace(this.value)
    if (name === 'value' && !this.#editor) this.#place.firstChild?.replaceChildren(this.value)
    if (name === 'base') this.#compare()
    if (name === 'view') this.#show()
  }

  #changed(text, isByPerson) {
    this.#typed = performance.now()
    this.#form.fail('')
    super.set('value', text)
    this.#internals.states.add('past')
    if (isByPerson) this.tell('change', { value: text })
  }

  async #compare() {
    const editor = this.#editor
    if (!editor) return
    const [base, view] = [this.base.replace(/\r\n?/g, '\n'), this.view]
    if (base === '') return editor.compare([])
    const { marks, lines } = await import('./differences.js')
    if (editor === this.#editor && view === this.view) editor.compare(view === 'changes' ? lines(base) : marks(base))
  }

  #show() {
    const shown = this.view in VIEWS ? this.view : 'text'
    for (const button of this.#views) button.ariaPressed = String(button.value === shown)
    this.#form.root.hidden = shown !== 'form'
    this.#place.hidden = shown === 'form'
    this.#compare()
    if (this.isConnected) this.renew()
  }

  async question(ask) {
    const wait = () => this.#typed + PAUSE - performance.now()
    while (wait() > 0) await new Promise((done) => setTimeout(done, wait()))
    const text = this.value
    const [check, form] = await Promise.all([ask('check', text, this.context), this.view === 'form' ? ask('formOf', text).catch(() => undefined) : undefined])
    return { check, form }
  }

  draw({ check, form }) {
    this.#internals.states.delete('past')
    this.#internals.states[check.accepted ? 'delete' : 'add']('refused')
    this.say(verdict(check))
    const found = findings(check)
    this.#findings.replaceChildren(...found.map((finding) => this.#finding(finding)))
    if (this.view === 'form') this.#drawForm(form, check)
    const told = JSON.stringify(check.issues)
    if (told === this.#told) return
    this.#told = told
    this.tell('findings', check.issues)
  }

  #drawForm(form, { message }) {
    this.#form.root.inert = !form
    if (form) this.#form.draw(form)
    else this.#form.fail(`The form needs a text without errors of syntax: ${message}`)
  }

  #finding({ severity, words, detail, hint, places }) {
    const line = ({ line }) => h('button.link', { onclick: () => this.reveal(line), ariaLabel: `line ${line}` }, String(line))
    const lines = [...new Map(places.map((place) => [place.line, place])).values()]
    const shown = lines.slice(0, PLACES).flatMap((place, index) => [index > 0 && ', ', line(place)])
    const more = lines.length > PLACES && ` and ${lines.length - PLACES} more`
    const count = places.length > 1 && ` (${places.length} of this kind)`
    return h(
      `li.${severity}`,
      { title: detail ?? '' },
      h('strong', severity === 'error' ? 'Error' : severity === 'warning' ? 'Warning' : 'Note'),
      lines.length > 1 ? ' lines ' : ' line ',
      ...shown,
      more,
      ': ',
      ...prose(words),
      count,
      hint && h('span.quiet', ...prose(` ${hint[0].toUpperCase()}${hint.slice(1)}${/[.?]$/.test(hint) ? '' : '.'}`)),
    )
  }

  /** Makes an edit of the form in the text of now; false if it cannot be made. */
  async #formEdit([edit, ...of]) {
    try {
      const text = this.value
      const edited = await judge('formEdit', text, edit, ...of)
      if (text !== this.value) return this.#formEdit([edit, ...of])
      await this.#modules
      this.#editor.replace(edited, true)
      return true
    } catch (error) {
      this.#form.fail(error.message)
      return false
    }
  }

  async #run(command) {
    const modules = await this.#modules
    return this.#editor ? modules[command](this.#editor.view) : false
  }

  /** Lays the text out, in one step that can be undone. */
  format() {
    return this.#run('format')
  }

  undo() {
    return this.#run('undo')
  }

  redo() {
    return this.#run('redo')
  }

  /** Goes to the next finding. */
  async next() {
    await this.#modules
    this.#editor?.view.focus()
    return this.#run('next')
  }

  /** What can be undone, as plain data; with the `value` that it belongs to, it is what another editor begins with. */
  get past() {
    return this.#editor?.past ?? this.#past
  }

  set past(past) {
    this.#past = past
  }

  /** Brings a line of the text into view, with the cursor. */
  async reveal(line) {
    if (this.view === 'form') this.view = 'text'
    await this.#modules
    this.#editor?.reveal(line)
    this.scrollIntoView({ block: 'nearest' })
  }

  /** Marks lines of the text, in place of those that were marked; brings the first of them into view. */
  async mark(lines) {
    await this.#modules
    this.#editor?.mark(lines)
  }
}
