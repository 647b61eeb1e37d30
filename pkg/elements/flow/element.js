// `<tailnet-flow>`: whether one reaches another, or may log in there, why, and the smallest edits that would allow it. Must not live here: how it is
// decided, how edits are found.

import { KitElement } from '../common/base.js'
import { h, joined, prose } from '../common/dom.js'
import { styles } from './styles.js'

const PROTOCOLS = ['tcp', 'udp', 'sctp', 'icmp', 'ping']
const LOGIN = 'ssh login'
const VERDICTS = { allowed: 'Allowed', partly: 'Allowed in part', denied: 'Denied', unknown: 'Undecided' }
/** How long after the last key a question is asked, in milliseconds. */
const PAUSE = 300

export class TailnetFlow extends KitElement {
  static properties = { value: '', context: undefined, from: '', to: '', proto: 'tcp', user: '' }
  static styles = [styles]
  #names = h('datalist', { id: 'names' })
  #from = this.#field('From', 'from', 'bob@example.com', true)
  #to = this.#field('To', 'to', 'tag:db:5432', true)
  #user = this.#field('As the account', 'user', 'root')
  #proto = h('select', { onchange: () => this.#choose() }, ...[...PROTOCOLS, LOGIN].map((name) => h('option', name)))
  #shown = h('div')
  #pause
  #turn = 0

