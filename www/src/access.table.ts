// The picture of who reaches what as a table, one page of it at a time, with arrow keys to move in it. Must not live here: what its cells say.
import { said, short } from './access.export.js'
import type { Party, Picture, Place } from './access.picture.js'
import { h } from './dom.js'

/** The rows and columns of a page: no screen shows more. */
const [ROWS, COLUMNS] = [40, 24]

/** Receives the cell, row or column that somebody points at or chooses. */
export interface Listener {
  cell(sources: Party, destinations: Party, place: Place, chosen: boolean): void
  party(party: Party, side: 'source' | 'destination'): void
  port(port: string): string
}

const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }

/** A place for pictures. `draw` shows one, at the same page as the last one if the new one still has that page. */
export function accessTable(listener: Listener) {
  const place = h('div.scroll')
  const pages = h('div.pages')
  const from = { row: 0, column: 0 }
  let shown: Picture | undefined

  const head = (scope: 'row' | 'col', party: Party) => {
    const [side, more] = [scope === 'row' ? 'source' : 'destination', party.names.length - 1] as const
    const onclick = () => listener.party(party, side)
    const words = [h('span', party.names[0]), more > 0 && h('b', ` +${more}`)]
    return h('th', { scope }, h('button', { title: party.names.join('\n'), onclick }, ...words))
  }
  const cell = (sources: Party, destinations: Party, found?: Place) => {
    if (!found) return h('td')
    const lines = said(found, listener.port).map(({ kind, words }) => h(`span.${kind}`, kind && h('span.hidden', `${kind} `), words))
    const [state, all] = [stateOf(found), found.ports.includes('*') && !found.own ? 'all' : 'some']
    const wider = found.wider && h('span.hidden', ` through ${found.wider}`)
    const open = h('button', h('span.hidden', `${short(sources)} reaches ${short(destinations)} at `), ...lines, wider)
    open.onclick = () => listener.cell(sources, destinations, found, true)
    const at = h(`td.${all} ${state}${found.wider ? ' wide' : ''}`, open)
    open.onfocus = open.onpointerenter = () => {
      light(at)
      listener.cell(sources, destinations, found, false)
    }
    return at
  }
  const light = (at: HTMLTableCellElement) => {
    for (const name of place.querySelectorAll('th')) {
      name.classList.toggle('lit', name.parentElement === at.parentElement || name.cellIndex === at.cellIndex)
    }
  }
  const pager = (side: 'row' | 'column', count: number, size: number, words: string) => {
    if (count <= size) return null
    const turn = (by: number) => () => {
      from[side] += by * size
      if (shown) draw(shown)
    }
    const button = (label: string, by: number, sign: string) =>
      h('button', { ariaLabel: `${label} ${words}`, ariaDisabled: String(isEnd(by)), onclick: turn(by) }, sign)
    const isEnd = (by: number) => (by < 0 ? from[side] === 0 : from[side] + size >= count)
    const here = ` ${words} ${from[side] + 1}–${Math.min(count, from[side] + size)} of ${count} `
    return h('span', button('Previous', -1, '‹'), here, button('Next', 1, '›'))
  }
  function draw(picture: Picture, nothing = 'Nobody reaches anything.'): void {
    shown = picture
    const { rows, columns, at } = picture
    for (const [side, all, size] of [
      ['row', rows, ROWS],
      ['column', columns, COLUMNS],
    ] as const) {
      if (from[side] >= all.length) from[side] = Math.max(0, Math.floor((all.length - 1) / size) * size)
    }
    const [left, top] = [rows.slice(from.row, from.row + ROWS), columns.slice(from.column, from.column + COLUMNS)]
    const names = (parties: Party[]) => parties.reduce((sum, { names }) => sum + names.length, 0)
    const count = `${names(left)} of ${names(rows)} sources, ${names(top)} of ${names(columns)} destinations`
    const row = (party: Party, index: number) =>
      h('tr', head('row', party), ...top.map((other, column) => cell(party, other, at(from.row + index, from.column + column))))
    const heads = h('tr', h('td'), ...top.map((party) => head('col', party)))
    const table = h('table.matrix', h('caption.quiet', count), h('thead', heads), h('tbody', ...left.map(row)))
    const pagers = [pager('row', rows.length, ROWS, 'rows'), pager('column', columns.length, COLUMNS, 'columns')]
    pages.replaceChildren(...pagers.filter((part) => part !== null))
    const scrolled = [place.scrollLeft, place.scrollTop] as const
    place.replaceChildren(rows.length ? table : h('p.quiet', nothing))
    place.scrollTo(...scrolled)
    oneStop(place)
  }
  place.onkeydown = walk
  place.addEventListener('focusin', ({ target }) => oneStop(place, target as HTMLElement))
  /** Marks the row and the column of a name. */
  const choose = (chosen: string) => {
    for (const name of place.querySelectorAll<HTMLElement>('th > button')) {
      name.parentElement?.classList.toggle('chosen', name.title.split('\n').includes(chosen))
    }
  }
  /** Turns to the page with a cell and puts the focus there; false if there is no such cell. */
  const reveal = (source: string, destination: string) => {
    if (!shown) return false
    const [row, column] = (
      [
        [shown.rows, source],
        [shown.columns, destination],
      ] as const
    ).map(([all, name]) => all.findIndex(({ names }) => names.includes(name)))
    if (row === undefined || column === undefined || row < 0 || column < 0) return false
    Object.assign(from, { row: row - (row % ROWS), column: column - (column % COLUMNS) })
    draw(shown)
    const button = place.querySelector('table')?.rows[1 + (row % ROWS)]?.cells[1 + (column % COLUMNS)]?.querySelector('button')
    button?.focus()
    return button !== null && button !== undefined
  }
  return { place, pages, draw, choose, reveal }
}

const stateOf = ({ gained, lost, ports, unknown }: Place) =>
  unknown ? 'open' : !ports.length ? 'lost' : lost.length ? 'changed' : gained.length ? 'gained' : 'same'

/** Makes the Tab key stop once in the picture: at its first cell, or at the one last used. Arrow keys move on from there. */
function oneStop(picture: HTMLElement, stop = picture.querySelector<HTMLElement>('td button')): void {
  for (const other of picture.querySelectorAll('button')) other.tabIndex = other === stop ? 0 : -1
}

function walk(event: KeyboardEvent): void {
  const step = steps[event.key]
  let cell = (event.target as HTMLElement).closest<HTMLTableCellElement>('td, th') ?? undefined
  const rows = cell?.closest('table')?.rows
  if (!step || !rows) return
  event.preventDefault()
  do {
    const row = cell?.parentElement as HTMLTableRowElement | undefined
    cell = rows[(row?.rowIndex ?? 0) + step[0]]?.cells[(cell?.cellIndex ?? 0) + step[1]]
  } while (cell && !cell.querySelector('button'))
  cell?.querySelector('button')?.focus()
}
