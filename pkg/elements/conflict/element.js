// `<tailnet-conflict>`: what two people changed in one policy, and whether both fit into one text. Must not live here: how they are merged (`merge.js`),
// saving.

import { KitElement } from '../common/base.js'
import { h } from '../common/dom.js'

const styles = `
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 220px), 1fr)); gap: 0.8em; }
h3 { font-size: 0.875em; font-weight: 600; color: var(--_quiet); margin: 0.3em 0 0.1em; }
li { overflow-wrap: anywhere; font-size: 0.9em; padding-block: 0.15em; }
del { color: var(--_loss); }
ins { color: var(--_gain); text-decoration: none; }
.status.clash { color: var(--_loss); font-weight: 400; }
`

/** The longest value that is shown whole, in characters. */
const LONG = 120

/** A value in short: of a list only the entries that the other list lacks. */
function short(value, other) {
  const own =
    Array.isArray(value) && Array.isArray(other) ? value.filter((item) => !other.some((same) => JSON.stringify(same) === JSON.stringify(item))) : value
  const words = Array.isArray(own) && own !== value && own.length === 0 ? '' : (JSON.stringify(own) ?? '')
  return words.length > LONG ? `${words.slice(0, LONG)} …` : words
}

const entry = ({ pointer, kind, before, after }) => {
  const [gone, come] = [short(before, after), short(after, before)]
  return h('li', h('code', pointer || '/'), ` ${kind} `, gone && h('del', gone), ' ', come && h('ins', come))
}

export class TailnetConflict extends KitElement {
  static properties = { base: '', mine: '', theirs: '' }
  static styles = [styles]
  #lists = { mine: h('ul', { part: 'mine' }), theirs: h('ul', { part: 'theirs' }) }

  constructor() {
    super()
    const side = (title, list) => h('div', h('h3', title), list)
    this.body.append(h('div.sides', side('Your changes', this.#lists.mine), side('Their changes', this.#lists.theirs)))
  }

  async question(ask) {
    const { base, mine, theirs } = this
    return [base, mine, theirs].includes('') ? undefined : ask('conflict', base, mine, theirs)
  }

  draw(found) {
    this.body.hidden = !found
    const clashes = found && found.merged === undefined
    this.say(clashes ? 'Both changed the same lines. Take one side, then add the other by hand.' : '', 'clash')
    for (const [name, list] of Object.entries(this.#lists)) {
      const entries = found?.[name].map(entry) ?? []
      list.replaceChildren(...(entries.length > 0 ? entries : [h('li.quiet', 'Nothing but layout and comments.')]))
    }
  }
}
