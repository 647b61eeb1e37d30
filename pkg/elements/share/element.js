// `<tailnet-share>`: gives a change away: a link, its Markdown, the picture of who reaches what. Must not live here: what a link is made of (`../link.js`).

import { KitElement } from '../common/base.js'
import { download, h } from '../common/dom.js'
import { judge } from '../common/judge.js'
import { menu, menuStyles } from '../common/menu.js'
import { LONGEST, toFragment } from '../link.js'

const styles = `
:host { display: flex; flex-wrap: wrap; justify-content: end; align-items: center; gap: 0.3em 0.8em; }
.status, .fault { margin: 0; }
.status { font-weight: 400; color: var(--_quiet); }
.body { border: 0; padding: 0; }
`

/** What a link may hold, in words. */
const PARTS = { value: 'the policy', base: 'the one it is compared with', context: 'the network' }

export class TailnetShare extends KitElement {
  static properties = { base: '', value: '', context: undefined, fragment: '', shown: undefined, access: undefined }
  static styles = [menuStyles, styles]
  #pictures = [
    this.#item('Picture as SVG', async () => download('access.svg', 'image/svg+xml', this.access.toSVG())),
    this.#item('Picture as PNG', async () => download('access.png', 'image/png', await this.access.toPNG())),
  ]

  constructor() {
    super()
    const texts = [this.#item('Copy link', () => this.#link()), this.#item('Copy as Markdown', () => this.#markdown())]
    this.body.append(menu('Share', ...texts, ...this.#pictures))
    this.say('')
  }

  async question() {
    for (const button of this.#pictures) button.hidden = !this.access
  }

  #item(words, work) {
    const onclick = () =>
      work().then(
        (said) => this.say(said ?? ''),
        (error) => this.warn(error.message),
      )
    return h('button', { onclick }, words)
  }

  async #link() {
    const { base, value, context } = this
    const shown = this.shown?.() ?? { base, value, context }
    const held = Object.entries(PARTS).flatMap(([part, words]) => (shown[part] === undefined || shown[part] === '' ? [] : words))
    const link = await toFragment(shown, this.fragment)
    if (link.length > LONGEST) {
      download('policy-change.json', 'application/json', JSON.stringify(shown))
      return `Too large for a link: this file holds ${held.join(', ')} in its place. An editor opens it.`
    }
    await navigator.clipboard.writeText(new URL(link, location.href).href)
    return held.length > 0 ? `Copied. The link holds ${held.join(', ')}; nothing is uploaded.` : 'Copied.'
  }

  async #markdown() {
    const { summary } = await judge('review', this.base, this.value, this.context)
    await navigator.clipboard.writeText(summary)
    return 'Copied.'
  }
}
