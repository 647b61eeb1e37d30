// A large matrix at a glance: a pixel for each cell, with the part in view marked; a pointer goes there. Must not live here: how it is said in words.

import { h } from '../common/dom.js'
import { stateOf } from './words.js'

/** From how many rows and columns on it helps: such a matrix is larger than most places. */
const [FEW, MANY] = [20, 40]

/** `show(picture, colours)` draws it, or hides it where the matrix is small; `mark(part)` marks what is in view; `ongo` hears where a pointer goes. */
export function overview(ongo) {
  const canvas = h('canvas', { role: 'img' })
  const frame = h('div.frame')
  const view = h('div.overview', { hidden: true, part: 'overview' }, canvas, frame)
  let size = { rows: 0, columns: 0 }
  const mark = ({ rows: [top, bottom], columns: [left, right] }) => {
    if (view.hidden) return
    const percent = (value, of) => `${Math.min(100, Math.max(0, (100 * value) / of))}%`
    const { rows, columns } = size
    Object.assign(frame.style, {
      top: percent(top, rows),
      left: percent(left, columns),
      height: percent(Math.min(bottom, rows) - top, rows),
      width: percent(Math.min(right, columns) - left, columns),
    })
  }
  const show = ({ rows, columns, at }, colours, label) => {
    size = { rows: rows.length, columns: columns.length }
    view.hidden = Math.min(rows.length, columns.length) < FEW || Math.max(rows.length, columns.length) < MANY
    if (view.hidden) return
    Object.assign(canvas, { width: columns.length, height: rows.length, ariaLabel: label })
    const pen = canvas.getContext('2d')
    rows.forEach((_, row) => {
      columns.forEach((_, column) => {
        const state = stateOf(at(row, column))
        if (state === 'none') return
        pen.fillStyle = colours[state]
        pen.fillRect(column, row, 1, 1)
      })
    })
  }
  const follow = (event) => {
    if (event.buttons !== 1) return
    const box = canvas.getBoundingClientRect()
    const share = (value, count) => Math.min(count - 1, Math.max(0, Math.floor(value * count)))
    ongo(share((event.clientY - box.top) / box.height, size.rows), share((event.clientX - box.left) / box.width, size.columns))
  }
  canvas.addEventListener('pointerdown', follow)
  canvas.addEventListener('pointermove', follow)
  return { view, show, mark }
}
