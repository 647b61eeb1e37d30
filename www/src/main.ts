// The page: its views, and which of them is shown. Must not live here: what a view shows.
import { problem, the } from './dom.js'
import { startText } from './kit.js'
import { keepForLater } from './offline.js'
import { policyView, revisit } from './policy.js'
import { connection, described, example, isHeadscale } from './connection.js'
import { looked, useExample, whenAnother } from './service.js'
import { listShortcuts } from './shortcuts.js'
import { recall, typed } from './storage.js'
import { type Shared, isOwn, read, write } from './url.js'
import type { Draft } from './workbench.js'

/** The heading of each view. */
const HEADINGS: Record<string, string> = {
  policy: 'See who gains and who loses access before you save a tailnet policy.',
  review: 'Review a policy change',
}

const listed = (name: 'devices' | 'users' | 'keys' | 'dns' | 'settings') => async (root: HTMLElement) => (await import('./lists.js')).listView(root, name)

/** Each view with its title. The code of a view other than the first is fetched when somebody first goes there. */
const views = {
  policy: { title: 'Policy', draw: policyView },
  review: { title: 'Review', draw: async (root: HTMLElement, shared: Shared) => (await import('./review.js')).reviewView(root, shared) },
  devices: { title: 'Devices', draw: listed('devices') },
  users: { title: 'Users', draw: listed('users') },
  keys: { title: 'Keys', draw: listed('keys') },
  dns: { title: 'DNS', draw: listed('dns') },
  settings: { title: 'Settings', draw: listed('settings') },
}
/** The views that stay as they are while somebody looks at another. Views of the service are drawn anew each time, as its answers may have changed. */
const shown = new Set<string>()
/** What was typed when the review was drawn. */
let reviewed: string | undefined

function draw(name: keyof typeof views, shared: Shared): void {
  const root = the(name)
  const failed = (error: unknown) => root.replaceChildren(problem(error, () => draw(name, shared)))
  views[name].draw(root, shared).catch(failed)
}

function show({ view = '', example: wanted, ...shared }: Shared): void {
  if (wanted && useExample(wanted)) shown.clear()
  for (const other of ['dns', 'settings']) the(`to-${other}`).hidden = isHeadscale()
  const name = (view in views && !the(`to-${view}`).hidden ? view : 'policy') as keyof typeof views
  for (const other of Object.keys(views)) {
    the(other).hidden = other !== name
    the(`to-${other}`).ariaCurrent = other === name ? 'page' : null
  }
  if (name === 'review') {
    const { text } = recall<Draft>(typed('policy')) ?? {}
    if (shared.base !== undefined || text !== reviewed) shown.delete(name)
    reviewed = text
  }
  the('heading').textContent = HEADINGS[name] ?? views[name].title
  document.title = `${views[name].title} · ${example()?.title ?? connection.baseURL} · tailnet-kit`
  the('connected').textContent = described()
  if (!shown.has(name)) draw(name, shared)
  else if (name === 'policy') void looked.then(() => revisit(shared))
  if (name === 'policy' || name === 'review') shown.add(name)
}

whenAnother(async () => {
  shown.clear() // Draw everything anew, for the service that the page is now connected to.
  await write({ value: undefined, base: undefined, context: undefined, for: undefined, example: undefined })
  show(await read())
})
the('skip').onclick = () => document.querySelector<HTMLElement>('.view:not([hidden]) :is(tailnet-policy, input, button)')?.focus()
the('connection').onclick = async () => (await import('./connect.js')).chooseService()
listShortcuts()
// Of an address that the page wrote itself only the view counts: what was typed since is newer than its text.
addEventListener('popstate', async () => {
  const shared = await read()
  show(isOwn() ? { view: shared.view } : shared)
})
// Whoever touches the page will soon need the kit.
for (const event of ['pointerdown', 'keydown']) addEventListener(event, startText, { once: true })
// After a reload the edited text is newer than the one in the address.
const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
void read().then(({ value, base, context, ...rest }) => {
  useExample(rest.example ?? '')
  show(entry?.type === 'reload' && rest.view !== 'review' && recall(typed('policy')) ? rest : { value, base, context, ...rest })
})
keepForLater()
