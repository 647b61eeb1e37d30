// The policy workbench: a policy on one side, what its text means on the other, each an element of the package. Must not live here: how anything is judged,
// drawn or saved; what leads to where (`together`); what stands where (index.html).
import { together } from 'tailnet-kit/elements/together'
import { isTailnetError } from 'tailnet-kit/slim'
import built from 'virtual:example'
import { fill, find, h, keepInView, problem, stamp, the } from './dom.js'
import { intro } from './intro.js'
import { ownPolicy } from './own.js'
import { connection, example } from './connection.js'
import { beginning, client, known } from './service.js'
import { keep, recall, typed } from './storage.js'
import { withCode } from './take.js'
import { type Shared, fragment, write } from './url.js'
import type { Draft, Workbench } from './workbench.js'

/** Shows what the address shares when somebody comes back to the view, and asks again: the devices may have changed. */
export let revisit = (_: Shared): void => {}

/** A bare address opens on a change, once. */
let isBare = location.hash.length < 2

export const policyView = (root: HTMLElement, shared: Shared): Promise<void> => {
  const keys = { policy: typed('policy'), flow: typed('flow') }
  // What is drawn before they are there has its place already, so that nothing moves when they come.
  const elements = import('./first.js')
  elements.catch((error) => root.replaceChildren(problem(error, () => void policyView(root, shared))))
  const load = async () => {
    const acl = await beginning()
    const onChange = isBare && acl.text === built.acl.text
    isBare = false
    const draft = recall<Draft>(keys.policy) ?? { opened: acl, text: shared.value ?? (onChange ? built.edited : acl.text) }
    if (shared.value !== undefined) take(draft, shared)
    return draft
  }
  /** Where the service is gone, the draft goes on in the sandbox. */
  const elsewhere = (error: unknown) => {
    if (!isTailnetError(error, 'connection') || example()) return []
    const link = h('a', { href: '#example=office' }, 'Use the sandbox in this page')
    void fragment({ example: 'office', value: recall<Draft>(keys.policy)?.text }).then((href) => (link.href = href))
    return [h('p', {}, link, ' with what is typed here.')]
  }
  return fill(root, 'Reading the policy …', load, (draft) => workbench(root, keys, draft, shared, elements), elsewhere)
}

/** The question about a flow is fetched when somebody comes near. */
const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && void import('tailnet-kit/elements/flow'), { rootMargin: '50px' })

/** Takes over what a link shares besides its text. */
const take = (draft: Draft, { base, context }: Shared) => void Object.assign(draft, { base, network: context })

/** Under which names the draft and the question are kept: those of the service that they began with, as a late answer may come when another is in use. */
type Keys = { policy: string; flow: string }

function workbench(root: HTMLElement, keys: Keys, draft: Draft, shared: Shared, elements: Promise<unknown>): Node {
  const view = stamp('policy-view')
  const [policy, changes, access] = [find(view, 'tailnet-policy'), find(view, 'tailnet-changes'), find(view, 'tailnet-access')]
  const [flow, preview, tests] = [find(view, 'tailnet-flow'), find(view, 'tailnet-preview'), find(view, 'tailnet-tests')]
  const [save, share, work, over] = [find(view, 'tailnet-save'), find(view, 'tailnet-share'), find(view, '.work'), find(view, '[name=over]')]
  const joined = together({ policy, changes, access, flow, preview, tests, save, share })
  let context = { ...known }
  const bench: Workbench = {
    view,
    draft,
    base: () => draft.base ?? draft.opened.text,
    network: () => draft.network ?? context,
    put(text, isMarked = false) {
      policy.value = text
      changed()
      if (isMarked) void elements.then(joined.markChange)
    },
    changed,
    take(link) {
      take(draft, link)
      if (link.value === undefined || link.value === policy.value) changed()
      else bench.put(link.value)
    },
    shared(isLink = false) {
      // What is in the page is there for whoever opens the link, as long as nobody wrote to it.
      const isWhole = isLink && (!example() || recall(typed('sandbox')) !== undefined || draft.base !== undefined)
      return {
        value: isUnsaved() || draft.base !== undefined || isWhole ? draft.text : undefined,
        base: isWhole ? bench.base() : draft.base,
        context: draft.network || (isLink && !example()) ? bench.network() : undefined,
        example: example() && connection.example,
      }
    },
  }
  const isUnsaved = () => draft.text !== draft.opened.text
  withCode(view)
  const [toggle, showOwn] = [intro(bench), ownPolicy(bench)]
  over.hidden = !example()
  over.onclick = () => the<HTMLDialogElement>('over').showModal()

  access.addEventListener('answer', () => (access.className = ''))
  flow.addEventListener('edit', ({ detail }) => bench.put(detail.text, true))
  const asked = () => keep(keys.flow, { from: flow.from, to: flow.to, proto: flow.proto, user: flow.user })
  flow.addEventListener('answer', asked)
  preview.addEventListener('answer', () => told())
  policy.addEventListener('change', changed)
  policy.addEventListener('open', (event) => {
    const { shown } = event.detail
    if (!shown) return
    event.preventDefault()
    bench.take(shown)
  })
  save.addEventListener('stored', ({ detail: { stored, value } }) => {
    draft.opened = stored
    if (draft.base !== undefined) draft.base = stored.text
    bench.put(value)
  })
  save.client = async () => (await client()).client

  let pause = 0
  const told = () => {
    // What a bare address opens on needs no words in it.
    const isBare = location.hash.length < 2 && draft.text === built.edited && !preview.subject
    if (!root.hidden && work.isConnected && !isBare) void write({ view: undefined, ...bench.shared(), for: preview.subject })
  }
  function changed(): void {
    draft.text = policy.value
    toggle(draft.text)
    showOwn()
    keep(keys.policy, isUnsaved() || draft.base !== undefined ? { ...draft, past: undefined } : undefined)
    Object.assign(policy, { base: bench.base(), context: bench.network() })
    Object.assign(save, { stored: draft.opened, value: draft.text })
    clearTimeout(pause)
    pause = window.setTimeout(told, 250)
  }
  revisit = ({ value, for: name, ...more }) => {
    context = { ...known }
    if (value === undefined) changed()
    else bench.take({ value, ...more })
    if (name) preview.subject = name
    told()
  }
  addEventListener('pagehide', () => {
    if (!work.isConnected) return
    asked()
    if (isUnsaved()) keep(keys.policy, { ...draft, past: policy.past })
  })
  near.observe(flow)
  Object.assign(share, { shown: () => bench.shared(true), fragment: example() ? `example=${connection.example}` : '' })
  Object.assign(policy, { value: draft.text, base: bench.base(), context: bench.network() })
  Object.assign(flow, recall<object>(keys.flow))
  if (shared.for) preview.subject = shared.for
  // Until the editor is there its text can be read.
  const text = find(policy, 'pre')
  text.textContent = draft.text
  keepInView(work)
  void elements.then(async () => {
    policy.past = draft.past
    text.remove()
    // Undo leads from a shared text back to the one that was being edited.
    if (shared.value !== undefined && shared.value !== draft.text) {
      await policy.mark([])
      bench.put(shared.value)
    } else if (draft.text === built.edited) void joined.markChange()
  })
  changed()
  return view
}
