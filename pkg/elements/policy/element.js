// `<tailnet-policy>`: a policy as text and as a form, with the verdict, its findings, and how it differs from a base. Must not live here: the editor
// (`editor.js`), the form (`form`), the words of findings.

import { KitElement } from '../common/base.js'
import { download, h, prose } from '../common/dom.js'
import { judge } from '../common/judge.js'
import { fromFile } from '../link.js'
import { menu, menuStyles } from '../common/menu.js'
import { findings, verdict } from './findings.js'
import { dropped, picker, textOf } from './files.js'
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
  static styles = [menuStyles, styles]
  #editor
  #modules
  #typed = 0
  #told = ''
  #past
  #internals = globalThis.HTMLElement && this.attachInternals()
  #form = new Form({ edit: (...edit) => this.#formEdit(edit), reveal: async (pointer) => this.reveal(await judge('lineOf', this.value, pointer)) })
  #views = Object.entries(VIEWS).map(([view, words]) => h('button', { onclick: () => (this.view = view), value: view }, words))
  #revert = h('button', { onclick: () => this.value !== this.base && this.#put(this.base), hidden: true }, 'Revert')
  #place = h('div.place', { part: 'editor' })
  #offer = h('div.offer', { part: 'offer', ariaLive: 'polite' })
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
      this.#revert,
      this.#files(),
      h('slot', { name: 'actions' }),
    )
    this.body.append(bar, this.#offer, this.#place, this.#form.root, this.#findings)
    dropped(this.#place, (file) => this.#work(() => this.open(file)))
    this.#show()
    this.#revertable()
    this.#open()
  }

  /** The menu of what goes in and out as a file. */
  #files() {
    const input = picker((file) => this.#work(() => this.open(file)))
    const copy = async () => {
      await navigator.clipboard.writeText(JSON.stringify(await judge('toJSON', this.value), null, 2))
      this.#offer.replaceChildren('Copied.')
    }
    const items = {
      'Open a file …': () => input.click(),
      Download: () => download('policy.hujson', 'application/hujson', this.value),
      'Copy as JSON': copy,
    }
    const buttons = Object.entries(items).map(([words, work]) => h('button', { onclick: () => this.#work(async () => work()) }, words))
    return menu('File', ...buttons, h('slot', { name: 'file' }), input)
  }

  #work(work) {
    return work().catch(({ message }) => this.warn(message))
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
    const { field, text } = this.#early()
    this.#place.replaceChildren(text)
    this.#modules ??= import('./editor.js')
    const { Editor } = await this.#modules
    if (this.#editor || !this.isConnected) return
    const isThere = this.shadowRoot.activeElement === field
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
    if (isThere) this.#editor.goTo(field.selectionStart)
    this.#scheme()
    dark?.addEventListener('change', () => this.#scheme())
    this.#compare()
  }

  /** The text before the editor is there. Who goes there may type at once: it counts, and the editor goes on where they are. */
  #early() {
    const field = h('textarea.early', { ariaLabel: 'Tailnet policy', spellcheck: false, oninput: () => this.#changed(field.value, true) })
    const begin = () => {
      field.value = this.value
      text.replaceWith(field)
      field.setSelectionRange(0, 0)
      field.focus()
    }
    const text = h('pre', { tabIndex: 0, role: 'textbox', ariaMultiLine: 'true', ariaLabel: 'Tailnet policy', onfocus: begin }, this.value)
    return { field, text }
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
    const early = this.#editor ? undefined : this.#place.firstChild
    if (name === 'value' && early) early[early.localName === 'pre' ? 'textContent' : 'value'] = this.value
    if (name === 'base') this.#compare()
    if (name === 'base' || name === 'value') this.#revertable()
    if (name === 'view') this.#show()
  }

  #changed(text, isByPerson) {
    this.#typed = performance.now()
    this.#form.fail('')
    this.#offer.replaceChildren()
    super.set('value', text)
    this.#revertable()
    this.#internals.states.add('past')
    if (isByPerson) this.tell('change', { value: text })
  }

  #revertable() {
    this.#revert.hidden = this.base === ''
    this.#revert.ariaDisabled = String(this.value === this.base)
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
    if (check.issues.some(({ code }) => code === 'hujson_syntax')) this.#offerHujson(this.value)
    else this.#takeBack()
    const told = JSON.stringify(check.issues)
    if (told === this.#told) return
    this.#told = told
    this.tell('findings', check.issues)
  }

  #takeBack() {
    this.#offer.querySelector('button')?.parentNode.remove()
  }

  /** Offers a text that is JSON5 as HuJSON. */
  async #offerHujson(text) {
    const turned = await judge('asHujson', text).catch(() => undefined) // The verdict says what is wrong with it.
    if (turned === undefined || text !== this.value) return
    const turn = async () => {
      await this.#put(turned, 'This is HuJSON now; Undo brings back the JSON5.')
      await this.reveal(1)
    }
    const button = h('button', { onclick: turn }, 'Turn it into HuJSON')
    this.#takeBack()
    this.#offer.append(h('span', 'This is JSON5: bare names, single quotes and the like, which the service does not read. ', button))
  }

  /** Puts a text in place, as a person does, in one step that can be undone; `words` say so. */
  async #put(text, words = '') {
    await this.#modules
    this.#editor.replace(text, true)
    this.#offer.replaceChildren(words)
  }

  async open(file) {
    const text = await textOf(file)
    const detail = { name: file.name, text, shown: fromFile(text) }
    if (!this.dispatchEvent(new CustomEvent('open', { detail, bubbles: true, composed: true, cancelable: true }))) return
    const { value = text, ...rest } = detail.shown ?? {}
    Object.assign(this, rest)
    await this.#put(value, `This is ${file.name} now; Undo brings back what was here.`)
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

  /** Brings a line of the text into view, with the cursor. One of the base is quoted, as it may have gone. */
  async reveal(line, text = 'value') {
    if (text === 'base') return this.#offer.replaceChildren(h('span', `Line ${line} of the text before: `, h('code', this.base.split('\n')[line - 1]?.trim())))
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
