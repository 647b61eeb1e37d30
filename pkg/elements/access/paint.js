// The matrix as a picture: one drawing for two surfaces, SVG and a canvas. It is drawn in light colours, for paper and wikis. Must not live here: how the
// page shows it.

import { short, shownWords, stateOf } from './words.js'

const [LINE, PAD, CHAR, MOST] = [22, 8, 7.3, 160]
const FILL = { none: '#f7f8fa', some: '#e6ecf7', all: '#b9cdf3', gained: '#d6e4ff', lost: '#fbd9d5', undecided: '#fdf1d8' }
const INK = { same: '#1b1f27', gained: '#1f4fa8', lost: '#a8261b', undecided: '#7a4a00' }
const LEGEND = { some: 'some', all: 'all', gained: '+ gained', lost: '− lost', undecided: '? undecided' }

/** Draws on a surface; returns its size. Nothing is drawn without one. */
function paint(picture, title, surface) {
  const { rows, columns, at, named } = picture
  const longest = (parties) => Math.min(40, Math.max(1, ...parties.map((party) => short(party).length))) * CHAR + PAD * 2
  const cells = rows.map((_, row) => columns.map((_, column) => at(row, column)))
  const wordsOf = (place) => (place ? shownWords(place, named) : [])
  const wide = columns.map((_, column) =>
    Math.min(MOST, Math.max(34, ...cells.map((row) => wordsOf(row[column]).reduce((sum, { words }) => sum + (words.length + 1) * CHAR, PAD)))),
  )
  const [left, top] = [longest(rows), longest(columns) + LINE * 2]
  const starts = [left]
  for (const width of wide) starts.push(starts.at(-1) + width)
  const size = { width: Math.max(starts.at(-1) + PAD, 480), height: top + rows.length * LINE + LINE * 2 }
  if (!surface) return size
  surface.rect(0, 0, size.width, size.height, '#fff')
  surface.text(PAD, 16, title, '#1b1f27')
  columns.forEach((party, column) => surface.text(starts[column] + wide[column] / 2 + 4, top - 6, short(party), '#1b1f27', true))
  rows.forEach((party, row) => {
    const y = top + row * LINE
    surface.text(PAD, y + 15, short(party), '#1b1f27')
    columns.forEach((_, column) => {
      const place = cells[row][column]
      surface.rect(starts[column] + 1, y + 1, wide[column] - 2, LINE - 2, FILL[stateOf(place)])
      let x = starts[column] + PAD / 2
      for (const { kind, words } of wordsOf(place)) {
        if (x + words.length * CHAR > starts[column + 1]) {
          surface.text(x, y + 15, '…', INK[kind])
          break
        }
        surface.text(x, y + 15, words, INK[kind])
        x += (words.length + 1) * CHAR
      }
    })
  })
  const foot = size.height - LINE
  Object.entries(LEGEND).forEach(([state, words], index) => {
    surface.rect(PAD + index * 90, foot, 84, LINE - 4, FILL[state])
    surface.text(PAD + index * 90 + 6, foot + 14, words, '#1b1f27')
  })
  return size
}

const escaped = (words) => words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** As a text of SVG. */
export function svg(picture, title) {
  const { width, height } = paint(picture, title)
  const parts = []
  paint(picture, title, {
    rect: (x, y, width, height, fill) => parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`),
    text: (x, y, words, fill, turned = false) =>
      parts.push(`<text x="${x}" y="${y}" fill="${fill}"${turned ? ` transform="rotate(-90 ${x} ${y})"` : ''}>${escaped(words)}</text>`),
  })
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="12" role="img">`
  return `${open}<title>${escaped(title)}</title>${parts.join('')}</svg>`
}

/** The most pixels that every browser's canvas has. */
const PIXELS = 100e6

/** As a PNG. */
export function png(picture, title) {
  const { width, height } = paint(picture, title)
  const scale = Math.min(2, Math.sqrt(PIXELS / (width * height)), 32_000 / width, 32_000 / height)
  const canvas = Object.assign(document.createElement('canvas'), { width: Math.ceil(width * scale), height: Math.ceil(height * scale) })
  const pen = canvas.getContext('2d')
  pen.scale(scale, scale)
  pen.font = '12px monospace'
  paint(picture, title, {
    rect(x, y, width, height, fill) {
      pen.fillStyle = fill
      pen.fillRect(x, y, width, height)
    },
    text(x, y, words, fill, turned = false) {
      pen.save()
      pen.fillStyle = fill
      pen.translate(x, y)
      if (turned) pen.rotate(-Math.PI / 2)
      pen.fillText(words, 0, 0)
      pen.restore()
    },
  })
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('this browser made no PNG of that size'))), 'image/png'),
  )
}

/** As CSV: a line for each pair of names. */
export function csv({ of, rows, columns, at }) {
  // A program for tables would run a cell that begins with one of these.
  const quoted = (words) => `"${words.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`
  const lines = [['source', 'destination', of, 'gained', 'lost', 'undecided', 'through', 'lines']]
  rows.forEach((row, y) => {
    columns.forEach((column, x) => {
      const place = at(y, x)
      if (!place) return
      const { words, gained, lost, undecided, wider = '', because, own } = place
      const rest = [words, gained, lost, undecided].map((list) => list.join(' '))
      for (const source of row.names)
        for (const destination of column.names)
          if (!own || source === destination) lines.push([source, destination, ...rest, wider, because.map(({ line }) => line).join(' ')])
    })
  })
  return `${lines.map((line) => line.map(quoted).join(',')).join('\r\n')}\r\n`
}
