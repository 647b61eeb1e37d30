// The users of the tailnet: their roles, who waits for approval, who is suspended. Must not live here: what a role means in a policy.
import './service.css'
import type { User, UserRole } from 'tailnet-kit/slim'
import { attempt, badge, choose, fill, h, list, live } from './dom.js'
import { known } from './kit.js'
import { isHeadscale } from './connection.js'
import { client } from './service.js'
import { kept } from './storage.js'
import { fromNow } from './times.js'

/** The roles that can be given here. The owner is changed elsewhere. */
const ROLES: UserRole[] = ['admin', 'it-admin', 'network-admin', 'billing-admin', 'auditor', 'member']

export const usersView = (root: HTMLElement): Promise<void> =>
  fill(root, 'Asking for the users …', async () => (await client()).users.list({ type: 'all' }), people)

function people(users: User[]): Node[] {
  const [count, all] = [h('span.quiet', { role: 'status' }), h('ul.entries', { ariaLabel: 'Users' })]
  const gone = (user: User) => {
    rows.delete(user)
    draw()
    input.focus() // The button that had the focus is gone.
  }
  const rows = new Map(users.map((user) => [user, rowOf(user, () => gone(user))]))
  const draw = () => {
    const words = input.value.toLowerCase().split(/\s+/)
    const found = [...rows].filter(([{ loginName, displayName, role, status }]) =>
      words.every((word) => `${loginName} ${displayName} ${role} ${status}`.toLowerCase().includes(word)),
    )
    count.textContent = `${found.length} of ${rows.size} users`
    list(
      all,
      found.map(([, row]) => row),
      'No user matches.',
    )
  }
  const placeholder = 'Filter by name, role or status'
  const input = kept('users.filter', h('input', { placeholder, ariaLabel: 'Filter users' }), draw)
  draw()
  return [h('div.toolbar', input, count), all]
}

/** The button that approves, suspends or restores a user: its operation and its label. */
function turnOf({ status }: User): ['approve' | 'suspend' | 'restore', string] {
  if (status === 'needs-approval') return ['approve', 'Approve']
  return status === 'suspended' ? ['restore', 'Restore'] : ['suspend', 'Suspend']
}

/** The row of a user, with buttons; the owner and people of other tailnets are only shown. */
function rowOf(user: User, gone: () => void): HTMLElement {
  const { id, loginName, displayName } = user
  const [facts, said] = [h('small'), live()]
  const show = () => {
    const { role = 'member', type, status = '', deviceCount = 0, lastSeen, currentlyConnected } = user
    const devices = `${deviceCount} ${deviceCount === 1 ? 'device' : 'devices'}`
    const words = [loginName, devices, currentlyConnected ? 'connected' : `last seen: ${fromNow(lastSeen)}`].join(' · ')
    const marks = [type === 'shared' && 'shared', role === 'owner' && 'owner', status !== 'active' && status]
    facts.replaceChildren(words, ...marks.flatMap((mark) => (mark ? [' ', badge(mark)] : [])))
    turn.textContent = turnOf(user)[1]
    turn.ariaLabel = `${turn.textContent} ${loginName}`
    roles.value = role
  }
  /** Shows what the service has afterwards, even where the work failed. */
  const act = (work: () => Promise<unknown>) =>
    attempt(said, async () => {
      const { users } = await client()
      try {
        await work()
      } finally {
        Object.assign(user, await users.get(id))
        show()
      }
    })
  const setRole = async () => (await client()).users.setRole(id, roles.value as UserRole)
  const options = ROLES.map((role) => h('option', { value: role }, role))
  const roles = h('select', { ariaLabel: `Role of ${loginName}`, onchange: () => act(setRole) }, ...options)
  const turn = h('button', { onclick: () => act(async () => (await client()).users[turnOf(user)[0]](id)) })
  const remove = h('button.danger', { ariaLabel: `Delete ${loginName}`, onclick: () => askDelete(user, gone) }, 'Delete')
  const fixed = user.role === 'owner' || user.type === 'shared'
  const tools = isHeadscale() ? [remove] : [roles, turn, remove]
  show()
  return h('li', h('div', h('b', displayName || loginName), facts, said), fixed ? null : h('div.toolbar', ...tools))
}

/** Asks before it deletes. A user's devices go too, and questions about policies no longer count them. */
function askDelete({ id, loginName }: User, gone: () => void): void {
  const what = h('p', isHeadscale() ? 'Only a user without devices can be deleted.' : 'The devices, keys and tokens of this user go too, at once.')
  const remove = async () => {
    const { users, devices } = await client()
    await users.delete(id)
    known.devices = await devices.list({ fields: 'all' })
    return 'Deleted.'
  }
  void choose(`Delete ${loginName}?`, [what], [['Keep it'], ['Delete', remove, 'danger']]).then((done) => done && gone())
}
