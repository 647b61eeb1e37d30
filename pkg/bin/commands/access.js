// `tailnet-kit access`: who reaches what. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { ANSWERING, DEVICES, text, written } from '../arguments.js'
import { answered } from '../answer.js'
import { expectDevices } from '../devices.js'

export const usage = 'FILE [--by name|device] [--devices FILE]'
export const says = `Lists who reaches what, exhaustively, and by which rules: a line for each pair that has access, then what text and --devices
leave undecided. FILE may be '-'.`
export const options = { by: text('KIND', 'name: by the names in the policy, the default; device: by the devices of --devices'), ...DEVICES, ...ANSWERING }
export const exits = { 0: 'there is an answer', 1: 'the service would refuse the policy' }
export const examples = ['npx tailnet-kit access policy.hujson', 'npx tailnet-kit access policy.hujson --by device --devices devices.json --json']

export async function run(values, files) {
  const { by } = values
  if (by === 'device') expectDevices(values)
  const ask = (text, context) => written({ by: '--by' }, () => policy.access(text, context, by === undefined ? undefined : { by }))
  return answered(values, files, { ask, lines: linesOf })
}

function linesOf({ sources, destinations, cells, unknown }) {
  const pair = ({ source, destination, ports, because }, open = '') => {
    const rules = because.map(({ section, index, line }) => `${section}[${index}] line ${line}`)
    return `${sources[source]} -> ${destinations[destination]}:${ports.join(',')}${open} (${rules.join(', ')})`
  }
  const all = [...cells.map((cell) => pair(cell)), ...unknown.map((cell) => pair(cell, ' may be open'))]
  return all.length === 0 ? ['nobody reaches anything'] : all
}