  constructor() {
    super()
    const fields = [this.#from.view, this.#to.view, h('label', h('span', 'Over'), this.#proto), this.#user.view]
    this.body.append(h('div.fields', ...fields), this.#names, this.#shown)
  }

  #field(label, property, placeholder, suggested = false) {
    const input = h('input', { placeholder, autocomplete: 'off', spellcheck: false, autocapitalize: 'off' })
    if (suggested) input.setAttribute('list', 'names')
    input.oninput = () => {
      clearTimeout(this.#pause)
      this.#pause = setTimeout(() => (this[property] = input.value.trim()), PAUSE)
    }
    input.onchange = () => {
      clearTimeout(this.#pause)
      this[property] = input.value.trim()
    }
    return { input, view: h('label', h('span', label), input) }
  }

  #choose() {
    const isLogin = this.#proto.value === LOGIN
    if (isLogin) this.user ||= 'root'
    else Object.assign(this, { user: '', proto: this.#proto.value })
  }

  /** The question; undefined as long as one of its ends is missing. */
  #asked() {
    const { from, to, proto, user } = this
    if (!from || !to) return undefined
    return user ? { from, to, user } : { from, to, proto }
  }

  async question(ask) {
    this.#fill()
    if (this.value === '') return undefined
    const asked = this.#asked()
    return { asked, ask, ...(await ask('flow', this.value, asked, this.context)) }
  }

  /** The fields say what is asked; one that somebody writes in is left alone. */
  #fill() {
    for (const [{ input }, property] of [
      [this.#from, 'from'],
      [this.#to, 'to'],
      [this.#user, 'user'],
    ]) {
      if (this.shadowRoot.activeElement !== input) input.value = this[property]
    }
    const known = [...this.#proto.options].some(({ value }) => value === this.proto)
    if (!known) this.#proto.append(h('option', this.proto))
    this.#proto.value = this.user ? LOGIN : this.proto
    this.#user.view.hidden = !this.user && this.shadowRoot.activeElement !== this.#user.input
  }

  draw(found) {
    const turn = ++this.#turn
    this.#names.replaceChildren(...(found?.names ?? []).map((value) => h('option', { value })))
    if (!found?.explanation) {
      this.say('')
      this.#shown.replaceChildren(h('p.quiet', 'Enter a source and host:port to see whether it is allowed, and by which rule.'))
      return found && {}
    }
    const { asked, explanation } = found
    const how = asked.user ? `ssh ${asked.from} → ${asked.to} as ${asked.user}` : `${asked.from} → ${asked.to} over ${asked.proto}`
    this.say(`${VERDICTS[explanation.verdict]}: ${how}`, explanation.verdict)
    const edits = h('div', { part: 'edits' })
    this.#shown.replaceChildren(...this.#why(explanation), edits)
    if (explanation.verdict !== 'allowed') this.#look(found, edits, turn)
    return { explanation }
  }

  /** Looks for edits, and shows them unless another question was asked meanwhile. */
  #look({ asked, ask }, place, turn) {
    place.append(h('p.quiet', 'Looking for the smallest edits …'))
    const shown = (parts) => turn === this.#turn && place.replaceChildren(...parts)
    // The question is answered; that there is no edit for such a name is no fault.
    ask('repairs', this.value, asked, this.context).then(
      (repairs) => shown(this.#edits(asked, repairs)),
      () => shown([]),
    )
  }

  #why({ verdict, part, action, because, nearMisses, unresolved, hint, hindrance, postures }) {
    const rules = (title, list) => (list.length > 0 ? [h('h3', title), h('ol', ...list)] : [])
    const rule = (ref, why) => h('li', this.#line(ref), why && [': ', prose(why)])
    const facts = [
      verdict === 'unknown' && 'Policy and network do not decide this.',
      part?.from && `Only from ${joined(part.from)}.`,
      part?.to && `Only to ${joined(part.to)}.`,
      action === 'check' && 'After a check of identity.',
      hindrance && `In the way: ${hindrance}.`,
      postures && `The source lacks ${postures.join(' or ')}.`,
      ...unresolved.map((name) => `${name} is no name of this policy or its network.`),
      hint,
    ]
    return [
      ...facts.filter(Boolean).map((words) => h('p', { part: 'fact' }, ...prose(words))),
      ...rules(
        'Allowed by',
        because.map((ref) => rule(ref)),
      ),
      ...rules(
        'Closest rules',
        nearMisses.map((miss) => rule(miss.rule, miss.why)),
      ),
    ]
  }

  #line(ref) {
    return h('button.link', { onclick: () => this.tell('rule', { ...ref, text: 'value' }), part: 'rule' }, `line ${ref.line}`)
  }

  #edits(asked, repairs) {
    if (repairs.length === 0) return []
    const edit = ({ title, text, edits, ...repair }) => {
      const use = h('button', { onclick: () => this.tell('edit', { text, edits, title }), part: 'use' }, 'Use this edit')
      return h('li', h('p', h('strong', title), ' ', use), ...this.#else(asked, repair))
    }
    return [h('h3', 'Smallest edits that allow it'), h('ol', ...repairs.map(edit))]
  }

  /** What an edit opens besides what was asked for. */
  #else({ from, to, proto, user }, { changes, logins }) {
    const [, host, port] = user ? [to, to, '22'] : (to.match(/^(.*):([^:\]]+)$/) ?? [to, to, '*'])
    const over = user ? 'tcp' : proto
    // A port without a protocol is that of TCP and UDP.
    const beside = (words) => words.flatMap((word) => (word === `${over}:${port}` ? [] : word === port ? `${over === 'tcp' ? 'udp' : 'tcp'}:${port}` : word))
    const access = changes.flatMap(({ source, gained }) =>
      gained.flatMap(({ destination, ports }) => {
        const words = source === from && destination === host ? beside(ports) : ports
        return words.length > 0 ? `${source} → ${destination} ${words.join(', ')}` : []
      }),
    )
    const ssh = logins.flatMap(({ source, gained }) =>
      gained
        .filter(({ destination, users }) => source !== from || destination !== host || users.some((name) => name !== user))
        .map(({ destination, users }) => `ssh ${source} → ${destination} as ${users.join(', ')}`),
    )
    const all = [...access, ...ssh]
    if (all.length === 0) return [h('p.quiet', 'Opens nothing else.')]
    const most = 8
    const more = all.length > most ? [h('li', `and ${this.number(all.length - most)} more`)] : []
    return [h('p.also', 'Also opens:'), h('ul.also', ...all.slice(0, most).map((words) => h('li', h('code', words.replaceAll('*', 'all')))), ...more)]
  }
}
