// A policy of one's own in place of an example's: compared from there on, without the example's devices. Must not live here: how texts are compared.
import { find } from './dom.js'
import { example } from './connection.js'
import { known } from './service.js'
import type { Workbench } from './workbench.js'

/** The names that a policy is about. */
const names = (text: string) => new Set(text.match(/"(?:(?:group|tag|svc|ipset|posture):[^"]+|[^"\s:]+@[^"\s]*)"/g))

/** Whether a text shares hardly a name with another. */
function isOther(text: string, other: string): boolean {
  const [own, theirs] = [names(text), names(other)]
  return own.size > 1 && [...own].filter((name) => theirs.has(name)).length * 4 < own.size
}

/** Shows the offer as long as a text looks like somebody's own; and, once it was taken, the way back. Returns what asks whether that is so by now. */
export function ownPolicy({ view, draft, changed }: Workbench): () => void {
  const [offered, taken, baseline] = [find(view, '.offered'), find(view, '.taken'), find(view, '.baseline')]
  const compare = (base?: string) => {
    Object.assign(draft, { base, network: base === undefined ? undefined : known.dialect ? { dialect: known.dialect } : {} })
    changed()
  }
  find(offered, 'button').onclick = () => compare(draft.text)
  find(taken, 'button').onclick = () => compare()
  return () => {
    taken.hidden = draft.base === undefined
    baseline.textContent = taken.hidden ? 'the saved policy' : 'the text that you chose'
    offered.hidden = !taken.hidden || !example() || !isOther(draft.text, draft.opened.text)
  }
}
