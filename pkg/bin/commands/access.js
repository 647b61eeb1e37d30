// `tailnet-kit access`: who reaches what. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { ANSWERING, DEVICES, text, texts, written } from '../arguments.js'
import { answered } from '../answer.js'
import { expectDevices } from '../devices.js'
import { meant, opening } from '../opening.js'

export const usage = 'FILE [--from NAME]... [--to NAME]... [--by name|device] [--devices FILE]'
export const says = `Lists who reaches what, exhaustively, and by which rules: a line for each pair that has access, then what text and --devices
leave undecided. With --from only what these reach, with --to only who reaches those: names of the policy, by device also
devices. FILE may be '-'.`
export const options = {
  from: texts('NAME', 'only this source; a group stands for its members, by device a user or tag for its devices'),
  to: texts('NAME', 'only this destination, in the same way'),
  by: text('KIND', 'name: by the names in the policy, the default; device: by the devices of --devices'),
  ...DEVICES,
  ...ANSWERING,
}
export const exits = { 0: 'there is an answer', 1: 'the service would refuse the policy' }
export const examples = ['npx tailnet-kit access policy.hujson --to tag:db', 'npx tailnet-kit access policy.hujson --by device --devices devices.json --json']

export async function run(values, files) {
  const { by, from, to } = values
  if (by === 'device') expectDevices(values)
  const ask = (text, context) => written({ by: '--by' }, () => policy.access(text, context, { by, from, to }))
  return answered(values, files, { ask, lines: linesOf })
}

function linesOf({ sources, destinations, cells, unknown }) {
  const line = (cell, undecided = '') => {
    const rules = cell.because.map(({ section, index, line }) => `${section}[${index}] line ${line}`)
    return `${sources[cell.source]} -> ${destinations[cell.destination]}:${opening(cell)}${meant(cell)}${undecided} (${rules.join(', ')})`
  }
  const all = [...cells.map((cell) => line(cell)), ...unknown.map((cell) => line(cell, ` undecided: ${cell.why}`))]
  return all.length === 0 ? ['nobody reaches anything'] : all
}
