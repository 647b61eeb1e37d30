// The keys of the tailnet: made, shown once, revoked. Must not live here: a stored secret; clients and federated identities being made.
import './service.css'
import type { Key } from 'tailnet-kit/slim'
import { attempt, badge, card, choose, field, fill, h, list, live } from './dom.js'
import { isHeadscale } from './connection.js'
import { client } from './service.js'
import { fromNow } from './times.js'

const DAY = 86_400

export const keysView = (root: HTMLElement): Promise<void> =>
  fill(
    root,
    'Asking for the keys …',
    async () => (await client()).keys.list(),
    (keys) => {
      const all = h('ul.entries')
      const show = (now: Key[]) =>
        list(
          all,
          now.map((key) => entry(key, again)),
          'No keys yet.',
        )
      /** Shows what the service has now, as others may have changed it too. */
      const again = async () => show(await (await client()).keys.list())
      show(keys)
      return [making(again), card('All keys', '', all)]
    },
  )

/** What a device may do that joins with a key. */
const abilities = { reusable: 'for more than one device', ephemeral: 'devices are removed once they go offline', preauthorized: 'its devices need no approval' }

/** The form of a new key. The page shows the secret until somebody has copied it, and keeps it nowhere else. */
function making(again: () => Promise<void>): HTMLElement {
  const [said, once] = [live(), live()]
  const placeholder = isHeadscale() ? 'whose its devices are, unless they get tags' : 'laptops of the workshop'
  const description = h('input', { name: 'description', placeholder, maxLength: 50 })
  const tags = h('input', { name: 'tags', placeholder: 'tag:web' })
  const days = h('input', { name: 'days', type: 'number', min: '1', max: '90', value: '90' })
  const boxes = Object.entries(abilities)
    .filter(([name]) => name !== 'preauthorized' || !isHeadscale())
    .map(([name, about]) => {
      const box = h('input', { type: 'checkbox', name })
      return { name, box, view: h('label.choice', box, h('span', `${name}: `, h('small', about))) }
    })
  const make = async () => {
    const chosen = Object.fromEntries(boxes.map(({ name, box }) => [name, box.checked]))
    const create = { ...chosen, tags: tags.value.split(/[\s,]+/).filter(Boolean) }
    const wanted = { description: description.value.trim(), expirySeconds: Number(days.value) * DAY, capabilities: { devices: { create } } }
    const { key } = await (await client()).keys.create(wanted)
    once.replaceChildren(secret(key, () => once.replaceChildren()))
    await again()
  }
  const onsubmit = () => {
    void attempt(said, make)
    return false
  }
  const toolbar = h('div.toolbar', h('button.primary', 'Create key'))
  const fields = h('div.sides', field(isHeadscale() ? 'User' : 'Description', description), field('Tags', tags), field('Expires after (days)', days))
  const about = h('p.quiet', 'Devices use it to join the tailnet.')
  return card('New auth key', '', about, h('form.making', { onsubmit, noValidate: true }, fields, ...boxes.map(({ view }) => view), toolbar), said, once)
}

/** A secret to copy; `taken` is called once that is done. */
function secret(key: string, taken: () => void): HTMLElement {
  const said = live()
  const copy = async () => {
    await navigator.clipboard.writeText(key)
    return 'Copied.'
  }
  const tools = h('div.toolbar', h('button', { onclick: () => attempt(said, copy) }, 'Copy key'), h('button', { onclick: taken }, 'Done'), said)
  return h('div.secret', h('p', 'Copy this key now; it will not be shown again.'), h('code', key), tools)
}

/** What a key is good for: what it lets devices do, or what its tokens may do. */
const abilitiesOf = ({ capabilities, scopes = [], tags = [] }: Key): string[] => {
  const { tags: given = [], ...can } = capabilities?.devices.create ?? {}
  const named = Object.entries(can).flatMap(([name, yes]) => (yes === true ? [name] : []))
  return [...named, ...scopes, ...new Set([...given, ...tags])]
}

function entry(key: Key, again: () => Promise<void>): HTMLElement {
  const { id, description, keyType = 'auth', expires, invalid, revoked } = key
  const dead = (revoked && 'revoked') || (invalid && 'invalid')
  const words = [description && id, keyType, expires && `expires ${fromNow(expires)}`].filter(Boolean).join(' · ')
  const facts = h('small', words, ...abilitiesOf(key).flatMap((one) => [' ', badge(one)]))
  const revoke = async () =>
    (await client()).keys
      .delete(id)
      .then(again)
      .then(() => 'Revoked.')
  const question = h('p', 'Nothing can join with it any more. Devices that did stay.')
  const onclick = () => void choose(`Revoke ${description || id}?`, [question], [['Keep it'], ['Revoke', revoke, 'danger']])
  const tools = h('div.toolbar', h('button.danger', { ariaLabel: `Revoke ${description || id}`, onclick }, 'Revoke'))
  return h('li', h('div', h('b', description || id), facts), dead ? badge(dead) : tools)
}
