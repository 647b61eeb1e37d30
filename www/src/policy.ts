// The policy workbench: an editor on one side, what its text means on the other, each an element of the package. This file joins them: what leads to
// where. Must not live here: how anything is judged or drawn; saving (save.ts); what else is done with the text (ways.ts, share.ts).
import type { CellDetail, RuleDetail, TailnetAccess, TailnetChanges, TailnetFlow } from 'tailnet-kit/elements'
import type { TailnetPolicy } from 'tailnet-kit/elements/policy'
import { type PolicyCheck, type PolicyContext, isTailnetError } from 'tailnet-kit/slim'
import built from 'virtual:example'
import { answerable, testsCard, whoCard } from './cards.js'
import { card, enable, fill, h, keepInView, live, problem, whenSeen } from './dom.js'
import { intro } from './intro.js'
import { known } from './kit.js'
import { differing, moved, ruleAt } from './lines.js'
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
    const draft: Draft = kept ?? { opened: acl, text: shared.text ?? (onChange ? built.edited : acl.text) }
    if (shared.text !== undefined) take(draft, shared)
    return draft
  }
  /** Where the service is gone, the draft goes on in the sandbox. */
  const elsewhere = (error: unknown) => {
    if (!isTailnetError(error, 'connection') || example()) return []
    const link = h('a', { href: '#example=office' }, 'Use the sandbox in this page')
    void fragment({ example: 'office', text: recall<Draft>(key)?.text }).then((href) => (link.href = href))
    return [h('p', link, ' with what is typed here.')]
  }
  return fill(root, 'Reading the policy …', load, (draft) => workbench(root, key, draft, shared, elements), elsewhere)
}

/** Takes over what a link shares besides its text. */
function take(draft: Draft, { before, network }: Shared): void {
  draft.base = before
  try {
    draft.network = network === undefined ? undefined : (JSON.parse(network) as PolicyContext)
  } catch {
    draft.network = undefined // A network that was cut off in transit.
  }
}

