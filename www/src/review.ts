// Two texts side by side, as the two sides of a pull request, and what the change does. Must not live here: how a review is made.
import type { CellDetail, RuleDetail } from 'tailnet-kit/elements'
import type { PolicyReview } from 'tailnet-kit/slim'
import built from 'virtual:example'
import { judge } from './answers.js'
import { attempt, card, fill, h, live } from './dom.js'
import { known } from './kit.js'
import { beginning } from './service.js'
import { recall, typed } from './storage.js'
import { code } from './take.js'
import { type Shared, write } from './url.js'
import type { Draft } from './workbench.js'

/** The view; where the address has no texts it begins with what is typed and not saved, or with a change of the example. */
export const reviewView = (root: HTMLElement, shared: Shared): Promise<void> => {
  const load = async () => (await Promise.all([beginning(), import('tailnet-kit/elements'), import('tailnet-kit/elements/policy')]))[0]
  return fill(root, 'Reading the policy …', load, (acl) => {
    const draft = recall<Draft>(typed('policy'))
    const context = draft?.network ?? { ...known }
    const editor = (value: string) => Object.assign(document.createElement('tailnet-policy'), { value, context })
    const [before, after] = [
      editor(shared.base ?? draft?.base ?? acl.text),
      editor(shared.value ?? draft?.text ?? (acl.text === built.acl.text ? built.edited : acl.text)),
    ]
    const [changes, access, said] = [document.createElement('tailnet-changes'), document.createElement('tailnet-access'), live()]
    let pause = 0
    const changed = () => {
      const texts = { base: before.value, value: after.value, context }
      Object.assign(after, { base: before.value })
      for (const element of [changes, access]) Object.assign(element, texts)
      clearTimeout(pause)
      const link = { view: 'review', base: before.value, value: after.value }
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
    const sides = h('div.sides texts', card('Before', [code('policy')], before), card('After', [code('policy')], after))
    return [sides, card('What changes', [code('changes')], changes, bar), card('Who reaches what', [code('access')], access)]
  })
}
