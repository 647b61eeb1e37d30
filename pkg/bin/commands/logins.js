// `tailnet-kit logins`: who may log in to what by SSH. Must not live here: the rules of each device (`ssh`), verdicts.
import { policy } from 'tailnet-kit'
import { listed } from '../matrix.js'
import { meant, needing } from '../opening.js'

export { exits, options, usage } from '../matrix.js'
export const says = `Lists who may log in to what by SSH as which account, exhaustively, and by which rules; then what text and --devices leave
undecided. A login that no network rule lets pass on port 22 is marked. With --from and --to only these sources and
destinations: names of the policy, by device also devices. FILE may be '-'.`
export const examples = [
  'npx --no tailnet-kit logins policy.hujson --to tag:db',
  'npx --no tailnet-kit logins policy.hujson --by device --devices devices.json --json',
]

export const run = (values, files) => listed(values, files, { ask: policy.logins, lineOf, none: 'nobody logs in' })

/** What the network makes of a login. */
const NETWORK = new Map([
  [true, ''],
  [false, ' (no network rule opens port 22 for it)'],
  [null, ' (undecided whether the network opens port 22)'],
])

function lineOf(cell, { source, destination, undecided, rules }) {
  const as = `as ${cell.users.join(', ')}${cell.action === 'check' ? ' after a check' : ''}${needing(cell)}`
  return `${source} -> ${destination} ${as}${meant(cell)}${undecided}${NETWORK.get(cell.network)} (${rules})`
}
