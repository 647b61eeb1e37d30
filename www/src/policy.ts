// The policy workbench: an editor on one side, what its text means on the other, each an element of the package. Must not live here: how anything is judged
// or drawn; what leads to where (`together`); saving (save.ts); what else is done with the text (ways.ts, share.ts).
import type { RuleDetail } from 'tailnet-kit/elements'
import { together } from 'tailnet-kit/elements/together'
import { type PolicyCheck, isTailnetError } from 'tailnet-kit/slim'
import built from 'virtual:example'
import { card, enable, fill, h, keepInView, live, problem, whenSeen } from './dom.js'
import { intro } from './intro.js'
import { known } from './kit.js'
import { ownPolicy } from './own.js'
import { saving } from './save.js'
import { connection, example, original } from './connection.js'
import { beginning } from './service.js'
import { shareMenu } from './share.js'
import { keep, recall, typed } from './storage.js'
import { code } from './take.js'
import { type Shared, fragment, write } from './url.js'
import { editing } from './ways.js'
import type { Draft, Workbench } from './workbench.js'

/** Shows what the address shares when somebody comes back to the view, and asks again: the devices may have changed. */
export let revisit = (_: Shared): void => {}

/** A bare address opens on a change, once. */
let isBare = location.hash.length < 2

export const policyView = (root: HTMLElement, shared: Shared): Promise<void> => {
  const key = typed('policy')
  // What is drawn before they are there has its place already, so that nothing moves when they come.
  const elements = Promise.all([import('tailnet-kit/elements/changes'), import('tailnet-kit/elements/access'), import('tailnet-kit/elements/policy')])
  elements.catch((error) => root.replaceChildren(problem(error, () => void policyView(root, shared))))
  const load = async () => {
    const acl = await beginning()
    const onChange = isBare && acl.text === built.acl.text
    isBare = false
    const kept = recall<Draft>(key)
    const draft: Draft = kept ?? { opened: acl, text: shared.value ?? (onChange ? built.edited : acl.text) }
    if (shared.value !== undefined) take(draft, shared)
    return draft
  }
  /** Where the service is gone, the draft goes on in the sandbox. */
  const elsewhere = (error: unknown) => {
    if (!isTailnetError(error, 'connection') || example()) return []
    const link = h('a', { href: '#example=office' }, 'Use the sandbox in this page')
    void fragment({ example: 'office', value: recall<Draft>(key)?.text }).then((href) => (link.href = href))
    return [h('p', link, ' with what is typed here.')]
  }
  return fill(root, 'Reading the policy …', load, (draft) => workbench(root, key, draft, shared, elements), elsewhere)
}

/** Takes over what a link shares besides its text. */
const take = (draft: Draft, { base, context }: Shared) => void Object.assign(draft, { base, network: context })

