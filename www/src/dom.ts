// What all views share: their templates, failures, waiting. Must not live here: anything that knows what is shown.
import { isTailnetError } from 'tailnet-kit/slim'

type Tags = HTMLElementTagNameMap

/** An element with properties and children. */
export function h<Tag extends keyof Tags>(tag: Tag, properties: Partial<Tags[Tag]>, ...children: (Node | string)[]): Tags[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/** The element with this id. */
export const the = <Kind extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as Kind

/** What a template of the page describes. */
export const stamp = (id: string) => document.importNode(the<HTMLTemplateElement>(id).content, true)

/** The element of a view that is certainly there, by its tag or another selector. */
export function find<Tag extends keyof Tags>(view: ParentNode, tag: Tag): Tags[Tag]
export function find<Kind extends HTMLElement = HTMLElement>(view: ParentNode, selector: string): Kind
export function find(view: ParentNode, selector: string) {
  return view.querySelector(selector)
}

/** A failure in its own words, shown in the place of the answer. */
export function problem(error: unknown, again?: () => void): HTMLElement {
  // A browser does not tell a page which of the two is the cause.
  const gone = isTailnetError(error, 'connection') && 'No answer from the service. Is it running, and does it allow this page (CORS)?'
  const { message = String(error), status = '' } = error as { message?: string; status?: number }
  const known = message.includes(`${status}`) ? '' : ` (${status})`
  const retry = again ? [' ', h('button', { className: 'link', onclick: again }, 'Try again')] : []
  return h('p', { className: 'problem', role: 'alert' }, gone || message + known, ...retry)
}

/** Fills a view with what a service answers, and until then with `words`. An answer has no effect
 * if the view was filled anew before it came. Where there is none, `help` says what else can be done. */
export async function fill<T>(
  view: HTMLElement,
  words: string,
  load: () => Promise<T>,
  draw: (answer: T) => Node,
  help: (error: unknown) => Node[] = () => [],
) {
  const waiting = h('div', { className: 'quiet' }, words)
  view.replaceChildren(waiting)
  const failed = (error: unknown) => () => [problem(error, () => void fill(view, words, load, draw, help)), ...help(error)]
  const parts = await load().then((answer) => () => [draw(answer)], failed)
  if (waiting.isConnected) view.replaceChildren(...parts())
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
