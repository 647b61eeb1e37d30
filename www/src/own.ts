// A policy of one's own in place of an example's: compared from there on, without the example's devices. Must not live here: how texts are compared.
import { h } from './dom.js'
import { known } from './kit.js'
import { example } from './connection.js'
import type { Workbench } from './workbench.js'

/** The names that a policy is about. */
const names = (text: string) => new Set(text.match(/"(?:(?:group|tag|svc|ipset|posture):[^"]+|[^"\s:]+@[^"\s]*)"/g))

/** Whether a text shares hardly a name with another. */
function isOther(text: string, other: string): boolean {
  const [own, theirs] = [names(text), names(other)]
  return own.size > 1 && [...own].filter((name) => theirs.has(name)).length * 4 < own.size
}

/** The offer, shown as long as a text looks like somebody's own; and, once it was taken, the way back. */
export function ownPolicy({ draft, changed }: Workbench) {
  const view = h('div.own', { ariaLive: 'polite', hidden: true })
  const compare = (base?: string) => () => {
    const { dialect } = known
    Object.assign(draft, { base, network: base === undefined ? undefined : dialect ? { dialect } : {} })
    changed()
  }
  const states = {
    '': () => [],
    offered: () => ['This looks like your own policy.', h('button', { onclick: () => compare(draft.text)() }, 'Compare from here')],
    taken: () => ['Compared with another text than the saved one, in its own network.', h('button', { onclick: compare() }, 'Compare with the saved policy')],
  }
  let shown = ''
  const show = () => {
    const state = draft.base !== undefined ? 'taken' : example() && isOther(draft.text, draft.opened.text) ? 'offered' : ''
    if (state === shown) return
    shown = state
    view.hidden = state === ''
    view.replaceChildren(...states[state]())
  }
  return { view, show }
}
