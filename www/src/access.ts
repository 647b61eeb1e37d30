// The card of who reaches what: its filters, the picture, the words about a cell, its files.
// Must not live here: how access is decided; how equal rows are found; how the table is drawn.
import type { AccessMatrix } from 'tailnet-kit/slim'
import { type File, csv, json, svg } from './access.export.js'
import { lacking } from './access.naming.js'
import { type Party, type Picture, type Place, pictureOf } from './access.picture.js'
import { accessTable } from './access.table.js'
import { answerCard, askable, rule } from './answers.js'
import type { Reveal } from './changes.js'
import { download, h } from './dom.js'
import { ask, known as context } from './kit.js'
import { named } from './ports.js'
import { kept } from './storage.js'
import type { Card, Workbench } from './workbench.js'

/** How many names a sentence names before it counts the rest, and how many a list shows at most. */
const [NAMED, LISTED] = [12, 60]

const checkbox = (label: string, box: HTMLInputElement) => h('label.choice', box, h('small', label))

/** Who reaches what under the edited text, and under the stored one. */
type Both = [now: AccessMatrix, before: AccessMatrix]

/** Who reaches what under a text, for its names and those of the other text: a wider rule may let in somebody whom only the other text names. */
async function byNames(text: string, own: AccessMatrix, other: AccessMatrix, of: string): Promise<AccessMatrix> {
  const more = lacking(own, other, of)
  return more ? ask('accessNaming', text, more).catch(() => own) : own // Not every name is allowed in every text.
}

/** Draws the picture, and lists below it the rules of the cell that somebody points at or chooses. */
export function matrix(bench: Workbench): Card & { reveal: Reveal } {
  const { subject } = bench
  const told = h('div.told', { ariaLive: 'polite' })
  let last: Both | undefined
  let picture: Picture | undefined

  const again = () => draw()
  const filter = (name: string, label: string, placeholder: string) => kept(`picture.${name}`, h('input', { placeholder, ariaLabel: label }), again)
  const [whom, what] = [filter('who', 'Filter sources', 'who'), filter('what', 'Filter destinations', 'what')]
  const sides = ['name', 'device'].map((value) => h('option', { value }, `by ${value}`))
  const by = kept('picture.by', h('select', { ariaLabel: 'Rows and columns' }, ...sides), bench.refresh)
  const grouped = h('input', { type: 'checkbox', checked: true, onchange: again })
  const ports = h('input', { type: 'checkbox', onchange: again })
  const port = (words: string) => (ports.checked ? named(words) : words)

  const only = (field: HTMLInputElement, words: string) => () => {
    for (const input of [whom, what]) {
      input.value = input === field ? words : ''
      input.dispatchEvent(new Event('input'))
    }
  }
  const choose = (name: string) => () => {
    subject.value = name
    subject.dispatchEvent(new Event('input'))
  }
  const { cell, party } = telling(bench, told, { port, only, choose, whom, what })
  const table = accessTable({ cell, party, port })
  const draw = () => {
    if (!last) return
    const wanted = { who: whom.value, what: what.value, grouped: grouped.checked }
    picture = pictureOf(...last, wanted)
    table.draw(picture, wanted.who || wanted.what ? 'No name matches.' : undefined)
    table.choose(subject.value.trim())
    const hint = 'Point at a cell for its rules; click to mark them in the policy.'
    told.replaceChildren(h('p.quiet', picture.rows.length ? hint : ''))
  }
  let drawn = ''
  const update: Card['update'] = async ({ text, access, before }) => {
    const devices = by.value === 'device' && (context.devices?.length ?? 0) > 0
    const stored = bench.draft.opened.text
    const both: Both = devices
      ? await Promise.all([ask('accessByDevice', text), ask('accessByDevice', stored)])
      : await Promise.all([byNames(text, access, before, stored), byNames(stored, before, access, text)])
    return () => {
      last = both
      // An equal picture is not drawn again, so that the focus stays.
      const same = JSON.stringify([by.value, both[0].cells, both[0].sources, both[0].destinations, both[1].cells])
      if (same !== drawn) draw()
      drawn = same
      table.choose(subject.value.trim())
    }
  }
  const save = (file: (of: Picture) => File) => () => picture && download(file(picture))
  const kinds: Record<string, (of: Picture) => File> = { SVG: (of) => svg(of, port), CSV: csv, JSON: json }
  const links = Object.entries(kinds).map(([kind, file]) => h('button.link', { onclick: save(file) }, kind))
  const files = h('div.toolbar', h('span.quiet', 'Save as'), ...links)
  const controls = h('div.toolbar filters', whom, what, by, checkbox('Group identical', grouped), checkbox('Port names (ssh, https)', ports))
  const signs = { all: 'all ports', some: 'some', 'some wide': 'via a broader rule', gained: '+ gained', lost: '− lost' }
  const legend = h('p.legend', ...Object.entries(signs).map(([sign, words]) => h(`span.${sign}`, words)))
  return { update, reveal: table.reveal, view: answerCard('Who reaches what', 'access', '', controls, table.pages, table.place, legend, told, files) }
}

/** How the words about a cell name its ports, and what the buttons in them do. */
interface Telling {
  port(words: string): string
  only(field: HTMLInputElement, words: string): () => void
  choose(name: string): () => void
  whom: HTMLInputElement
  what: HTMLInputElement
}

/** Fills `told` with the words about a cell, or about a row or column. */
function telling(bench: Workbench, told: HTMLElement, { port, only, choose, whom, what }: Telling) {
  const listed = (all: string[]) => all.map((each) => (each === '*' ? 'every port' : port(each))).join(', ')
  const joined = ({ names }: Party) => names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ` and ${names.length - NAMED} more` : '')
  const cell = (sources: Party, destinations: Party, place: Place, chosen: boolean) => {
    const { ports, gained, lost, wider, own, because, unknown } = place
    const [from, to] = [joined(sources), joined(destinations)]
    const reached = own ? `${from}: each reaches its own at ` : `${from} reaches ${to} at `
    const words = ports.length ? reached + listed(ports) : `${from} no longer reaches ${to}`
    const more = [
      unknown && 'the text and the devices do not decide this',
      wider && `through ${wider}`,
      gained.length && `gained: ${listed(gained)}`,
      lost.length && `lost: ${listed(lost)}`,
    ]
    const rules = because.map((ref) => rule(bench, ref))
    told.replaceChildren(h('p', words), h('p.quiet', more.filter(Boolean).join('; ')), h('ol', ...rules))
    if (chosen) bench.reading.mark(because.map(({ line }) => line))
  }
  const one = (name: string) => {
    if (askable(name)) choose(name)()
    const reaches = h('button', { onclick: only(whom, name) }, 'What it reaches')
    const reached = h('button', { onclick: only(what, name) }, 'Who reaches it')
    told.replaceChildren(h('p', name), h('div.toolbar', reaches, reached))
  }
  const party = ({ names }: Party, side: 'source' | 'destination') => {
    if (names.length === 1) return one(names[0] ?? '')
    const alike = side === 'source' ? 'reach the same' : 'are reached alike'
    const each = names.slice(0, LISTED).map((name) => h('li', askable(name) ? h('button.link', { onclick: choose(name) }, name) : name))
    told.replaceChildren(h('p', `These ${names.length} ${alike}:`), h('ul.names', ...each))
  }
  return { cell, party }
}
