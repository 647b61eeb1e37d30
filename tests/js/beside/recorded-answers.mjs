// The answers about the recorded policies and networks, compared with their declarations. Must not live here: the comparison (`checks/answers.mjs`).

import { answersAbout } from '../checks/answers.mjs'
import { recordings } from '../lib/beside.mjs'

export default ({ tarball }) => answersAbout(tarball, recordings().map(given))

/** A recording in the form of the public API. */
function given({ policy, topo: { users, nodes } }) {
  const login = (name) => users.find((user) => user.name === name)?.email
  const devices = nodes.map(({ name, user, tags, ips, advertised = [], approved = [] }) => ({
    id: name,
    name: `${name}.example.ts.net`,
    ...(user ? { user: login(user) } : {}),
    tags,
    addresses: ips,
    advertisedRoutes: advertised,
    enabledRoutes: approved,
  }))
  return {
    text: policy,
    context: { devices, users: users.map(({ email, role }) => ({ loginName: email, ...(role && { role }) })), domains: ['example.com'] },
  }
}
