// `tailnet-kit powers`: what a policy allows beside reaching and logging in. Must not live here: verdicts.
import { hujson, policy } from 'tailnet-kit'
import { ANSWERING, DEVICES } from '../arguments.js'
import { answered } from '../answer.js'
import { power } from '../changes.js'

export const usage = 'FILE [--devices FILE]'
export const says = `Lists who may do what besides reaching: put which tag on a device, and what that reaches; have which routes, exit nodes and
services approved; which attributes and capabilities somebody has, and where sessions of SSH are recorded. FILE may be '-'.`
export const options = { ...DEVICES, ...ANSWERING }
export const exits = { 0: 'there is an answer', 1: 'the service would refuse the policy' }
export const examples = ['npx --no tailnet-kit powers policy.hujson', 'npx --no tailnet-kit powers policy.hujson --devices devices.json --json']

export const run = (values, files) => answered(values, files, { ask: policy.powers, as: 'powers', lines: linesOf })

function linesOf(powers, { file, text }) {
  const line = (one) => {
    // Where the keys have no usual spelling, the place is not found.
    const at = hujson.find(text, one.pointer)?.line
    return `${file}:${at === undefined ? '' : `${at}:`} ${one.who}: ${power(one)}`
  }
  return powers.length === 0 ? ['nobody may do anything besides reaching'] : powers.map(line)
}
