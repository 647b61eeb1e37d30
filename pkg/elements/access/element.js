// `<tailnet-access>`: who reaches what, or logs in to what, as a matrix, and what of that changes. Must not live here: how it is decided (`matrix.js`), the
// grid, pictures.

import { KitElement } from '../common/base.js'
import { download, h, joined } from '../common/dom.js'
import { Grid } from './grid.js'
import { overview } from './overview.js'
import { csv, png, svg } from './paint.js'
import { isChanged, pictureOf, placeOf } from './picture.js'
import { styles } from './styles.js'
import { sentence, short, shownWords, stateOf } from './words.js'

const TITLES = { ports: 'Who reaches what', logins: 'Who may log in to what by SSH' }
const LEGEND = { some: 'some', all: 'all', gained: '+ gained', lost: '− lost', undecided: '? undecided', wide: 'via a broader rule' }
/** The fewest and the most characters of a column and of a head, and how many names the words below the matrix have. */
const [NARROW, WIDE, HEAD, NAMES] = [3, 18, 30, 12]

const choice = (label, options, onchange) => {
  const select = h('select', { onchange }, ...Object.entries(options).map(([value, words]) => h('option', { value }, words)))
  return { select, view: h('label', h('span.hidden', label), select) }
}
const checkbox = (label, checked, onchange) => {
  const box = h('input', { type: 'checkbox', checked, onchange })
  return { box, view: h('label.choice', box, label) }
}

export class TailnetAccess extends KitElement {
  static properties = { value: '', base: '', context: undefined, by: 'name', of: 'ports' }
  static styles = [styles]
  #matrix
  #picture
  /** The cell to go to once its matrix is there. */
  #wanted
  #grid = new Grid({ onmove: (place) => this.#tellOf(place), onuse: (place) => this.#use(place), onview: (part) => this.#overview.mark(part) })
  #overview = overview((row, column) => this.#grid.scrollTo({ row, column }))
  #rows = h('input', { type: 'search', placeholder: 'Filter sources', ariaLabel: 'Filter sources', oninput: () => this.#redraw() })
  #columns = h('input', { type: 'search', placeholder: 'Filter destinations', ariaLabel: 'Filter destinations', oninput: () => this.#redraw() })
  #of = choice('Matrix of', { ports: 'Ports', logins: 'SSH logins' }, ({ target }) => (this.of = target.value))
  #by = choice('Rows and columns', { name: 'Users and tags', device: 'Devices' }, ({ target }) => (this.by = target.value))
  #grouped = checkbox('Group identical', true, () => this.#redraw())
  #named = checkbox('Port names', false, () => this.#redraw())
  #only = checkbox('Only what changes', false, () => this.#toggle())
  /** Whether somebody chose to see everything, or only what changes. */
  #chosen = false
  /** Lines of `value` whose cells are marked. */
  #marked = []
  #words = h('div.told', { part: 'words' })
  #legend = h('p.legend', { part: 'legend' })

