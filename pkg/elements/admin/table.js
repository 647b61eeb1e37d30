// A list of a service as a table: described by its columns, filtered, sorted, with buttons in each row. Must not live here: what a column shows.

import { h } from '../common/dom.js'
import { live } from '../common/buttons.js'
import { attempt } from '../common/work.js'
import { ServiceElement } from './element.js'

const { compare } = new Intl.Collator('en', { numeric: true })

export class TableElement extends ServiceElement {
  /** Words about the list: `one` and `many` of it, what the filter looks at, and what is said of an empty list. */
  static words = { one: '', many: '', filter: '', empty: '' }
  /** Each with its `title` and what it shows of an item; `key` is the number it sorts by, and `text` its words, where those of its cell are not it. */
  static columns = []
  #filter
  #heads
  #rows = h('tbody')
  #entries = []
  #by = 0
  #turned = false

  constructor() {
    super()
    const { words, columns } = new.target
    this.#filter = h('input', { placeholder: `Filter by ${words.filter}`, ariaLabel: `Filter ${words.many}`, part: 'filter' })
    this.#heads = columns.map(({ title }, index) => h('th', { scope: 'col' }, h('button.sort', { onclick: () => this.#sort(index) }, title)))
    const last = h('th', { scope: 'col' }, h('span.hidden', 'What to do'))
    const table = h('table', { part: 'table' }, h('thead', h('tr', ...this.#heads, last)), this.#rows)
    this.body.hidden = true
    this.body.append(h('div.bar', this.#filter), h('div.scroll', table))
  }

  show(items) {
    if (this.body.hidden) this.kept(`${this.constructor.words.many}.filter`, this.#filter, () => this.#list())
    this.body.hidden = false
    this.#entries = items.map((item) => this.#entry(item))
    this.#list()
    return items
  }

  /** The buttons of an item. */
  tools() {
    return []
  }

  #entry(item) {
    const { columns } = this.constructor
    const cells = columns.map(({ title }, index) => {
      const cell = index ? h('td') : h('th', { scope: 'row' })
      cell.dataset.title = title
      return cell
    })
    const entry = { item, cells, said: live(), tools: h('div.toolbar') }
    entry.rows = [h('tr.item', ...cells, h('td.tools', entry.tools, entry.said))]
    this.#fill(entry)
    return entry
  }

  #fill(entry) {
    const { item, cells } = entry
    const { columns } = this.constructor
    columns.forEach(({ show }, index) => cells[index].replaceChildren(...[show.call(this, item, entry)].flat(2).filter(Boolean)))
    entry.tools.replaceChildren(...this.tools(item, entry).filter(Boolean))
    const texts = columns.map(({ text }, index) => text?.(item) ?? cells[index].textContent)
    entry.text = texts.join(' ').toLowerCase()
    entry.keys = columns.map(({ key }, index) => key?.(item) ?? texts[index])
  }

  /** Shows an item as it is now. The focus stays at its place in the row, or goes to what is there now. */
  shown(entry) {
    const controls = () => [...entry.rows[0].querySelectorAll('button, select')]
    const at = controls().indexOf(this.shadowRoot.activeElement)
    this.#fill(entry)
    if (at >= 0)
      controls()
        .at(Math.min(at, controls().length - 1))
        ?.focus()
    this.#told()
  }

  /** Does something with an item, says in its row how it ended, and shows it as it is then, even where the work failed. */
  act(entry, work) {
    return attempt(entry.said, async () => {
      try {
        return await work()
      } finally {
        this.shown(entry)
      }
    })
  }

  /** Asks before it takes an item away. */
  async remove(entry, title, words, [label, work]) {
    const taken = async () => {
      await work()
      return true
    }
    if (!(await this.choose(title, [h('p', words)], [['Keep it'], [label, taken, 'danger']]))) return
    this.#entries = this.#entries.filter((other) => other !== entry)
    this.#told()
    this.tell('change', { id: entry.item.id })
    this.#list()
    this.#filter.focus() // The button that had the focus is gone.
  }

  #told() {
    this.tell(
      'answer',
      this.#entries.map(({ item }) => item),
    )
  }

  #sort(column) {
    this.#turned = this.#by === column && !this.#turned
    this.#by = column
    this.#list()
  }

  #list() {
    const { many, one, empty } = this.constructor.words
    const words = this.#filter.value.toLowerCase().split(/\s+/)
    const found = this.#entries.filter(({ text }) => words.every((word) => text.includes(word)))
    const by = ({ keys }) => `${keys[this.#by]}`
    found.sort((a, b) => compare(by(a), by(b)) * (this.#turned ? -1 : 1))
    this.#heads.forEach((head, index) => (head.ariaSort = index !== this.#by ? 'none' : this.#turned ? 'descending' : 'ascending'))
    this.say(`${this.number(found.length)} of ${this.number(this.#entries.length)} ${many}`, 'quiet')
    const nothing = this.#entries.length ? `No ${one} matches.` : empty
    const none = h('tr', h('td.quiet', { colSpan: this.#heads.length + 1 }, nothing))
    this.#rows.replaceChildren(...(found.length ? found.flatMap(({ rows }) => rows) : [none]))
  }
}
