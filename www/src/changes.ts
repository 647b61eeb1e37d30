// What the edited text does, as `<tailnet-changes>` says it; its items lead to the text and to the picture. Must not live here: how a change is judged.
import type { TailnetChanges } from 'tailnet-kit/elements/changes'
import { card, h, live } from './dom.js'
import type { Reading } from './editor.js'
import { known } from './kit.js'

/** The card, for a text and the saved one. */
export function changesCard(text: string, saved: string) {
  const [element, told] = [document.createElement('tailnet-changes') as TailnetChanges, live()]
  const hint = h('p.quiet', 'No change yet. Edit the policy, or press one of the edits above.')
  const view = card('What changes', h('small', 'compared with the saved policy'), element, hint, told)
  view.classList.add('first')
  const show = (now: string, before: string) => {
    const same = now === before
    element.hidden = same
    hint.hidden = !same
    told.replaceChildren()
    if (same) return
    // It is fetched with the first change.
    void import('tailnet-kit/elements/changes')
    Object.assign(element, { value: now, base: before, context: { ...known } })
  }
  show(text, saved)
  let at: { reading: Reading; saved: string; reveal: Reveal } | undefined
  element.addEventListener('rule', ({ detail: { line, text: of } }) => {
    if (of === 'value') at?.reading.goTo(line)
    else told.replaceChildren(h('p', `Line ${line} of the saved policy: `, h('code', at?.saved.split('\n')[line - 1]?.trim())))
  })
  element.addEventListener('cell', ({ detail: { source, destination, of } }) => {
    if (of === 'logins' || !at?.reveal(source, destination)) told.replaceChildren(h('p.quiet', `The picture shows no ports for ${source} and ${destination}.`))
  })
  return {
    view,
    /** Shows another text. */
    follow(reading: Reading, before: string, reveal: Reveal): void {
      at = { reading, saved: before, reveal }
      show(reading.text, before)
    },
  }
}

/** Brings a cell of the picture into view; false if there is none. */
export type Reveal = (source: string, destination: string) => boolean
