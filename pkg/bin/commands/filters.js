// `tailnet-kit filters`: the packet filter of each device. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { ANSWERING, DEVICES } from '../arguments.js'
import { answered } from '../answer.js'
import { byDevice, expectDevices } from '../devices.js'

export const usage = 'FILE --devices FILE'
export const says = `Lists the packet filter that each device would enforce: who may send to which of its addresses, with IP protocols
as numbers. FILE may be '-'.`
export const options = { ...DEVICES, ...ANSWERING }
export const exits = { 0: 'there is an answer', 1: 'the service would refuse the policy' }
export const examples = [
  'npx --no tailnet-kit filters policy.hujson --devices devices.json',
  'npx --no tailnet-kit filters policy.hujson --devices devices.json --json',
]

export async function run(values, files) {
  expectDevices(values)
  return answered(values, files, { as: 'filters', ask: policy.filters, lines: (answer, about) => byDevice(answer, about, lineOf, 'nobody reaches it') })
}

function lineOf({ src, dst, proto, app }) {
  const what = app ? `may use ${Object.keys(app).join(', ')}` : `protocol ${proto.join(', ')}`
  return `${src.join(', ')} -> ${dst.map(({ net, ports }) => `${net.includes(':') ? `[${net}]` : net}:${ports}`).join(', ')} ${what}`
}
