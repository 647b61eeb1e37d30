// What the commands share that list who has what with whom: options, exit codes, the question, the order of lines. Must not live here:
// verdicts, what a line says.
import { ANSWERING, DEVICES, text, texts, written } from './arguments.js'
import { answered } from './answer.js'
import { expectDevices } from './devices.js'

export const usage = 'FILE [--from NAME]... [--to NAME]... [--by name|device] [--devices FILE]'
export const options = {
  from: texts('NAME', 'only this source; a group stands for its members, by device a user or tag for its devices'),
  to: texts('NAME', 'only this destination, in the same way'),
  by: text('KIND', 'name: by the names in the policy, the default; device: by the devices of --devices'),
  ...DEVICES,
  ...ANSWERING,
}
export const exits = { 0: 'there is an answer', 1: 'the service would refuse the policy' }

/**
 * Prints a line for each cell of the matrix that `ask(text, context, options)` returns, then for each undecided one, or `none`.
 * `lineOf(cell, {source, destination, undecided, rules})` writes it; `undecided` is a part of the line, empty where it is decided.
 */
export async function listed(values, files, { ask, lineOf, none }) {
  const { by, from, to } = values
  if (by === 'device') expectDevices(values)
  const line = ({ sources, destinations }, cell, undecided = '') => {
    const rules = cell.because.map(({ section, index, line }) => `${section}[${index}] line ${line}`).join(', ')
    return lineOf(cell, { source: sources[cell.source], destination: destinations[cell.destination], undecided, rules })
  }
  return answered(values, files, {
    ask: (text, context) => written({ by: '--by' }, () => ask(text, context, { by, from, to })),
    lines(matrix) {
      const decided = matrix.cells.map((cell) => line(matrix, cell))
      const all = [...decided, ...matrix.unknown.map((cell) => line(matrix, cell, ` undecided: ${cell.why}`))]
      return all.length === 0 ? [none] : all
    },
  })
}
