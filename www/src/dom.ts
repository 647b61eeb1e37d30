// Making elements, and the pieces that all views share. Must not live here: anything that knows what is shown.
import { isTailnetError } from 'tailnet-kit/slim'

type Tags = HTMLElementTagNameMap
type Made<Name> = Name extends `${infer Tag extends keyof Tags}.${string}` ? Tags[Tag] : Tags[Name & keyof Tags]
export type Child = Node | string | number | null | undefined | false
/** What a button does; resolves with the words that say that it is done. */
type Work = () => Promise<string | void>
type Fields = Record<string, string>
/** A button of a dialog: its label, what it does with the fields, its look. Enter presses the primary one. */
export type Way = [label: string, work?: (fields: Fields) => ReturnType<Work>, look?: 'primary' | 'danger']

/** An element by `tag` or `tag.class`, with children; plain objects among them are properties, absent ones left out. */
export function h<Name extends string>(name: Name, ...content: (Child | Partial<Made<Name>>)[]): Made<Name> {
  const [tag = '', className = ''] = name.split('.')
  const properties = content.filter((item) => typeof item === 'object' && !(item instanceof Node))
  const element = Object.assign(document.createElement(tag), { className }, ...properties) as Made<Name>
  element.append(...(content.filter((item) => item && !properties.includes(item)) as Node[]))
  return element
}

/** The element with this id. */
export const the = (id: string) => document.getElementById(id) as HTMLElement

/** A place whose words a screen reader reads out when they change. */
export const live = () => h('div', { ariaLive: 'polite' })

/** Sets whether a button can be used now. It keeps the focus either way; a button with `disabled` would lose it. */
export const enable = (button: HTMLElement, usable: boolean) => void (button.ariaDisabled = String(!usable))
const refuse = (event: Event) => (event.target as Element).closest('[aria-disabled=true]') && event.stopPropagation()
addEventListener('click', refuse, { capture: true })

/** A part of a view, with its title and what is beside the title. */
export const card = (title: string, beside: Child[], ...content: Child[]) =>
  h('section.card', { ariaLabel: title }, h('div.title', h('h2', title), h('small.about'), ...beside), ...content)

/** A menu of things to do; `said` shows how the one that was chosen ended. Entries that are no work are shown as they are. */
export function menu(label: string, said: HTMLElement, items: Record<string, Work | Node>): HTMLElement {
  const entry = ([words, work]: [string, Work | Node]) => (work instanceof Node ? work : h('button', { onclick: () => attempt(said, work) }, words))
  const summary = h('summary', label)
  const view = h('details.menu', summary, h('div', ...Object.entries(items).map(entry)))
  view.onclick = ({ target }) => {
    if ((target as Element).closest('button, a')) view.open = false
  }
  view.onkeydown = ({ key }) => {
    if (key !== 'Escape' || !view.open) return
    view.open = false
    summary.focus()
  }
  return view
}

/** A field under its label. */
export const field = (label: string, input: Node) => h('label.field', h('span', label), input)

/** Words with code between backticks. */
export const prose = (words: string) => words.split('`').map((part, index) => (index % 2 ? h('code', part) : part))

/** A failure in its own words, shown in the place of the answer. */
export function problem(error: unknown, again?: () => void): HTMLElement {
  // A browser does not tell a page which of the two is the cause.
  const gone = isTailnetError(error, 'connection') && 'No answer from the service. Is it running, and does it allow this page (CORS)?'
  const { message = String(error), status = '' } = error as { message?: string; status?: number }
  const known = message.includes(`${status}`) ? '' : ` (${status})`
  const retry = again && h('button.link', { onclick: again }, 'Try again')
  return h('p.problem', { role: 'alert' }, ...prose(gone || message + known), ' ', retry)
}

/** Does the work and says in `place` how it ended: the words it resolves with, or why it failed. */
export async function attempt(place: HTMLElement, work: Work): Promise<void> {
  place.replaceChildren()
  const said = await work().then((words) => words && h('p.verdict good', words), problem)
  if (said) place.replaceChildren(said)
}

/** Asks in a dialog, which stays open until the work of one of its buttons succeeds; resolves with the words of that work. */
export const choose = (title: string, content: Child[], ways: Way[]): Promise<string | void> =>
  new Promise((resolve) => {
    const said = live()
    const button = ([label, work, look]: Way) => {
      const take = async () => {
        const words = await work?.(Object.fromEntries(new FormData(form)) as Fields)
        dialog.close()
        resolve(words)
      }
      const onclick = () => attempt(said, take)
      return h(`button.${look ?? ''}`, { type: look === 'primary' ? 'submit' : 'button', onclick }, label)
    }
    const toolbar = h('div.toolbar', ...ways.map(button))
    const form = h('form', { onsubmit: () => false }, h('h2', title), ...content, said, toolbar)
    const dialog = h('dialog', { ariaLabel: title, onclose: () => resolve(dialog.remove()) }, form)
    document.body.append(dialog)
    dialog.showModal()
  })

/** Fills a view with what a service answers, and until then with `words`. An answer has no effect
 * if the view was filled anew before it came. Where there is none, `help` says what else can be done. */
export async function fill<T>(
  view: HTMLElement,
  words: string,
  load: () => Promise<T>,
  draw: (answer: T) => Node[],
  help: (error: unknown) => Node[] = () => [],
) {
  const waiting = h('div.quiet', words)
  view.replaceChildren(waiting)
  const failed = (error: unknown) => () => [problem(error, () => void fill(view, words, load, draw, help)), ...help(error)]
  const parts = await load().then((answer) => () => draw(answer), failed)
  if (waiting.isConnected) view.replaceChildren(...parts())
}

/** Offers a file to save. */
export function download({ name, type, text }: { name: string; type: string; text: BlobPart }): void {
  const href = URL.createObjectURL(new Blob([text], { type }))
  h('a', { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

/** Lets a part of the page end where the foot begins, wherever it is scrolled to. */
export function keepInView(part: HTMLElement): void {
  const fit = () => {
    const [from, to] = [part.getBoundingClientRect().top, document.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight]
    part.style.setProperty('--room', `${Math.round(to - from - 12)}px`)
  }
  for (const event of ['scroll', 'resize']) addEventListener(event, () => requestAnimationFrame(fit), { passive: true })
  new ResizeObserver(fit).observe(document.body)
}

/** Does something once an element comes into view. */
export function whenSeen(element: HTMLElement, work: () => void): void {
  const seen: IntersectionObserverCallback = ([entry]) => {
    if (!entry?.isIntersecting) return
    observer.disconnect()
    work()
  }
  const observer = new IntersectionObserver(seen, { rootMargin: '50px' })
  observer.observe(element)
}
