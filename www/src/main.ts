// The page: its views, and which of them is shown. Must not live here: what a view shows.
import { problem, the } from './dom.js'
import { startText } from './kit.js'
import { keepForLater } from './offline.js'
import { policyView, revisit } from './policy.js'
import { connection, described, example, isHeadscale } from './connection.js'
import { looked, startOver, useExample, whenAnother } from './service.js'
import { recall, typed } from './storage.js'
import { type Shared, isOwn, read, write } from './url.js'
import type { Draft } from './workbench.js'

/** The heading of a view, where it is not its title. */
const HEADINGS: Record<string, string> = {
  policy: 'See who gains and who loses access before you save a tailnet policy.',
  review: 'Review a policy change',
}

const VIEWS = ['policy', 'review', 'devices', 'users', 'keys', 'dns', 'settings']
/** The views that stay as they are while somebody looks at another. Views of the service are drawn anew each time, as its answers may have changed. */
const shown = new Set<string>()
/** What was typed when the review was drawn. */
let reviewed: string | undefined

/** The code of a view other than the first is fetched when somebody first goes there. */
function draw(name: string, shared: Shared): void {
  const root = the(name)
  const drawn = async () => {
    if (name === 'policy') return policyView(root, shared)
    if (name === 'review') return (await import('./review.js')).reviewView(root, shared)
    return (await import('./lists.js')).listView(root, name)
  }
  drawn().catch((error) => root.replaceChildren(problem(error, () => draw(name, shared))))
}

function show({ view = '', example: wanted, ...shared }: Shared): void {
  if (wanted && useExample(wanted)) shown.clear()
  for (const other of ['dns', 'settings']) the(`to-${other}`).hidden = isHeadscale()
  const name = VIEWS.includes(view) && !the(`to-${view}`).hidden ? view : 'policy'
  for (const other of VIEWS) {
    the(other).hidden = other !== name
    the(`to-${other}`).ariaCurrent = other === name ? 'page' : null
    // Lists are drawn anew when somebody comes back: a key that was shown once does not stay behind.
    if (other !== name && other !== 'policy' && other !== 'review') the(other).replaceChildren()
  }
  if (name === 'review') {
    const { text } = recall<Draft>(typed('policy')) ?? {}
    if (shared.base !== undefined || text !== reviewed) shown.delete(name)
    reviewed = text
  }
  const title = the(`to-${name}`).textContent ?? ''
  the('heading').textContent = HEADINGS[name] ?? title
  document.title = `${title} · ${example()?.title ?? connection.baseURL} · tailnet-kit`
  the('connected').textContent = described()
  if (!shown.has(name)) draw(name, shared)
  else if (name === 'policy') void looked.then(() => revisit(shared))
  if (name === 'policy' || name === 'review') shown.add(name)
}

let last: Promise<Shared>

/** Shows what an address says once that is read, unless somebody has gone to another one since. */
async function follow(reading: Promise<Shared>): Promise<void> {
  last = reading
  const shared = await reading
  if (reading === last) show(shared)
}

whenAnother(() => {
  shown.clear() // Draw everything anew, for the service that the page is now connected to.
  void follow(write({ value: undefined, base: undefined, context: undefined, for: undefined, example: undefined }).then(read))
})
the('skip').onclick = () => document.querySelector<HTMLElement>('.view:not([hidden]) :is(tailnet-policy, input, button)')?.focus()
the('connection').onclick = async () => (await import('./connect.js')).chooseService()
const [over, keyboard] = [the<HTMLDialogElement>('over'), the<HTMLDialogElement>('keyboard')]
over.onclose = () => {
  if (over.returnValue === 'reset') startOver()
  over.returnValue = ''
}
if (/Mac|iPhone|iPad/.test(navigator.platform))
  for (const key of keyboard.querySelectorAll('kbd')) key.textContent = key.textContent.replace('Ctrl+Y', '⌘+Shift+Z').replace('Ctrl', '⌘')
the('shortcuts').onclick = () => keyboard.showModal()
addEventListener('keydown', (event) => {
  const [at] = event.composedPath() as HTMLElement[]
  const types = at?.isContentEditable || at?.matches?.('input, textarea, select')
  if (event.key === '?' && !types && !document.querySelector('dialog[open]')) keyboard.showModal()
})
// Of an address that the page wrote itself only the view counts: what was typed since is newer than its text.
addEventListener('popstate', () => void follow(read().then((shared) => (isOwn() ? { view: shared.view } : shared))))
// Whoever touches the page will soon need the kit.
for (const event of ['pointerdown', 'keydown']) addEventListener(event, startText, { once: true })
// After a reload the edited text is newer than the one in the address.
const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
const opening = read().then(({ value, base, context, ...rest }) => {
  useExample(rest.example ?? '')
  return entry?.type === 'reload' && rest.view !== 'review' && recall(typed('policy')) ? rest : { value, base, context, ...rest }
})
void follow(opening)
keepForLater()
