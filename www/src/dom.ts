// Making elements, and the pieces that every view shows alike. Must not live here: anything that knows what is shown.
import { isTailnetError } from 'tailnet-kit/slim'

type Tags = HTMLElementTagNameMap
type Made<Name> = Name extends `${infer Tag extends keyof Tags}.${string}` ? Tags[Tag] : Tags[Name & keyof Tags]
export type Child = Node | string | number | null | undefined | false
/** What a button does, and in what words it says that it is done. */
type Work = () => Promise<string | void>
type Fields = Record<string, string>
/** A way out of a question: its label, what it does with the fields, its look. Enter takes the primary one. */
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

/** A place whose words a screen reader speaks when they change. */
export const live = () => h('div', { ariaLive: 'polite' })

/** Says of a button whether it can be used now. Either way it keeps the focus, which a disabled one would lose. */
export const enable = (button: HTMLElement, usable: boolean) => void (button.ariaDisabled = String(!usable))
const refuse = (event: Event) => (event.target as Element).closest('[aria-disabled=true]') && event.stopPropagation()
addEventListener('click', refuse, { capture: true })

/** A part of a view, under its title and what stands beside that. */
export const card = (title: string, aside: Child, ...content: Child[]) => h('section.card', { ariaLabel: title }, h('h2', title, aside), ...content)

/** A field under its label. */
export const field = (label: string, input: Node) => h('label.field', h('span', label), input)

/** A short word about something. */
export const badge = (words: string) => h('code.badge', words)

/** Fills a list, or says that there is nothing to show. */
export const list = (place: HTMLElement, entries: Node[], nothing: string) => place.replaceChildren(...(entries.length ? entries : [h('li.quiet', nothing)]))

/** Words with code between backticks. */
export const prose = (words: string) => words.split('`').map((part, index) => (index % 2 ? h('code', part) : part))

/** A failure, shown where its answer would have stood, in the words in which it came. */
export function problem(error: unknown, again?: () => void): HTMLElement {
  const { message = String(error), status = '' } = error as { message?: string; status?: number }
  const known = message.includes(`${status}`) ? '' : ` (${status})`
  // A browser does not tell a page which of the two it was.
  const cause = isTailnetError(error, 'connection') && h('small', ' It is not there, or not for this page (CORS). ')
  const retry = again && h('button.link', { onclick: again }, 'Try again')
  return h('p.problem', { role: 'alert' }, ...prose(message + known), cause, retry)
}

/** Does what was asked for, and says in `place` how it ended: in the words that come back, or why it failed. */
export async function attempt(place: HTMLElement, work: Work): Promise<void> {
  place.replaceChildren()
  const said = await work().then((words) => words && h('p.verdict good', words), problem)
  if (said) place.replaceChildren(said)
}

/** Asks in a dialog, which stays until a way out was taken and did not fail; resolves with the words of that way. */
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

/** Fills a view with what a service answers, and until then with `words` or what `load` puts there; an answer that comes
 * after the view was filled anew has no effect. */
export async function fill<T>(view: HTMLElement, words: string, load: (waiting: HTMLElement) => Promise<T>, draw: (answer: T) => Node[]) {
  const waiting = h('div.quiet', words)
  view.replaceChildren(waiting)
  const failed = (error: unknown) => () => [problem(error, () => void fill(view, words, load, draw))]
  const parts = await load(waiting).then((answer) => () => draw(answer), failed)
  if (waiting.isConnected) view.replaceChildren(...parts())
}

/** Hands an answer on only when it is unlike the last: what stays the same is not drawn again, and keeps the focus. */
export function whenNew<T>(show: (answer: T) => void): (answer: T) => void {
  let last = ''
  return (answer) => {
    const text = JSON.stringify(answer)
    if (text !== last) show(answer)
    last = text
  }
}

/** Lets somebody keep a text as a file. */
export function download({ name, type, text }: { name: string; type: string; text: string }): void {
  const href = URL.createObjectURL(new Blob([text], { type }))
  h('a', { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
