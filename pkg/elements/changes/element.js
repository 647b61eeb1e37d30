// `<tailnet-changes>`: what a change of a policy does, as sentences that lead to their rules and their cells. Must not live here: what is in them
// (`items.js`), how a change is judged.

import { KitElement } from '../common/base.js'
import { h, joined, prose } from '../common/dom.js'
import { itemsOf, summary } from './items.js'
import { styles } from './styles.js'
import { cause } from './words.js'

/** How many items, and how many places of one, are shown before the rest is asked for. */
const [ITEMS, CHIPS] = [40, 12]
const HIDDEN = { danger: 'Danger: ', warning: 'Warning: ' }

export class TailnetChanges extends KitElement {
  static properties = { base: '', value: '', context: undefined, baseContext: undefined }
  static styles = [styles]
  #marked = []

  async question(ask) {
    const { base, value, context, baseContext } = this
    if (base === '' || value === '') return undefined
    if (base === value && baseContext === undefined) return { same: true }
    return baseContext === undefined ? ask('changes', base, value, context) : ask('changes', base, value, baseContext, { after: context ?? {} })
  }

  draw(found) {
    if (found === undefined || found.same) {
      this.say(found ? 'No change yet.' : '')
      this.body.replaceChildren(...(found ? [h('slot', { name: 'same' })] : []))
      return found
    }
    this.say(summary(found, (count) => this.number(count)))
    this.body.replaceChildren(this.#list(itemsOf(found), ITEMS, (item) => this.#item(item)))
    this.mark(this.#marked)
    return { review: found.review }
  }

  /** Marks the items that name one of these lines of `value` as their cause. */
  mark(lines) {
    this.#marked = lines
    for (const item of this.body.querySelectorAll('li')) {
      const isMarked = [...item.querySelectorAll('[data-line]')].some(({ dataset }) => lines.includes(Number(dataset.line)))
      item.classList.toggle('marked', isMarked)
    }
  }

  /** A list with a button for what is beyond its first entries. */
  #list(all, most, entry) {
    const list = h('ol', { part: 'list' }, ...all.slice(0, most).map(entry))
    if (all.length <= most) return list
    const show = () => {
      rest.remove()
      list.append(...all.slice(most).map(entry))
      list.children[most]?.querySelector('button')?.focus()
    }
    const rest = h('li', h('button', { onclick: show }, `Show ${this.number(all.length - most)} more`))
    list.append(rest)
    return list
  }

  #item(item) {
    const { kind } = item
    const words = item.sentence === undefined ? this.#effect(item) : prose(item.sentence)
    return h(`li.${kind}`, { part: `item ${kind}` }, HIDDEN[kind] && h('span.hidden', HIDDEN[kind]), words, this.#because(item))
  }

  #effect({ sources, verb, chips }) {
    const [one, many] = verb
    const shown = chips.slice(0, CHIPS).flatMap((chip, index) => [index > 0 && ', ', this.#chip(chip)])
    const rest = chips.length > CHIPS && h('button.link', `and ${this.number(chips.length - CHIPS)} more`)
    if (rest) rest.onclick = () => rest.replaceWith(...chips.slice(CHIPS).flatMap((chip) => [', ', this.#chip(chip)]))
    return [h('strong', joined(sources)), ` ${sources.length === 1 ? one : many} `, ...shown, ...(rest ? [' ', rest] : [])]
  }

  /** A place of the matrix. */
  #chip({ source, destination, login = false, words: [name, how] }) {
    const onclick = () => this.tell('cell', { source, destination, of: login ? 'logins' : 'ports' })
    return h('button.link', { onclick, part: 'cell' }, h('code', name), how)
  }

  /** A place of a text. */
  #line({ line, text, ...ref }, words = this.number(line, { useGrouping: false })) {
    const label = `line ${line}${text === 'base' ? ' of the text before' : ''}`
    const button = h('button.link', { onclick: () => this.tell('rule', { line, text, ...ref }), ariaLabel: label, part: 'rule' }, words)
    if (text === 'value') button.dataset.line = line
    return button
  }

  #because({ causes, rules, side, whole, places = [] }) {
    const lines = (list) => list.flatMap((place, index) => [index > 0 && ', ', this.#line(place)])
    const told = ['changed', 'added', 'removed'].flatMap((kind) => {
      const own = causes.filter((one) => one.kind === kind)
      if (own.length === 0) return []
      const first = [...Map.groupBy(own, ({ line }) => line).values()].map(([{ line, text, pointer }]) => ({ line, text, pointer }))
      const unique = first.sort((one, other) => one.line - other.line)
      const [before, after] = cause(kind, unique.length)
      return [[before, ...lines(unique), after]]
    })
    const because = told.flatMap((words, index) => [index > 0 ? ' and ' : whole ? ' Because ' : ', because ', ...words])
    if (because.length > 0) return [...because, '.']
    const given = [...Map.groupBy(rules, ({ line }) => line).values()].map(([ref]) => ({ ...ref, text: side }))
    if (given.length > 0)
      return [whole ? ' By the rule in line ' : ` (rule in line `, ...lines(given), whole ? '.' : side === 'base' ? ' of the text before).' : ').']
    if (places.length > 0) return [' (line ', ...lines(places), ').']
    return whole ? [] : ['.']
  }
}
