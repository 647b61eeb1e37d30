// The verbs `flow` and `repairs`: one question, and the edits that would allow it. They run where the engine is. Must not live here: words.

import { policy } from '../common/engine.js'

/** The names that a question may have, as far as text and network say them. */
function names(value, { devices = [], users = [] }) {
  const { groups = {}, hosts = {}, tagOwners, tagowners = {} } = policy.toJSON(value)
  const hostOf = ({ name, hostname }) => hostname ?? name?.split('.')[0] ?? ''
  const logins = Object.values(groups)
    .flat()
    .filter((name) => typeof name === 'string' && name.includes('@'))
  const all = [
    logins,
    users.map(({ loginName }) => loginName),
    Object.keys(groups),
    Object.keys(tagOwners ?? tagowners),
    Object.keys(hosts),
    devices.map(hostOf),
  ]
  return [...new Set(all.flat())].filter(Boolean)
}

export const flow = (value, asked, context) => ({
  names: names(value, context ?? {}),
  explanation: asked && policy.explain(value, asked, context),
})

/** Each repair with the logins that it opens too. */
export function repairs(value, asked, context) {
  const logins = ({ text }) => (asked.user === undefined ? [] : policy.diffSsh(value, text, context))
  return policy.repair(value, asked, context).map((repair) => ({ ...repair, lines: changedLines(value, repair), logins: logins(repair) }))
}

/** What a repair writes, and in which line of the text. */
const changedLines = (value, { edits }) => edits.map(({ from, insert }) => ({ line: value.slice(0, from).split('\n').length, insert }))
