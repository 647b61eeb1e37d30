// `<tailnet-keys>`: the keys of a tailnet: made, shown once, revoked. Must not live here: a stored secret; clients and federated identities being made; how
// a list is shown (`table.js`).

import { h } from '../common/dom.js'
import { live } from '../common/buttons.js'
import { attempt } from '../common/work.js'
import { badge, card, field } from './element.js'
import { TableElement } from './table.js'
import { relative, until } from './times.js'

const DAY = 86_400

/** What a device may do that joins with a key. */
const ABILITIES = { reusable: 'for more than one device', ephemeral: 'devices are removed once they go offline', preauthorized: 'its devices need no approval' }

/** What a key is good for: what it lets devices do, or what its tokens may do. */
const abilitiesOf = ({ capabilities, scopes = [], tags = [] }) => {
  const { tags: given = [], ...can } = capabilities?.devices?.create ?? {}
  const named = Object.entries(can).flatMap(([name, yes]) => (yes === true ? [name] : []))
  return [...named, ...scopes, ...new Set([...given, ...tags])]
}
const untilEnd = ({ expires }) => until(expires, Infinity)

export class TailnetKeys extends TableElement {
  static words = { one: 'key', many: 'keys', filter: 'description, kind, ability or tag', empty: 'No keys yet.' }
  static columns = [
    { title: 'Description', show: ({ description, id }) => description || h('code', id) },
    { title: 'Kind', show: ({ keyType = 'auth' }) => keyType },
    { title: 'Expires', show: (key) => relative(untilEnd(key)), key: untilEnd },
    { title: 'For', show: (key) => abilitiesOf(key).map(badge) },
    { title: 'Status', show: ({ revoked, invalid }) => (revoked ? badge('revoked') : invalid ? badge('invalid') : 'valid') },
  ]
  #form = h('div')

  constructor() {
    super()
    this.body.prepend(this.#form)
  }

  load({ keys }) {
    return keys.list()
  }

  show(keys) {
    if (!this.#form.firstChild) this.#form.append(this.#making())
    return super.show(keys)
  }

  tools(key, entry) {
    const { id, description, revoked, invalid } = key
    if (revoked || invalid) return []
    const question = 'Nothing can join with it any more. Devices that did stay.'
    const onclick = () => this.remove(entry, `Revoke ${description || id}?`, question, ['Revoke', () => this.service.keys.delete(id).then(() => this.renew())])
    return [h('button.danger', { ariaLabel: `Revoke ${description || id}`, onclick }, 'Revoke')]
  }

  /** The form of a new key. The secret is shown until somebody has copied it, and is kept nowhere. */
  #making() {
    const { isHeadscale } = this.service
    const [said, once] = [live(), live()]
    const placeholder = isHeadscale ? 'whose its devices are, unless they get tags' : 'laptops of the workshop'
    const description = h('input', { placeholder, maxLength: 50 })
    const tags = h('input', { placeholder: 'tag:web' })
    const days = h('input', { type: 'number', min: '1', max: '90', value: '90' })
    const boxes = Object.entries(ABILITIES)
      .filter(([name]) => name !== 'preauthorized' || !isHeadscale)
      .map(([name, about]) => {
        const box = h('input', { type: 'checkbox', name })
        return { name, box, view: h('label.choice', box, h('span', `${name}: `, h('small', about))) }
      })
    const make = async () => {
      const chosen = Object.fromEntries(boxes.map(({ name, box }) => [name, box.checked]))
      const create = { ...chosen, tags: tags.value.split(/[\s,]+/).filter(Boolean) }
      const wanted = { description: description.value.trim(), expirySeconds: Number(days.value) * DAY, capabilities: { devices: { create } } }
      const { id, key } = await this.service.keys.create(wanted)
      once.replaceChildren(secret(key, () => once.replaceChildren()))
      this.tell('change', { id })
      this.renew()
    }
    const onsubmit = () => {
      attempt(said, make)
      return false
    }
    const fields = h('div.fields', field(isHeadscale ? 'User' : 'Description', description), field('Tags', tags), field('Expires after (days)', days))
    const about = h('p.quiet', 'Devices use it to join the tailnet.')
    const toolbar = h('div.toolbar', h('button.primary', 'Create key'))
    return card('New auth key', about, h('form', { onsubmit, noValidate: true }, fields, ...boxes.map(({ view }) => view), toolbar), said, once)
  }
}

/** A secret to copy; `taken` is called once that is done. */
function secret(key, taken) {
  const said = live()
  const copy = async () => {
    await navigator.clipboard.writeText(key)
    return 'Copied.'
  }
  const tools = h('div.toolbar', h('button', { onclick: () => attempt(said, copy) }, 'Copy key'), h('button', { onclick: taken }, 'Done'), said)
  return h('div.secret', h('p', 'Copy this key now; it will not be shown again.'), h('code', key), tools)
}
