// A list of a service that is sent whole, one entry a line: checked while it is typed, each finding at its line. Must not live here: what a good entry is.

import { h, prose } from '../common/dom.js'
import { judge } from '../common/judge.js'
import { enable, live } from '../common/buttons.js'
import { attempt } from '../common/work.js'
import { card, field } from './element.js'

/** How many lines a text box has at least. */
const LINES = 5

/** The text box with line numbers beside it. It grows with its text, so that each number stays beside its line. */
function numbered(input) {
  const numbers = h('ol.numbers', { ariaHidden: 'true' })
  const lines = () => input.value.split('\n')
  const number = (found) => {
    input.rows = Math.max(LINES, lines().length + 1)
    const worst = (line) => found.flatMap((one) => (one.line === line ? one.severity : [])).sort()[0] ?? ''
    numbers.replaceChildren(...lines().map((_, index) => h(`li.${worst(index + 1)}`, index + 1)))
  }
  const goTo = (line) => {
    const from = lines()
      .slice(0, line - 1)
      .reduce((sum, { length }) => sum + length + 1, 0)
    input.focus()
    input.setSelectionRange(from, from + (lines()[line - 1]?.length ?? 0))
  }
  return { view: h('div.numbered', numbers, input), number, goTo }
}

/**
 * The card of a list, of which `stored` is what the service has. `box` is the label of the text box, `emptied` warns of what it means to empty the list,
 * `send` sends the entries and resolves with what the service then has.
 */
export function entriesCard(element, stored, { kind, title, about, box, emptied, send }) {
  const [remarks, said, draft] = [h('div', { ariaLive: 'polite', id: kind }), live(), `dns.${kind}`]
  const save = h('button.primary', `Save ${title[0].toLowerCase()}${title.slice(1)}`)
  const entries = () =>
    input.value
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  const remark = ({ severity, message, hint, line }) => {
    const place = h('button.link', { type: 'button', onclick: () => goTo(line) }, `Line ${line}:`)
    return h(severity === 'error' ? 'p.problem' : 'p.warning', place, ' ', ...prose(hint ? `${message} (${hint})` : message))
  }
  const look = async () => {
    const text = input.value
    number([])
    said.replaceChildren()
    enable(save, entries().join('\n') !== stored.join('\n'))
    const found = await judge('entries', kind, text)
    if (text !== input.value) return
    const warning = stored.length > 0 && !entries().length && h('p.warning', emptied)
    remarks.replaceChildren(...found.map(remark), warning || '')
    input.ariaInvalid = String(found.some(({ severity }) => severity === 'error'))
    number(found)
  }
  const store = async () => {
    const sent = input.value
    stored = await send(entries())
    // What was typed while the request was under way stays.
    if (input.value === sent) {
      input.value = stored.join('\n')
      element.drafts?.set(draft, undefined)
    }
    await look()
    return 'Saved.'
  }
  const input = element.kept(draft, h('textarea', { value: stored.join('\n'), wrap: 'off' }), look)
  input.setAttribute('aria-describedby', remarks.id)
  const { view, number, goTo } = numbered(input)
  save.onclick = () => attempt(said, store)
  look()
  return card(title, h('p.quiet', about), field(`${box}, one per line`, view), remarks, h('div.toolbar', save), said)
}