  constructor() {
    super()
    for (const [state, words] of Object.entries(LEGEND)) this.#legend.append(h(`span.${state}`, words))
    const file = (label, save) => h('button', { onclick: save, part: 'save' }, label)
    const files = h(
      'div.toolbar',
      h('span.quiet', 'Save as '),
      file('SVG', () => download('access.svg', 'image/svg+xml', this.toSVG())),
      file('PNG', async () => download('access.png', 'image/png', await this.toPNG())),
      file('CSV', () => download('access.csv', 'text/csv', this.toCSV())),
    )
    const controls = h('div.toolbar', this.#rows, this.#columns, this.#of.view, this.#by.view, this.#grouped.view, this.#named.view, this.#only.view)
    this.body.append(controls, this.#overview.view, this.#grid.view, this.#legend, this.#words, files)
    this.body.hidden = true
  }

  async question(ask) {
    const { value, base, context, by, of } = this
    if (value === '') return undefined
    return ask('matrix', value, base, context, { by, of })
  }

  draw(matrix) {
    this.body.hidden = matrix === undefined
    if (matrix === undefined) {
      this.say('')
      return undefined
    }
    this.#matrix = matrix
    this.#of.select.value = matrix.of
    this.#by.select.value = matrix.by
    this.#named.view.hidden = matrix.of !== 'ports'
    this.#by.view.hidden = !(this.context?.devices?.length > 0)
    this.#grid.view.ariaLabel = TITLES[matrix.of]
    const changes = matrix.places.some(isChanged)
    this.#only.view.hidden = !changes
    if (!changes) this.#chosen = false
    if (!this.#chosen) this.#only.box.checked = changes
    this.#redraw()
    if (this.#wanted) this.jump(this.#wanted)
    const { by, of, sources, destinations } = matrix
    return { by, of, sources, destinations }
  }

  #toggle() {
    this.#chosen = true
    this.#redraw()
  }

  #redraw() {
    if (!this.#matrix) return
    const wanted = { rows: this.#rows.value, columns: this.#columns.value, grouped: this.#grouped.box.checked, onlyChanges: this.#only.box.checked }
    this.#picture = { ...pictureOf(this.#matrix, wanted), named: this.#matrix.of === 'ports' && this.#named.box.checked }
    const { rows, columns, at } = this.#picture
    const isEmpty = rows.length === 0
    const widths = columns.map((_, column) => this.#width(column))
    const longest = (parties) => Math.min(HEAD, Math.max(4, ...parties.map((party) => short(party).length)))
    this.#grid.view.hidden = isEmpty
    this.#words.replaceChildren()
    this.say(this.#count())
    this.#overview.show(this.#picture, this.#colours(), `${TITLES[this.#matrix.of]}, a pixel for each cell; filter sources or destinations for the words`)
    if (isEmpty) return
    this.#grid.show({
      rows: rows.length,
      columns: columns.length,
      widths,
      heads: { row: longest(rows), column: longest(columns) },
      rowHead: (row) => this.#head(rows[row]),
      columnHead: (column) => this.#head(columns[column]),
      cell: (row, column) => this.#cell(rows[row], columns[column], at(row, column)),
    })
  }

  #wordsOf = (place) => shownWords(place, this.#picture.named)

  /** How many characters a column needs for its words. */
  #width(column) {
    const { rows, at } = this.#picture
    let most = NARROW
    for (let row = 0; row < rows.length && most < WIDE; row++) {
      const place = at(row, column)
      if (place)
        most = Math.max(
          most,
          this.#wordsOf(place).reduce((sum, { words }) => sum + words.length + 1, -1),
        )
    }
    return Math.min(most, WIDE)
  }

  #count() {
    const { rows, columns } = this.#picture
    const names = (parties) => parties.reduce((sum, { names }) => sum + names.length, 0)
    if (rows.length === 0)
      return this.#rows.value || this.#columns.value ? 'No name matches.' : this.#matrix.of === 'ports' ? 'Nobody reaches anything.' : 'Nobody may log in.'
    const part = (shown, all, words) => `${shown === all ? '' : `${this.number(shown)} of `}${this.number(all)} ${words}${all === 1 ? '' : 's'}`
    const told = (indices) => new Set(indices).size
    return `${part(names(rows), told(this.#matrix.rows), 'source')}, ${part(names(columns), told(this.#matrix.columns), 'destination')}`
  }

  /** The colours of the legend, as the page resolves them. */
  #colours() {
    const all = [...this.#legend.children].map((sign) => [sign.className, getComputedStyle(sign)])
    return Object.fromEntries(all.map(([state, { borderInlineStartColor }]) => [state, borderInlineStartColor]))
  }

  #head(party) {
    const more = party.names.length - 1
    return h('span', { title: party.names.join('\n') }, h('span', party.names[0]), more > 0 && h('b', ` +${this.number(more)}`))
  }

  #cell(row, column, place) {
    const words = place ? this.#wordsOf(place).flatMap(({ kind, words }, index) => [index > 0 && ' ', h(`span.${kind}`, words)]) : []
    const said = h('span.hidden', sentence(this.#matrix.of, row, column, place))
    return h(
      `div.cell ${stateOf(place)}${place?.wider ? ' wide' : ''}${this.#isMarked(place) ? ' marked' : ''}`,
      said,
      h('span', { ariaHidden: 'true' }, ...words),
    )
  }

  /** The words about a cell, or about the names of a row or column; none about no place. */
  #tellOf(place) {
    if (!place) return this.#words.replaceChildren()
    const { row, column } = place
    const { rows, columns, at } = this.#picture
    if (row < 0 || column < 0) {
      const { names } = row < 0 ? columns[column] : rows[row]
      const alike = names.length > 1 ? (row < 0 ? 'These are reached alike: ' : 'These reach the same: ') : ''
      return this.#words.replaceChildren(h('p', `${alike}${joined(names, NAMES)}`))
    }
    const told = at(row, column)
    const rules = (list, text, words) =>
      list.length > 0 && h('p', `${words}${list.length > 1 ? 's' : ''} `, ...list.flatMap((ref, index) => [index > 0 && ', ', this.#rule(ref, text)]))
    const parts = told ? [rules(told.because, 'value', 'Line'), rules(told.before, 'base', 'Before the change, line')] : []
    this.#words.replaceChildren(h('p', sentence(this.#matrix.of, rows[row], columns[column], told)), ...parts.filter(Boolean))
  }

  #rule(ref, text) {
    const onclick = () => this.tell('rule', { ...ref, text })
    return h('button.link', { onclick, ariaLabel: `line ${ref.line}${text === 'base' ? ' of the text before' : ''}`, part: 'rule' }, `${ref.line}`)
  }

  /** A cell that is chosen is told to the page; a name shows its row or column alone. */
  #use({ row, column }) {
    const { rows, columns, at } = this.#picture
    if (row >= 0 && column >= 0) {
      this.#tellOf({ row, column })
      const place = at(row, column)
      return this.tell('cell', {
        source: rows[row].names[0],
        destination: columns[column].names[0],
        of: this.#matrix.of,
        because: place?.because ?? [],
        before: place?.before ?? [],
      })
    }
    const [field, { names }] = row < 0 ? [this.#columns, columns[column]] : [this.#rows, rows[row]]
    field.value = field.value === names[0] ? '' : names[0]
    this.#redraw()
  }

  /** Shows a cell by the names of its row and column, and focuses it. Filters that hide it are cleared. */
  jump({ source, destination, of = this.of }) {
    this.#wanted = { source, destination, of }
    if (of !== this.of || !this.#picture || this.#matrix.of !== of) {
      this.of = of
      return false
    }
    this.#wanted = undefined
    const find = () => placeOf(this.#picture, source, destination)
    let place = find()
    if (!place) {
      this.#rows.value = this.#columns.value = ''
      this.#only.box.checked = false
      this.#redraw()
      place = find()
    }
    if (place) this.#grid.go(place)
    else if (this.#matrix.by === 'name' && [source, destination].some((name) => this.#isDevice(name))) {
      this.#wanted = { source, destination, of }
      this.by = 'device'
    }
    return place !== undefined
  }

  /** Whether a device has a name that no row or column by names has. */
  #isDevice = (name) => this.context?.devices?.some((device) => [device.name?.split('.')[0], device.hostname].includes(name)) ?? false

  /** Marks the cells that rules on these lines of `value` open. */
  mark(lines) {
    this.#marked = lines
    for (const cell of this.#grid.view.querySelectorAll('[role=gridcell]')) {
      const { row, column } = cell.place
      cell.classList.toggle('marked', this.#isMarked(this.#picture.at(row, column)))
    }
  }

  #isMarked = (place) => place?.because.some(({ line }) => this.#marked.includes(line)) ?? false

  #title() {
    return `${TITLES[this.#matrix?.of ?? 'ports']}, ${new Date().toLocaleDateString(this.closest('[lang]')?.lang || undefined)}`
  }

  toSVG() {
    return svg(this.#shown(), this.#title())
  }

  toPNG() {
    return png(this.#shown(), this.#title())
  }

  toCSV() {
    return csv(this.#shown())
  }

  /** What is shown; nothing before the first answer. */
  #shown() {
    return this.#picture ?? { of: this.of, rows: [], columns: [], at: () => undefined }
  }
}
