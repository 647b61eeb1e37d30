// `<tailnet-users>`: the users of a tailnet: their roles, who waits for approval, who is suspended. Must not live here: what a role means in a policy, how a
// list is shown (`table.js`).

import { h } from '../common/dom.js'
import { badge } from './element.js'
import { TableElement } from './table.js'
import { relative, until } from './times.js'

/** The roles that can be given. The owner hands over elsewhere. */
const ROLES = ['admin', 'it-admin', 'network-admin', 'billing-admin', 'auditor', 'member']
const seenUntil = ({ currentlyConnected, lastSeen }) => (currentlyConnected ? 0 : until(lastSeen))

/** The operation that approves, suspends or restores a user, and its label. */
function turnOf({ status }) {
  if (status === 'needs-approval') return ['approve', 'Approve']
  return status === 'suspended' ? ['restore', 'Restore'] : ['suspend', 'Suspend']
}

export class TailnetUsers extends TableElement {
  static words = { one: 'user', many: 'users', filter: 'name, role or status', empty: 'No users yet.' }
  static columns = [
    { title: 'Name', show: ({ displayName, loginName }) => displayName || loginName },
    { title: 'Login', show: ({ loginName }) => loginName },
    {
      title: 'Devices',
      show: ({ deviceCount = 0 }) => `${deviceCount} ${deviceCount === 1 ? 'device' : 'devices'}`,
      key: ({ deviceCount = 0 }) => deviceCount,
    },
    {
      title: 'Seen',
      show: (user) => (user.currentlyConnected ? h('span.online', 'connected') : h('span.offline', relative(seenUntil(user)))),
      key: (user) => -seenUntil(user),
    },
    {
      title: 'Role',
      show(user, entry) {
        return this.role(user, entry)
      },
      text: ({ role }) => role,
    },
    { title: 'Status', show: ({ type, status }) => [type === 'shared' && [badge('shared'), ' '], status && (status === 'active' ? status : badge(status))] },
  ]

  load({ users }) {
    return users.list({ type: 'all' })
  }

  /** Does something, and takes over what the service has afterwards, even where the work failed. */
  async #do(user, work) {
    const { users } = this.service
    try {
      await work(users)
    } finally {
      Object.assign(user, await users.get(user.id))
    }
    this.tell('change', { id: user.id })
  }

  /** The owner and people of other tailnets are only shown, and Headscale has no roles. */
  #isFixed = ({ role, type }) => role === 'owner' || type === 'shared'

  role(user, entry) {
    const { id, loginName, role = 'member' } = user
    if (this.service.isHeadscale || this.#isFixed(user)) return this.service.isHeadscale ? '' : role
    const options = ROLES.map((value) => h('option', { value, selected: value === role }, value))
    const onchange = () => this.act(entry, () => this.#do(user, (users) => users.setRole(id, roles.value)))
    const roles = h('select', { ariaLabel: `Role of ${loginName}`, onchange }, ...options)
    return roles
  }

  tools(user, entry) {
    const { id, loginName } = user
    const { isHeadscale } = this.service
    if (this.#isFixed(user)) return []
    const [operation, label] = turnOf(user)
    const turn = h(
      'button',
      { ariaLabel: `${label} ${loginName}`, onclick: () => this.act(entry, () => this.#do(user, (users) => users[operation](id))) },
      label,
    )
    const what = isHeadscale ? 'Only a user without devices can be deleted.' : 'The devices, keys and tokens of this user go too, at once.'
    const onclick = () => this.remove(entry, `Delete ${loginName}?`, what, ['Delete', () => this.service.users.delete(id)])
    return [!isHeadscale && turn, h('button.danger', { ariaLabel: `Delete ${loginName}`, onclick }, 'Delete')]
  }
}
