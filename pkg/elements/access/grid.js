// A table of any size of which only what is in view is in the page, with arrow keys and one tab stop. Must not live here: what its cells say, colours.

import { h } from '../common/dom.js'

/** Rows and columns beyond the view that are drawn too. */
const BEYOND = 3
/** What is drawn where nothing has a size, as in a page that is not shown. */
const UNSIZED = { rows: [0, 40], columns: [0, 24] }

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }
const CELLS = '[role=gridcell], [role=rowheader], [role=columnheader]'

/** The last of these ascending starts that is not beyond `at`. */
function indexAt(starts, at) {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (starts[middle] <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** The indices of a part and a little more, and the one in use, so that it keeps the focus. */
function around([from, to], active, count) {
  const all = []
  for (let index = Math.max(0, from - BEYOND); index < Math.min(count, to + BEYOND); index++) all.push(index)
  return active < 0 || active >= count || all.includes(active) ? all : [...all, active].sort((a, b) => a - b)
}

const bounded = (value, count) => Math.min(Math.max(value, -1), count - 1)

/**
 * A grid; `view` is its element. It shows a shape: `rows` and `columns` are counts, `widths` those of columns in characters, `heads` those of the heads
 * of both sides; `cell(row, column)`, `rowHead(row)` and `columnHead(column)` make contents. A place is a row and a column; -1 stands for a head.
 * `onmove` hears which place is in use or pointed at, or of none, `onuse` which is chosen, `onview` which part is in view.
 */
export class Grid {
  #ruler = h('span.ruler', '0'.repeat(10))
  #header = h('div.header', { role: 'row', ariaRowIndex: '1' })
  #sheet = h('div.sheet', this.#header)
  view = h('div.grid', { role: 'grid', part: 'grid' }, this.#ruler, this.#sheet)
  #heard
  /** What is in the page, by place. */
  #drawn = new Map()
  #shape
  #active = { row: 0, column: 0 }
  /** The place that somebody went to in this shape, if any. */
  #used
  /** The one element that Tab stops at. */
  #stop
  /** The size of a character and of a row, and where columns start, in pixels. */
  #unit = { char: 8, line: 28 }
  #starts = [0]

  constructor(heard) {
    this.#heard = heard
    const placed = ({ target }) => target.closest(CELLS)
    this.view.addEventListener('scroll', () => requestAnimationFrame(() => this.#draw()), { passive: true })
    new ResizeObserver(() => this.#draw()).observe(this.view)
    this.view.addEventListener('focusin', (event) => placed(event) && this.#use(placed(event).place))
    this.view.addEventListener('pointerover', (event) => placed(event) && heard.onmove(placed(event).place))
    this.view.addEventListener('pointerleave', () => heard.onmove(this.#used))
    this.view.addEventListener('click', (event) => {
      const cell = placed(event)
      cell?.focus({ preventScroll: true })
      if (cell) heard.onuse(cell.place)
    })
    this.view.addEventListener('keydown', (event) => this.#press(event))
  }

  /** Shows another shape; the place in use stays where it can. */
  show(shape) {
    const hadFocus = this.view.contains(this.view.getRootNode().activeElement)
    this.#shape = shape
    this.#used = undefined
    for (const element of this.#drawn.values()) element.remove()
    this.#drawn.clear()
    this.#measure()
    const { row, column } = this.#active
    this.#active = { row: Math.min(row, shape.rows - 1), column: Math.min(column, shape.columns - 1) }
    if (this.#active.row < 0 && this.#active.column < 0) this.#active = { row: 0, column: 0 }
    Object.assign(this.view, { ariaRowCount: `${shape.rows + 1}`, ariaColCount: `${shape.columns + 1}` })
    const width = `${this.#starts.at(-1)}px`
    Object.assign(this.#header.style, { height: `${this.#top}px`, width })
    Object.assign(this.#sheet.style, { height: `${this.#top + shape.rows * this.#unit.line}px`, width })
    this.#draw()
    if (hadFocus) this.#element(this.#active)?.focus({ preventScroll: true })
  }

  /** Brings a place into view and focuses it. */
  go(place) {
    this.#active = place
    this.scrollTo(place)
    this.#element(place)?.focus({ preventScroll: true })
  }

  /** Brings a place into view. */
  scrollTo({ row, column }) {
    const { view } = this
    const [left, top, { line }] = [this.#starts[0], this.#top, this.#unit]
    if (row >= 0) {
      if (row * line < view.scrollTop) view.scrollTop = row * line
      if ((row + 1) * line > view.scrollTop + view.clientHeight - top) view.scrollTop = (row + 1) * line - view.clientHeight + top
    }
    if (column >= 0) {
      const [start, end] = [this.#starts[column], this.#starts[column + 1]]
      if (start - left < view.scrollLeft) view.scrollLeft = start - left
      if (end > view.scrollLeft + view.clientWidth) view.scrollLeft = end - view.clientWidth
    }
    this.#draw()
  }

  /** The height of the heads of columns. */
  get #top() {
    return this.#shape.heads.column * this.#unit.char + 14
  }

  #measure() {
    const { width, height } = this.#ruler.getBoundingClientRect()
    if (width > 0) this.#unit = { char: width / 10, line: Math.round(height * 1.35) }
    this.#starts = [this.#shape.heads.row * this.#unit.char + 18]
    for (const width of this.#shape.widths) this.#starts.push(this.#starts.at(-1) + width * this.#unit.char + 14)
  }

  /** The part in view. */
  #seen() {
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = this.view
    if (clientHeight === 0) return UNSIZED
    const { line } = this.#unit
    return {
      rows: [Math.floor(scrollTop / line), Math.ceil((scrollTop + clientHeight - this.#top) / line)],
      columns: [indexAt(this.#starts, scrollLeft + this.#starts[0]), indexAt(this.#starts, scrollLeft + clientWidth) + 1],
    }
  }

  /** Adds what came into view and removes what left it; what stays is the same element, so that the focus stays. */
  #draw() {
    if (!this.#shape) return
    const [seen, wanted] = [this.#seen(), new Set()]
    const kept = (parent, key, make) => {
      wanted.add(key)
      if (!this.#drawn.has(key)) {
        this.#drawn.set(key, make())
        parent.append(this.#drawn.get(key))
      }
      return this.#drawn.get(key)
    }
    const columns = around(seen.columns, this.#active.column, this.#shape.columns)
    for (const column of columns) kept(this.#header, `-1:${column}`, () => this.#columnHead(column))
    for (const row of around(seen.rows, this.#active.row, this.#shape.rows)) {
      const line = kept(this.#sheet, `${row}`, () => this.#row(row))
      for (const column of columns) kept(line, `${row}:${column}`, () => this.#cell(row, column))
    }
    for (const [key, element] of this.#drawn) {
      if (wanted.has(key)) continue
      element.remove()
      this.#drawn.delete(key)
    }
    this.#mark()
    this.#heard.onview(seen)
  }

  /** Sets where an element is and what it is to a screen reader. */
  #placed(element, role, place) {
    const { column } = place
    Object.assign(element, { role, ariaColIndex: `${column + 2}`, tabIndex: -1, place })
    if (column >= 0) Object.assign(element.style, { left: `${this.#starts[column]}px`, width: `${this.#starts[column + 1] - this.#starts[column]}px` })
    return element
  }

  #columnHead(column) {
    return this.#placed(h('div.column', this.#shape.columnHead(column)), 'columnheader', { row: -1, column })
  }

  #row(row) {
    const head = this.#placed(h('div.row-head', this.#shape.rowHead(row)), 'rowheader', { row, column: -1 })
    head.style.width = `${this.#starts[0]}px`
    const line = h('div.row', { role: 'row', ariaRowIndex: `${row + 2}` }, head)
    Object.assign(line.style, { top: `${this.#top + row * this.#unit.line}px`, height: `${this.#unit.line}px`, width: `${this.#starts.at(-1)}px` })
    return line
  }

  #cell(row, column) {
    return this.#placed(this.#shape.cell(row, column), 'gridcell', { row, column })
  }

  #element({ row, column }) {
    return column < 0 ? this.#drawn.get(`${row}`)?.firstChild : this.#drawn.get(`${row}:${column}`)
  }

  #mark() {
    if (this.#stop) this.#stop.tabIndex = -1
    this.#stop = this.#element(this.#active)
    if (this.#stop) this.#stop.tabIndex = 0
  }

  #use(place) {
    this.#active = this.#used = place
    this.#mark()
    this.#heard.onmove(place)
  }

  #press(event) {
    if (!this.#shape || event.altKey) return
    const [{ row, column }, { rows, columns }] = [this.#active, this.#shape]
    const page = Math.max(1, Math.floor((this.view.clientHeight - this.#top) / this.#unit.line) - 1)
    const far = {
      Home: event.ctrlKey ? [0, 0] : [row, -1],
      End: event.ctrlKey ? [rows - 1, columns - 1] : [row, columns - 1],
      PageUp: [Math.max(0, row - page), column],
      PageDown: [row + page, column],
    }
    const step = STEPS[event.key]
    const next = step ? [row + step[0], column + step[1]] : far[event.key]
    if (event.key === 'Enter' || event.key === ' ') this.#heard.onuse(this.#active)
    else if (next) {
      const place = { row: bounded(next[0], rows), column: bounded(next[1], columns) }
      // The corner is no cell.
      if (place.row >= 0 || place.column >= 0) this.go(place)
    } else return
    event.preventDefault()
  }
}