function workbench(root: HTMLElement, key: string, draft: Draft, shared: Shared, elements: Promise<unknown>): Node[] {
  const [editor, changes, access, flow] = (['policy', 'changes', 'access', 'flow'] as const).map((name) => document.createElement(`tailnet-${name}`)) as [
    TailnetPolicy,
    TailnetChanges,
    TailnetAccess,
    TailnetFlow,
  ]
  const [said, hint] = [live(), h('p.quiet', 'No change yet. Edit the policy, or press one of the edits above.')]
  /** The last text that the cards can answer. */
  let answered = draft.text
  let isAnswered = false
  let context = { ...known }
  const bench: Workbench = {
    editor,
    access,
    draft,
    base: () => draft.base ?? draft.opened.text,
    network: () => draft.network ?? context,
    put(text, isMarked = false) {
      editor.value = text
      if (isMarked) void elements.then(() => editor.mark(differing(text, bench.base())))
      changed()
    },
    changed,
    take(link) {
      take(draft, link)
      if (link.text === undefined || link.text === editor.value) changed()
      else bench.put(link.text)
    },
    shared(isLink = false) {
      const isOfExample = example() !== undefined && bench.base() === original()
      const isWhole = isLink && !isOfExample
      return {
        text: isUnsaved() || draft.base !== undefined || isWhole ? draft.text : undefined,
        before: isWhole ? bench.base() : draft.base,
        network: draft.network || (isLink && !example()) ? JSON.stringify(bench.network()) : undefined,
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
  const goTo = (line: number) => void editor.reveal(moved(line, answered, editor.value))
  /** Marks the rules that begin on these lines of the text that was answered. */
  const mark = (lines: number[]) => void editor.mark(lines.flatMap((line) => ruleAt(editor.value, moved(line, answered, editor.value))))
  const who = whoCard({ goTo, mark }, shared.for)
  const tests = testsCard(goTo)
  const first = card('What changes', h('small', 'compared with the saved policy'), code('changes'), changes, hint)
  first.classList.add('first')
  const rest = h(
    'div.answers',
    card('Who reaches what', h('small', 'click a cell for its rules: they are marked in the policy'), code('access'), access),
    who.view,
    card('Can A reach B?', null, code('flow'), flow),
    tests.view,
  )
  const work = h('div.work', own.view, said, editor)

  // Text, list and picture lead to each other.
  for (const [element, place] of [
    [changes, first],
    [access, rest.firstElementChild],
    [flow, rest.children[2]],
  ] as const) {
    const told = live()
    place?.append(told)
    element.addEventListener('rule', (event) => {
      const { line, text } = (event as CustomEvent<RuleDetail>).detail
      if (text === 'value') goTo(line)
      else told.replaceChildren(h('p', `Line ${line} of the saved policy: `, h('code', bench.base().split('\n')[line - 1]?.trim())))
    })
    element.addEventListener('answer', () => told.replaceChildren())
  }
  changes.addEventListener('cell', ({ detail }: CustomEvent<CellDetail>) => {
    access.jump(detail)
    access.scrollIntoView({ block: 'nearest' })
  })
  access.className = 'waiting'
  access.addEventListener('answer', () => (access.className = ''))
  access.addEventListener('cell', ({ detail: { because } }) => mark(because.map(({ line }) => line)))
  flow.addEventListener('edit', ({ detail }) => bench.put(detail.text, true))
  const asked = () => keep(typed('flow'), { from: flow.from, to: flow.to, proto: flow.proto, user: flow.user })
  flow.addEventListener('answer', asked)
  editor.addEventListener('rule', ({ detail: { line } }) => {
    const then = [moved(line, editor.value, answered)]
    changes.mark(then)
    access.mark(then)
  })
  editor.addEventListener('change', changed)
  editor.addEventListener('save', (event) => {
    event.preventDefault()
    save.click()
  })
  editor.addEventListener('answer', ({ detail: { check } }) => judged(check))

  let pause = 0
  const share = () => {
    // What a bare address opens on needs no words in it.
    const isBare = location.hash.length < 2 && draft.text === built.edited && !who.name()
    if (!root.hidden && work.isConnected && !isBare) void write({ view: undefined, ...bench.shared(), for: who.name() })
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
  /** Makes the cards follow the text; while it is refused each says which text it is about. */
  function judged(check: PolicyCheck): void {
    const [text, base, now] = [editor.value, bench.base(), bench.network()]
    const isUsable = answerable(check)
    save.classList.toggle('primary', check.accepted)
    if (isUsable) [answered, isAnswered] = [text, true]
    const line = check.issues.find(({ severity }) => severity === 'error')?.line
    for (const place of [first, rest]) place.classList.toggle('stale', !isUsable)
    for (const place of root.querySelectorAll('.about'))
      place.textContent = isUsable ? '' : isAnswered ? `From before the error in line ${line}` : 'No answer yet'
    const isSame = text === base
    hint.hidden = !isSame
    changes.hidden = isSame
    // Of a text that is refused the list says so itself.
    Object.assign(changes, { base, value: text, context: now })
    if (!isUsable) return
    Object.assign(access, { base, value: text, context: now })
    Object.assign(flow, { value: text, context: now })
    tests.show(check.tests)
    who.show(text, now)
  }

  revisit = ({ text, for: name, ...more }) => {
    context = { ...known }
    if (text === undefined) changed()
    else bench.take({ text, ...more })
    if (name) who.choose(name)
    share()
  }
  addEventListener('pagehide', () => {
    if (!work.isConnected) return
    asked()
    if (isUnsaved()) keep(key, { ...draft, past: editor.past })
  })
  whenSeen(flow, () => void import('tailnet-kit/elements/flow'))
  Object.assign(editor, { value: draft.text, base: bench.base(), context: bench.network() })
  Object.assign(flow, recall<object>(typed('flow')))
  // Until the editor is there its text can be read.
  const text = h('pre', draft.text)
  editor.append(actions, text)
  keepInView(work)
  void elements.then(async () => {
    editor.past = draft.past
    text.remove()
    // Undo leads from a shared text back to the one that was being edited.
    if (shared.text !== undefined && shared.text !== draft.text) {
      await editor.mark([])
      bench.put(shared.text)
    } else if (draft.text === built.edited) void editor.mark(differing(draft.text, bench.base()))
  })
  hint.hidden = isUnsaved()
  changed()
  return [tries.view, first, work, rest]
}
