// The table of devices: filter, sort, delete; the routes of each: which are active, pending or only enabled, and checks of
// new ones while they are typed. Must not live here: what a prefix is.
import './service.css'
import { type Device, cidr, routes } from 'tailnet-kit/slim'
import { type Child, attempt, badge, choose, enable, field, fill, h, list, live, prose } from './dom.js'
import { known } from './kit.js'
import { client } from './service.js'
import { keep, kept, recall, typed } from './storage.js'
import { relative } from './times.js'

/** A device seen within this time counts as online; a key that expires within this time is marked. */
const [ONLINE_MS, SOON_MS] = [5 * 60_000, 14 * 86_400_000]

const nameOf = ({ name, hostname, id }: Device) => hostname || name?.split('.')[0] || id
/** The milliseconds since a device was last seen. The service leaves it out for a connected one, or writes null. */
const sinceSeen = ({ lastSeen = '', connectedToControl }: Device) =>
  connectedToControl || lastSeen === null ? 0 : Date.now() - (Date.parse(lastSeen) || -Infinity)
const untilExpiry = ({ keyExpiryDisabled, expires = '' }: Device) => ((!keyExpiryDisabled && Date.parse(expires)) || Infinity) - Date.now()

function expiry(device: Device): Child[] {
  const left = untilExpiry(device)
  if (left < 0) return [h('span.bad', `expired ${relative(left)}`)]
  return [h(`span.${left < SOON_MS ? 'soon' : 'quiet'}`, relative(left))]
}

const named = (device: Device): Child[] => [
  nameOf(device),
  device.isExternal && badge('external'),
  device.authorized === false && badge('not authorized'),
  device.updateAvailable && badge('update available'),
]
const seen = (device: Device): Child[] => {
  const ms = sinceSeen(device)
  return [ms < ONLINE_MS ? h('span.online', 'online') : h('span.offline', relative(-ms))]
}

/** What a column shows of a device, and the number it sorts by where it does not sort by its words. */
const columns: { title: string; show(device: Device): Child[]; key?(device: Device): number }[] = [
  { title: 'Name', show: named },
  { title: 'Owner or tags', show: ({ tags, user }) => (tags?.length ? tags.map(badge) : [known.users?.find(({ id }) => id === user)?.loginName ?? user]) },
  { title: 'Address', show: ({ addresses = [] }) => [h('code', { title: addresses.join('\n') }, addresses[0])] },
  { title: 'System', show: ({ os }) => [os] },
  { title: 'Seen', show: seen, key: sinceSeen },
  { title: 'Key expires', show: expiry, key: untilExpiry },
]
const { compare } = new Intl.Collator('en', { numeric: true })

export const devicesView = (root: HTMLElement): Promise<void> =>
  fill(root, 'Asking for the devices …', async () => (await client()).devices.list({ fields: 'all' }), table)

function table(devices: Device[]): Node[] {
  const tell = () => void (known.devices = [...rows.keys()])
  const gone = (device: Device) => {
    rows.delete(device)
    tell()
    draw()
    input.focus() // The button that had the focus is gone.
  }
  const rows = new Map(devices.map((device) => [device, rowOf(device, () => gone(device), tell)]))
  const draw = () => {
    const words = input.value.toLowerCase().split(/\s+/)
    const found = [...rows.values()].filter(({ text }) => words.every((word) => text.includes(word)))
    found.sort((a, b) => compare(`${a.keys[by]}`, `${b.keys[by]}`) * (turned ? -1 : 1))
    heads.forEach((head, index) => (head.ariaSort = index !== by ? 'none' : turned ? 'descending' : 'ascending'))
    count.textContent = `${found.length} of ${rows.size} devices`
    body.replaceChildren(...found.flatMap(({ elements }) => elements))
  }
  let [by, turned] = [0, false]
  const sort = (column: number) => {
    ;[by, turned] = [column, by === column && !turned]
    draw()
  }
  const heads = columns.map(({ title }, index) => h('th', { scope: 'col' }, h('button.sort', { onclick: () => sort(index) }, title)))
  const placeholder = 'Filter by name, owner, tag, address or system'
  const input = kept('devices.filter', h('input', { placeholder, ariaLabel: 'Filter devices' }), draw)
  const [count, body] = [h('span.quiet', { role: 'status' }), h('tbody')]
  const last = [h('th', { scope: 'col' }, 'Routes'), h('th', { scope: 'col' }, h('span.hidden', 'Delete'))]
  tell()
  draw()
  const all = h('table.devices', h('thead', h('tr', ...heads, ...last)), body)
  return [h('div.toolbar', input, count), h('div.card scroll', all)]
}

/** The row of a device and the one that unfolds below it, with the words it is found by and the values it is sorted by. */
function rowOf(device: Device, gone: () => void, changed: () => void) {
  const place = h('td', { colSpan: columns.length + 2 })
  const more = h('tr.more', { hidden: true }, place)
  const edited = () => {
    name()
    changed()
  }
  const onclick = () => {
    more.hidden = !more.hidden
    unfold.ariaExpanded = String(!more.hidden)
    if (!place.firstChild) place.append(routesEditor(device, edited))
  }
  const unfold = h('button.unfold', { ariaExpanded: 'false', onclick })
  const name = () => {
    unfold.textContent = summary(device)
    unfold.ariaLabel = `Routes of ${nameOf(device)}: ${summary(device)}`
  }
  name()
  const cells = [...columns, { title: 'Routes', show: () => [unfold] }].map(({ title, show }, index) => {
    const cell = index ? h('td', ...show(device)) : h('th', { scope: 'row' }, ...show(device))
    cell.dataset.title = title
    return cell
  })
  const remove = h('button.danger', { ariaLabel: `Delete ${nameOf(device)}` }, 'Delete')
  remove.onclick = () => askDelete(device, gone)
  const said = live()
  const admit = async () => {
    await (await client()).devices.authorize(device.id)
    device.authorized = true
    cells[0]?.replaceChildren(h('span', ...named(device)))
    authorize.remove()
    remove.focus() // The button that had the focus is gone.
    changed()
  }
  const authorize = h('button', { ariaLabel: `Authorize ${nameOf(device)}`, onclick: () => attempt(said, admit) }, 'Authorize')
  const texts = columns.map((_, index) => cells[index]?.textContent ?? '')
  return {
    text: [...texts, device.addresses].join(' ').toLowerCase(),
    keys: columns.map(({ key }, index) => key?.(device) ?? texts[index]),
    elements: [h('tr.device', ...cells, h('td.remove', device.authorized === false && authorize, remove, said)), more],
  }
}

