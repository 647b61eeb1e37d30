// Two texts side by side, as the two sides of a pull request, and what the change does. Must not live here: how a review is made.
import type { CellDetail, RuleDetail } from 'tailnet-kit/elements'
import type { PolicyReview } from 'tailnet-kit/slim'
import { judge } from './answers.js'
import { attempt, card, fill, h, live } from './dom.js'
import { known } from './kit.js'
import { beginning } from './service.js'
import { code } from './take.js'
import { type Shared, write } from './url.js'

/** The view; where the address has no texts it begins with the stored text on both sides. */
export const reviewView = (root: HTMLElement, shared: Shared): Promise<void> => {
  const load = async () => (await Promise.all([beginning(), import('tailnet-kit/elements'), import('tailnet-kit/elements/policy')]))[0]
  return fill(root, 'Reading the policy …', load, (acl) => {
    const context = { ...known }
    const editor = (value: string) => Object.assign(document.createElement('tailnet-policy'), { value, context })
    const [before, after] = [editor(shared.before ?? acl.text), editor(shared.text ?? acl.text)]
    const [changes, access, said] = [document.createElement('tailnet-changes'), document.createElement('tailnet-access'), live()]
    let pause = 0
    const changed = () => {
      const texts = { base: before.value, value: after.value, context }
      Object.assign(after, { base: before.value })
      for (const element of [changes, access]) Object.assign(element, texts)
      clearTimeout(pause)
      const link = { view: 'review', before: before.value, text: after.value }
      pause = window.setTimeout(() => !root.hidden && write(link), 250)
    }
    for (const side of [before, after]) side.addEventListener('change', changed)
    for (const element of [changes, access]) {
      element.addEventListener('rule', (event) => {
        const { line, text } = (event as CustomEvent<RuleDetail>).detail
        void (text === 'value' ? after : before).reveal(line)
      })
    }
    changes.addEventListener('cell', ({ detail }: CustomEvent<CellDetail>) => void access.jump(detail))
    after.view = 'changes'
    changed()
    const copy = async () => {
      await navigator.clipboard.writeText((await judge<PolicyReview>('review', before.value, after.value, context)).summary)
      return 'Copied.'
    }
    const bar = h('div.toolbar', h('button', { onclick: () => attempt(said, copy) }, 'Copy as Markdown'), said)
    const sides = h('div.sides texts', card('Before', null, code('policy'), before), card('After', null, code('policy'), after))
    return [sides, card('What changes', null, code('changes'), changes, bar), card('Who reaches what', null, code('access'), access)]
  })
}
