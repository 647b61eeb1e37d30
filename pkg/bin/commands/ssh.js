// `tailnet-kit ssh`: the SSH rules of each device. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { ANSWERING, DEVICES } from '../arguments.js'
import { answered } from '../answer.js'
import { byDevice, expectDevices } from '../devices.js'

export const usage = 'FILE --devices FILE'
export const says = `Lists the SSH rules that each device would enforce, in order: the first match decides. \`asked => local\` says which account
a login by that name gets, \`*\` any other name. FILE may be '-'.`
export const options = { ...DEVICES, ...ANSWERING }
export const exits = { 0: 'there is an answer', 1: 'the service would refuse the policy' }
export const examples = [
  'npx --no tailnet-kit ssh policy.hujson --devices devices.json',
  'npx --no tailnet-kit ssh policy.hujson --devices devices.json --json',
]

export async function run(values, files) {
  expectDevices(values)
  return answered(values, files, { as: 'ssh', ask: policy.ssh, lines: (answer, about) => byDevice(answer, about, lineOf, 'nobody logs in') })
}

function lineOf({ from, users, action, acceptEnv }) {
  const logins = Object.entries(users).map(([asked, local]) => (local === '=' ? asked : `${asked} => ${local || 'never'}`))
  return `${action} ${from.join(', ')} as ${logins.join(', ')}${acceptEnv ? ` with ${acceptEnv.join(', ')}` : ''}`
}
