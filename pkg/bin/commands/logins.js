// `tailnet-kit logins`: who may log in to what by SSH. Must not live here: the rules of each device (`ssh`), verdicts.
import { policy } from 'tailnet-kit'
import { ANSWERING, DEVICES, text, texts, written } from '../arguments.js'
import { answered } from '../answer.js'
import { expectDevices } from '../devices.js'
import { meant, needing } from '../opening.js'

export const usage = 'FILE [--from NAME]... [--to NAME]... [--by name|device] [--devices FILE]'
export const says = `Lists who may log in to what by SSH as which account, exhaustively, and by which rules; then what text and --devices leave
undecided. A login that no network rule lets pass on port 22 is marked. With --from and --to only these sources and
destinations: names of the policy, by device also devices. FILE may be '-'.`
export const options = {
  from: texts('NAME', 'only this source; a group stands for its members, by device a user or tag for its devices'),
  to: texts('NAME', 'only this destination, in the same way'),
  by: text('KIND', 'name: by the names in the policy, the default; device: by the devices of --devices'),
  ...DEVICES,
  ...ANSWERING,
}
export const exits = { 0: 'there is an answer', 1: 'the service would refuse the policy' }
export const examples = ['npx tailnet-kit logins policy.hujson --to tag:db', 'npx tailnet-kit logins policy.hujson --by device --devices devices.json --json']

export async function run(values, files) {
  const { by, from, to } = values
  if (by === 'device') expectDevices(values)
  const ask = (text, context) => written({ by: '--by' }, () => policy.logins(text, context, { by, from, to }))
  return answered(values, files, { ask, lines: linesOf })
}

/** What the network makes of a login. */
const NETWORK = new Map([
  [true, ''],
  [false, ' (no network rule opens port 22)'],
  [null, ' (undecided whether the network opens port 22)'],
])

function linesOf({ sources, destinations, cells, unknown }) {
  const line = (cell, undecided = '') => {
    const rules = cell.because.map(({ section, index, line }) => `${section}[${index}] line ${line}`)
    const as = `as ${cell.users.join(', ')}${cell.action === 'check' ? ' after a check' : ''}${needing(cell)}`
    return `${sources[cell.source]} -> ${destinations[cell.destination]} ${as}${meant(cell)}${undecided}${NETWORK.get(cell.network)} (${rules.join(', ')})`
  }
  const all = [...cells.map((cell) => line(cell)), ...unknown.map((cell) => line(cell, ` undecided: ${cell.why}`))]
  return all.length === 0 ? ['nobody logs in'] : all
}
