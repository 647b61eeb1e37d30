// The picture of who reaches what as a file: SVG to show, CSV to sort, JSON to work with. Must not live here: how the page draws it.
import type { Party, Picture, Place } from './access.picture.js'

/** A file to be saved. */
export interface File {
  name: string
  type: string
  text: string
}

/** What a cell says, line by line. A plus marks a gain, a minus a loss; where there are more than `most` lines, the rest is counted. */
export function said(place: Place, named: (port: string) => string, most = 4): { kind: '' | 'gained' | 'lost'; words: string }[] {
  if (place.unknown) return [{ kind: '', words: '?' }]
  const every = place.own ? 'own' : 'all'
  const line = (kind: '' | 'gained' | 'lost', sign: string) => (port: string) => ({ kind, words: sign + (port === '*' ? every : named(port)) })
  const same = place.ports.filter((port) => !place.gained.includes(port) && !place.gained.includes('*'))
  const all = [...place.lost.map(line('lost', '−')), ...place.gained.map(line('gained', '+')), ...same.map(line('', ''))]
  return all.length > most ? [...all.slice(0, most - 1), { kind: '', words: `… ${all.length - most + 1}` }] : all
}

/** The names of a party in short: the first, and how many more. */
export const short = ({ names: [first = '', ...more] }: Party): string => (more.length ? `${first} +${more.length}` : first)

function* filled({ rows, columns, at }: Picture) {
  for (const [row, sources] of rows.entries()) {
    for (const [column, destinations] of columns.entries()) {
      const place = at(row, column)
      if (place) yield { row, column, sources, destinations, place }
    }
  }
}

/** A line for each pair of names. */
export function csv(picture: Picture): File {
  const quoted = (words: string) => `"${words.replaceAll('"', '""')}"`
  const lines = [['source', 'destination', 'ports', 'gained', 'lost', 'through', 'lines']]
  for (const { sources, destinations, place } of filled(picture)) {
    const { ports, gained, lost, wider = '', because, own } = place
    const rest = [ports.join(' '), gained.join(' '), lost.join(' '), wider, because.map(({ line }) => line).join(' ')]
    for (const source of sources.names) {
      for (const destination of destinations.names) if (!own || source === destination) lines.push([source, destination, ...rest])
    }
  }
  return { name: 'access.csv', type: 'text/csv', text: lines.map((line) => line.map(quoted).join(',')).join('\r\n') }
}

/** One entry for each cell, with the names on both sides. */
export function json(picture: Picture): File {
  const cells = [...filled(picture)].map(({ sources, destinations, place }) => ({ sources: sources.names, destinations: destinations.names, ...place }))
  return { name: 'access.json', type: 'application/json', text: JSON.stringify(cells, null, 1) }
}

const escaped = (words: string) => words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const INK = { '': '#1b1f27', gained: '#136c3a', lost: '#a8261b' }

/** The picture as it is drawn, in the light colours. */
export function svg(picture: Picture, named: (port: string) => string): File {
  const { rows, columns, at } = picture
  const [wide, tall, line] = [64, 8, 13]
  const longest = (all: Party[]) => Math.max(0, ...all.map((party) => short(party).length)) * 7.3 + 16
  const [left, top] = [longest(rows), longest(columns)]
  const parts: string[] = []
  const text = (x: number, y: number, words: string, more = '') => parts.push(`<text x="${x}" y="${y}" ${more}>${escaped(words)}</text>`)
  columns.forEach((party, column) => {
    const [x, y] = [left + column * wide + wide / 2 + 4, top - 6]
    text(x, y, short(party), `transform="rotate(-90 ${x} ${y})"`)
  })
  let y = top
  rows.forEach((party, row) => {
    const cells = columns.map((_, column) => {
      const place = at(row, column)
      return place && { place, lines: said(place, named) }
    })
    const height = Math.max(1, ...cells.map((cell) => cell?.lines.length ?? 0)) * line + tall
    text(8, y + height / 2 + 4, short(party))
    cells.forEach((cell, column) => {
      const x = left + column * wide
      const fill = !cell ? '#f3f5f8' : cell.place.lost.length ? '#fceae8' : cell.place.gained.length ? '#e4f4ea' : '#e9effc'
      const dashed = cell?.place.wider ? ' stroke="#59616f" stroke-dasharray="3 2"' : ''
      parts.push(`<rect x="${x + 1.5}" y="${y + 1.5}" width="${wide - 3}" height="${height - 3}" rx="4" fill="${fill}"${dashed}/>`)
      const first = y + (height - (cell?.lines.length ?? 0) * line) / 2 + 10
      cell?.lines.forEach(({ kind, words }, index) => text(x + wide / 2, first + index * line, words, `text-anchor="middle" fill="${INK[kind]}"`))
    })
    y += height
  })
  const size = `width="${left + columns.length * wide + 8}" height="${y + 8}"`
  const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="monospace" font-size="12" fill="#1b1f27">`
  return { name: 'access.svg', type: 'image/svg+xml', text: `${open}<rect width="100%" height="100%" fill="#fff"/>${parts.join('')}</svg>` }
}
