// Two texts side by side, as the two sides of a pull request, and what the change does. Must not live here: how a review is made.
import type { CellDetail, RuleDetail } from 'tailnet-kit/elements'
import built from 'virtual:example'
import { fill, find, stamp } from './dom.js'
import { beginning, known } from './service.js'
import { recall, typed } from './storage.js'
import { withCode } from './take.js'
import { type Shared, write } from './url.js'
import type { Draft } from './workbench.js'

/** The view; where the address has no texts it begins with what is typed and not saved, or with a change of the example. */
export const reviewView = (root: HTMLElement, shared: Shared): Promise<void> => {
  const load = async () => (await Promise.all([beginning(), import('./first.js')]))[0]
  return fill(root, 'Reading the policy …', load, (acl) => {
    const view = stamp('review-view')
    const draft = recall<Draft>(typed('policy'))
    const context = draft?.network ?? { ...known }
    const [before, after] = [...view.querySelectorAll('tailnet-policy')] as [HTMLElementTagNameMap['tailnet-policy'], HTMLElementTagNameMap['tailnet-policy']]
    const [changes, access, share] = [find(view, 'tailnet-changes'), find(view, 'tailnet-access'), find(view, 'tailnet-share')]
    Object.assign(before, { context, value: shared.base ?? draft?.base ?? acl.text })
    Object.assign(after, { context, value: shared.value ?? draft?.text ?? (acl.text === built.acl.text ? built.edited : acl.text) })
    let pause = 0
    const changed = () => {
      const texts = { base: before.value, value: after.value, context }
      for (const element of [after, changes, access, share]) Object.assign(element, texts)
      clearTimeout(pause)
      const link = { view: 'review', base: before.value, value: after.value }
      pause = window.setTimeout(() => !root.hidden && write(link), 250)
    }
    for (const side of [before, after]) side.addEventListener('change', changed)
    const reveal = ({ detail: { line, text } }: CustomEvent<RuleDetail>) => (text === 'value' ? after : before).reveal(line)
    changes.addEventListener('rule', reveal)
    access.addEventListener('rule', reveal)
    changes.addEventListener('cell', ({ detail }: CustomEvent<CellDetail>) => void access.jump(detail))
    withCode(view)
    changed()
    return view
  })
}
