// `<tailnet-devices>`: the devices of a tailnet, with their routes; authorizes and deletes them. Must not live here: how a list is shown (`table.js`), the
// editor of routes (`routes.js`).

import { h } from '../common/dom.js'
import { judge } from '../common/judge.js'
import { badge } from './element.js'
import { routing, summary } from './routes.js'
import { TableElement } from './table.js'
import { relative, until } from './times.js'

/** A device seen within this time counts as online; a key that expires within this time is marked. */
const [ONLINE_MS, SOON_MS] = [5 * 60_000, 14 * 86_400_000]

const nameOf = ({ name, hostname, id }) => hostname || name?.split('.')[0] || id
/** The milliseconds since a device was last seen. The service leaves it out for a connected one, or writes null. */
const sinceSeen = ({ lastSeen, connectedToControl }) => (connectedToControl || lastSeen === null ? 0 : -until(lastSeen))
const untilExpiry = ({ keyExpiryDisabled, expires }) => (keyExpiryDisabled ? Infinity : until(expires, Infinity))

function seen(device) {
  const ms = sinceSeen(device)
  return ms < ONLINE_MS ? h('span.online', 'online') : h('span.offline', relative(-ms))
}

function expiry(device) {
  const left = untilExpiry(device)
  if (left < 0) return h('span.bad', `expired ${relative(left)}`)
  return h(left < SOON_MS ? 'span.soon' : 'span.quiet', relative(left))
}

const named = (device) => [
  nameOf(device),
  device.isExternal && badge('external'),
  device.authorized === false && badge('not authorized'),
  device.updateAvailable && badge('update available'),
]

export class TailnetDevices extends TableElement {
  static words = { one: 'device', many: 'devices', filter: 'name, owner, tag, address or system', empty: 'No devices yet.' }
  static columns = [
    { title: 'Name', show: named },
    { title: 'Owner or tags', show: ({ tags, user = '' }) => (tags?.length ? tags.map(badge) : user) },
    {
      title: 'Address',
      show: ({ addresses = [] }) => h('code', { title: addresses.join('\n') }, addresses[0]),
      text: ({ addresses = [] }) => addresses.join(' '),
    },
    { title: 'System', show: ({ os = '' }) => os },
    { title: 'Seen', show: seen, key: sinceSeen },
    { title: 'Key expires', show: expiry, key: untilExpiry },
    {
      title: 'Routes',
      show(device, entry) {
        return this.unfold(device, entry)
      },
      text: () => '',
    },
  ]
  #summaries = new Map()

  async load({ devices }, ask) {
    const all = await devices.list({ fields: 'all' })
    const found = await ask('routes', all)
    this.#summaries = new Map(all.map((device, index) => [device, summary(found[index])]))
    return all
  }

  /** The routes of a device in few words, as a button that unfolds their editor below the row. */
  unfold(device, entry) {
    const words = this.#summaries.get(device)
    const onclick = () => {
      entry.below ??= this.#below(device, entry)
      entry.below.hidden = !entry.below.hidden
      button.ariaExpanded = String(!entry.below.hidden)
    }
    const label = `Routes of ${nameOf(device)}: ${words}`
    const button = h('button.unfold', { ariaExpanded: String(entry.below?.hidden === false), ariaLabel: label, onclick }, words)
    return button
  }

  #below(device, entry) {
    const changed = async () => {
      this.#summaries.set(device, summary((await judge('routes', [device]))[0]))
      this.shown(entry)
      this.tell('change', { id: device.id })
    }
    const below = h('tr.more', { hidden: true }, h('td', { colSpan: TailnetDevices.columns.length + 1 }, routing(this, device, changed)))
    entry.rows[0].after(below)
    entry.rows.push(below)
    return below
  }

  tools(device, entry) {
    const admit = async () => {
      await this.service.devices.authorize(device.id)
      device.authorized = true
      this.tell('change', { id: device.id })
    }
    const authorize = h('button', { ariaLabel: `Authorize ${nameOf(device)}`, onclick: () => this.act(entry, admit) }, 'Authorize')
    const onclick = () => this.#ask(device, entry)
    return [device.authorized === false && authorize, h('button.danger', { ariaLabel: `Delete ${nameOf(device)}`, onclick }, 'Delete')]
  }

  /** Asks before it deletes; for a device shared from another tailnet it says why it cannot. */
  #ask(device, entry) {
    const [name, { user = 'Another network', isExternal }] = [nameOf(device), device]
    const why = `${user} shares it with this network, and only its own network can delete it.`
    if (isExternal) return this.choose(`${name} cannot be deleted here`, [h('p', why)], [['Close']])
    const what = 'It leaves the network at once, and must sign in again to come back.'
    return this.remove(entry, `Delete ${name}?`, what, ['Delete', () => this.service.devices.delete(device.id)])
  }
}
