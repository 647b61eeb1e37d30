// What the page is, for whom, and what to try first. Must not live here: what a tried edit shows.
import { h } from './dom.js'
import { type Edit, examples } from './examples.js'
import { example } from './service.js'

/** The first lines of the page; `tried` is called with the edit that somebody wants to see. */
export function intro(tried: (edit: Edit) => void): HTMLElement {
  const now = example()
  const choice = ([name, { title, about }]: [string, { title: string; about: string }]) =>
    h('a.pick', { href: `#example=${name}`, title: about, ariaCurrent: examples[name] === now ? 'true' : null }, title)
  const tries = now?.edits.map((edit) => h('button.try', { onclick: () => tried(edit) }, edit.label)) ?? []
  return h(
    'section.intro',
    { ariaLabel: 'About this page' },
    h('p.lead', 'See who gains and who loses access before you save a tailnet policy.'),
    h('p.quiet', 'For whoever edits one. Everything is answered in this page: no account, and nothing you type leaves it.'),
    h('div.choices', h('span.quiet', 'Examples'), ...Object.entries(examples).map(choice)),
    tries.length ? h('div.choices', h('span.quiet', 'Try this'), ...tries) : null,
  )
}
