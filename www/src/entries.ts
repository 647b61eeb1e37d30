// A list of a service that is sent whole, one entry a line: checked while it is typed, each finding at its line.
// Must not live here: what a good entry is.
import type { Issue } from 'tailnet-kit/slim'
import { attempt, card, enable, field, h, live, prose } from './dom.js'
import { keep, kept, typed } from './storage.js'

/** A list; `box` is the label of the text box, `emptied` warns of what it means to empty the list. */
export interface Entries extends Record<'title' | 'about' | 'box' | 'emptied', string> {
  check(entry: string): Pick<Issue, 'severity' | 'message' | 'hint'>[]
  /** A key that is equal for entries that mean the same. */
  same(entry: string): string
  send(entries: string[]): Promise<string[]>
}

/** What is wrong with a line, which counts from 1. */
type Finding = Pick<Issue, 'severity' | 'message' | 'hint'> & { line: number }

/** What is wrong with the entries of a text, line by line; an entry that is there twice is a finding too. */
function findings(text: string, { check, same }: Entries): Finding[] {
  const seen = new Map<string, number>()
  return text.split('\n').flatMap((whole, index): Finding[] => {
    const [entry, line] = [whole.trim(), index + 1]
    if (!entry) return []
    const found = check(entry).map(({ severity, message, hint }) => ({ severity, message, hint, line }))
    const first = seen.get(same(entry))
    seen.set(same(entry), first ?? line)
    return first ? [...found, { severity: 'warning', message: `the same stands on line ${first}`, line }] : found
  })
}

/** The text box with line numbers beside it. It grows with its text, so that each number stays beside its line. */
function numbered(input: HTMLTextAreaElement) {
  const numbers = h('ol.numbers', { ariaHidden: 'true' })
  const number = (found: Finding[]) => {
    const lines = input.value.split('\n').length
    input.rows = Math.max(5, lines + 1)
    const worst = (line: number) =>
      found
        .filter((one) => one.line === line)
        .map(({ severity }) => severity)
        .sort()[0] ?? ''
    numbers.replaceChildren(...Array.from({ length: lines }, (_, index) => h(`li.${worst(index + 1)}`, index + 1)))
  }
  const goTo = (line: number) => {
    const before =
      input.value
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0)
    input.focus()
    input.setSelectionRange(before, before + (input.value.split('\n')[line - 1]?.length ?? 0))
  }
  return { view: h('div.numbered', numbers, input), number, goTo }
}

/** The card of a list, of which `stored` is what the service has. */
export function entriesCard(stored: string[], of: Entries): HTMLElement {
  const { title, about, box, emptied, send } = of
  const [remarks, said, name] = [h('div', { ariaLive: 'polite', id: `remarks-${title}` }), live(), `dns.${title}`]
  const [draft, save] = [typed(name), h('button.primary', `Save ${title.charAt(0).toLowerCase()}${title.slice(1)}`)]
  const entries = () =>
    input.value
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  const remark = ({ severity, message, hint, line }: Finding) => {
    const place = h('button.link', { type: 'button', onclick: () => goTo(line) }, `Line ${line}:`)
    return h(`p.${severity === 'error' ? 'problem' : 'warning'}`, place, ' ', ...prose(hint ? `${message} (${hint})` : message))
  }
  const judge = () => {
    const [warning, found] = [stored.length > 0 && !entries().length && h('p.warning', emptied), findings(input.value, of)]
    remarks.replaceChildren(...found.map(remark), warning || '')
    input.ariaInvalid = String(found.some(({ severity }) => severity === 'error'))
    number(found)
    said.replaceChildren()
    enable(save, entries().join('\n') !== stored.join('\n'))
  }
  const store = async () => {
    const sent = input.value
    stored = await send(entries())
    // What was typed while the request was under way stays.
    if (input.value === sent) {
      input.value = stored.join('\n')
      keep(draft, undefined)
    }
    judge()
    return 'Saved.'
  }
  const input = kept(name, h('textarea', { value: stored.join('\n'), wrap: 'off' }), judge)
  input.setAttribute('aria-describedby', remarks.id)
  const { view, number, goTo } = numbered(input)
  save.onclick = () => attempt(said, store)
  judge()
  return card(title, '', h('p.quiet', about), field(`${box}, one per line`, view), remarks, h('div.toolbar', save), said)
}
