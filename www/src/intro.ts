// What the page is, for whom, and what to try first. Must not live here: what a tried edit shows.
import built from 'virtual:example'
import { h } from './dom.js'
import { type Edit, edited, examples } from './examples.js'
import { startText } from './kit.js'
import { example } from './connection.js'
import { where } from './take.js'

const LOCAL = 'Runs in your browser: no account, nothing is uploaded.'
const CONNECTED = 'Judged in your browser; policy and devices are those of the service you are connected to.'

/**
 * The first lines of the page. Its edits are toggles: `tried` is called with the text that one makes of the base, or with nothing where it is taken
 * back. `show` says which of them the text is.
 */
export function intro(tried: (text?: string) => void, base: () => string, aside: Node): { view: HTMLElement; show(text: string): void } {
  const now = example()
  const choice = ([name, { title, about }]: [string, { title: string; about: string }]) =>
    h('a.pick', { href: `#example=${name}`, title: about, ariaCurrent: examples[name] === now ? 'true' : null }, title)
  const results = new Map<HTMLElement, string>()
  const press = async (button: HTMLElement, edit: Edit) => {
    await startText()
    const isPressed = button.ariaPressed === 'true'
    results.set(button, edited(base(), edit))
    tried(isPressed ? undefined : results.get(button))
  }
  const tries =
    now?.edits.map((edit) => {
      const button = h('button.try', { ariaPressed: 'false' }, edit.label)
      button.onclick = () => press(button, edit)
      if (edit.isFirst) results.set(button, built.edited)
      return button
    }) ?? []
  const view = h(
    'section.intro',
    { ariaLabel: 'About this page' },
    h('div.about-page', h('p.quiet', `For anyone who maintains a tailnet's access rules (ACLs, grants, SSH). ${now ? LOCAL : CONNECTED} `, ...where()), aside),
    h('div.choices', h('span.quiet', 'Examples'), ...Object.entries(examples).map(choice)),
    tries.length ? h('div.choices', h('span.quiet', 'Try this'), ...tries) : null,
  )
  const show = (text: string) => tries.forEach((button) => (button.ariaPressed = String(results.get(button) === text)))
  return { view, show }
}