/** Asks before it deletes; for a device shared from another tailnet it says why it cannot. */
function askDelete(device: Device, gone: () => void): void {
  const [name, { user = 'Another network', isExternal }] = [nameOf(device), device]
  const why = h('p', `${user} shares it with this network, and only its own network can delete it.`)
  if (isExternal) return void choose(`${name} cannot be deleted here`, [why], [['Close']])
  const what = h('p', 'It leaves the network at once, and must sign in again to come back.')
  const remove = async () => (await client()).devices.delete(device.id).then(() => 'Deleted.')
  void choose(`Delete ${name}?`, [what], [['Keep it'], ['Delete', remove, 'danger']]).then((done) => done && gone())
}

const routesOf = ({ advertisedRoutes = [], enabledRoutes = [] }: Device) => ({ advertisedRoutes, enabledRoutes })

const exits = { no: '', half: 'It is half an exit node: enable both 0.0.0.0/0 and ::/0.', yes: 'It is an exit node.' }

/** The routes of a device in a few words. */
function summary(device: Device): string {
  const { active, pending, exitNode } = routes.summarize(routesOf(device))
  const enabled = exitNode === 'yes' ? 'exit node' : active.length && `${active.length} active`
  return [enabled, pending.length && `${pending.length} pending`].filter(Boolean).join(', ') || 'none'
}

/** An editor for the routes of a device; `changed` is called when new ones were saved. */
function routesEditor(device: Device, changed: () => void): Node {
  const [lines, notes, checked, said] = [h('ul.routes'), h('p.quiet'), live(), live()]
  const draft = typed(`routes.${device.id}`)
  let enabled = recall<string[]>(draft) ?? routesOf(device).enabledRoutes

  const turn = (route: string, on: boolean) => {
    enabled = enabled.filter((other) => other !== route).concat(on ? route : [])
    keep(draft, enabled)
    judge()
  }
  const judge = () => {
    const { exitNode, overlaps } = routes.summarize({ ...routesOf(device), enabledRoutes: enabled })
    notes.textContent = [exits[exitNode], ...overlaps.map(([a, b]) => `${a} and ${b} overlap.`)].join(' ')
    enable(save, !cidr.sameSet(enabled, routesOf(device).enabledRoutes))
    const prefix = input.value.trim()
    const found = cidr.check(prefix)
    const meant = !found.ok && found.suggestion
    const instead = meant && h('button.link', { onclick: () => put(meant) }, `Use ${meant}`)
    enable(add, found.ok && !enabled.includes(prefix))
    checked.replaceChildren(prefix && !found.ok ? h('p.problem', ...prose(found.message), instead) : '')
  }
  const line = (route: string, state: string) => {
    const box = h('input', { type: 'checkbox', checked: enabled.includes(route) })
    box.onchange = () => turn(route, box.checked)
    return h('li', h('label.choice', box, h('code', route), h(`small.badge ${state}`, state)))
  }
  /** Draws the boxes, which show what is wanted; the word beside each shows what the service has. A box keeps its place when it is turned. */
  const draw = () => {
    const { advertisedRoutes, enabledRoutes } = routesOf(device)
    const added = enabled.filter((route) => !advertisedRoutes.includes(route) && !enabledRoutes.includes(route))
    const found = routes.summarize({ advertisedRoutes, enabledRoutes: [...enabledRoutes, ...added] })
    const states = { active: found.active, pending: found.pending, 'approved, not advertised': found.enabledOnly }
    const boxes = Object.entries(states).flatMap(([state, all]) => all.map((route) => line(route, state)))
    list(lines, boxes, 'It advertises no route, and none is enabled.')
    judge()
  }
  const put = (text: string) => {
    input.value = text
    input.dispatchEvent(new Event('input'))
    input.focus()
  }
  const store = async () => {
    const sent = enabled
    Object.assign(device, await (await client()).devices.routes.set(device.id, sent))
    // Boxes turned while the request was under way stay as they are.
    if (enabled === sent) {
      enabled = routesOf(device).enabledRoutes
      keep(draft, undefined)
    }
    changed()
    draw()
    return 'Saved.'
  }
  const append = () => {
    turn(input.value.trim(), true)
    draw()
    put('')
  }
  const onkeydown = ({ key }: KeyboardEvent) => key === 'Enter' && add.click()
  const input = kept(`route.${device.id}`, h('input', { placeholder: '10.20.0.0/16', onkeydown }), judge)
  const add = h('button', { onclick: append }, 'Add')
  const save = h('button.primary', { onclick: () => attempt(said, store) }, 'Save routes')
  const choice = h('div.toolbar', field('Approve another route', input), add, save)
  draw()
  return h('div.routing', lines, notes, choice, checked, said)
}
