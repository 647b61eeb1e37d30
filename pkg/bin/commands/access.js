// `tailnet-kit access`: who reaches what. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { listed } from '../matrix.js'
import { meant, opening } from '../opening.js'

export { exits, options, usage } from '../matrix.js'
export const says = `Lists who reaches what, exhaustively, and by which rules: a line for each pair that has access, then what text and --devices
leave undecided. With --from only what these reach, with --to only who reaches those: names of the policy, by device also
devices. FILE may be '-'.`
export const examples = [
  'npx --no tailnet-kit access policy.hujson --to tag:db',
  'npx --no tailnet-kit access policy.hujson --by device --devices devices.json --json',
]

export const run = (values, files) =>
  listed(values, files, {
    ask: policy.access,
    lineOf: (cell, { source, destination, undecided, rules }) => `${source} -> ${destination}:${opening(cell)}${meant(cell)}${undecided} (${rules})`,
    none: 'nobody reaches anything',
  })