function workbench(root: HTMLElement, key: string, draft: Draft, shared: Shared, elements: Promise<unknown>): Node[] {
  const make = <Name extends keyof HTMLElementTagNameMap>(name: Name) => document.createElement(name)
  const [editor, changes, access] = [make('tailnet-policy'), make('tailnet-changes'), make('tailnet-access')]
  const [flow, preview, tests] = [make('tailnet-flow'), make('tailnet-preview'), make('tailnet-tests')]
  const joined = together({ policy: editor, changes, access, flow, preview, tests })
  const [said, hint] = [live(), h('p.quiet', 'No change yet. Edit the policy, or press one of the edits above.')]
  let context = { ...known }
  const bench: Workbench = {
    editor,
    access,
    draft,
    base: () => draft.base ?? draft.opened.text,
    network: () => draft.network ?? context,
    put(text, isMarked = false) {
      editor.value = text
      changed()
      if (isMarked) void elements.then(joined.markChange)
    },
    changed,
    take(link) {
      take(draft, link)
      if (link.value === undefined || link.value === editor.value) changed()
      else bench.put(link.value)
    },
    shared(isLink = false) {
      const isOfExample = example() !== undefined && bench.base() === original()
      const isWhole = isLink && !isOfExample
      return {
        value: isUnsaved() || draft.base !== undefined || isWhole ? draft.text : undefined,
        base: isWhole ? bench.base() : draft.base,
        context: draft.network || (isLink && !example()) ? bench.network() : undefined,
        example: example() && connection.example,
      }
    },
  }
  const isUnsaved = () => draft.text !== draft.opened.text
  const save = saving(bench, said)
  const { actions, show } = editing(bench, said, save)
  const own = ownPolicy(bench)
  const tries = intro(
    (text) => bench.put(text ?? bench.base(), true),
    () => bench.base(),
    shareMenu(bench, said),
  )
  const first = card('What changes', [h('small', 'compared with the saved policy'), code('changes')], changes, hint)
  first.classList.add('first')
  const rest = h(
    'div.answers',
    card('Who reaches what', [h('small', 'point at a cell for its rules, click to mark them'), code('access')], access),
    card('Rules that apply to', [code('preview')], preview),
    card('Can A reach B?', [code('flow')], flow),
    card('Tests', [code('tests')], tests),
  )
  const work = h('div.work', own.view, said, editor)

  // A rule that went is in no text that could be shown.
  for (const element of [changes, access, flow]) {
    const told = live()
    element.after(told)
    element.addEventListener('rule', (event) => {
      const { line, text } = (event as CustomEvent<RuleDetail>).detail
      if (text === 'base') told.replaceChildren(h('p', `Line ${line} of the saved policy: `, h('code', bench.base().split('\n')[line - 1]?.trim())))
    })
    element.addEventListener('answer', () => told.replaceChildren())
  }
  access.className = 'waiting'
  access.addEventListener('answer', () => (access.className = ''))
  flow.addEventListener('edit', ({ detail }) => bench.put(detail.text, true))
  const asked = () => keep(typed('flow'), { from: flow.from, to: flow.to, proto: flow.proto, user: flow.user })
  flow.addEventListener('answer', asked)
  preview.addEventListener('answer', () => share())
  const rules = () => void import('tailnet-kit/elements/preview')
  const choose = (name: string) => {
    preview.subject = name
    rules()
  }
  editor.addEventListener('change', changed)
  editor.addEventListener('save', (event) => {
    event.preventDefault()
    save.click()
  })
  editor.addEventListener('answer', ({ detail: { check } }) => judged(check))

  let pause = 0
  const share = () => {
    // What a bare address opens on needs no words in it.
    const isBare = location.hash.length < 2 && draft.text === built.edited && !preview.subject
    if (!root.hidden && work.isConnected && !isBare) void write({ view: undefined, ...bench.shared(), for: preview.subject })
  }
  function changed(): void {
    draft.text = editor.value
    tries.show(draft.text)
    own.show()
    enable(save, isUnsaved())
    show(draft.text !== bench.base())
    keep(key, isUnsaved() || draft.base !== undefined ? { ...draft, past: undefined } : undefined)
    for (const words of said.querySelectorAll('.good, .offer')) words.remove()
    editor.base = bench.base()
    editor.context = bench.network()
    clearTimeout(pause)
    pause = window.setTimeout(share, 250)
  }
  /** Says which text the cards are about, while that of the editor is refused. */
  function judged({ accepted, issues }: PolicyCheck): void {
    const isUsable = joined.answered === editor.value
    save.classList.toggle('primary', accepted)
    const line = issues.find(({ severity }) => severity === 'error')?.line
    for (const place of [first, rest]) place.classList.toggle('stale', !isUsable)
    for (const place of root.querySelectorAll('.about'))
      place.textContent = isUsable ? '' : joined.answered === undefined ? 'No answer yet' : `From before the error in line ${line}`
    hint.hidden = editor.value !== bench.base()
    changes.hidden = !hint.hidden
  }

  revisit = ({ value, for: name, ...more }) => {
    context = { ...known }
    if (value === undefined) changed()
    else bench.take({ value, ...more })
    if (name) choose(name)
    share()
  }
  addEventListener('pagehide', () => {
    if (!work.isConnected) return
    asked()
    if (isUnsaved()) keep(key, { ...draft, past: editor.past })
  })
  whenSeen(flow, () => void import('tailnet-kit/elements/flow'))
  whenSeen(tests, () => void import('tailnet-kit/elements/tests'))
  whenSeen(preview, rules)
  Object.assign(editor, { value: draft.text, base: bench.base(), context: bench.network() })
  Object.assign(flow, recall<object>(typed('flow')))
  if (shared.for) choose(shared.for)
  // Until the editor is there its text can be read.
  const text = h('pre', draft.text)
  editor.append(actions, text)
  keepInView(work)
  void elements.then(async () => {
    editor.past = draft.past
    text.remove()
    // Undo leads from a shared text back to the one that was being edited.
    if (shared.value !== undefined && shared.value !== draft.text) {
      await editor.mark([])
      bench.put(shared.value)
    } else if (draft.text === built.edited) void joined.markChange()
  })
  hint.hidden = isUnsaved()
  changed()
  return [tries.view, first, work, rest]
}
