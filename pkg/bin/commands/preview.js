// `tailnet-kit preview`: the rules that concern somebody or something. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { ANSWERING, DEVICES, text } from '../arguments.js'
import { answered } from '../answer.js'
import { wanting } from '../context.js'
import { expectDevices } from '../devices.js'
import { Failure } from '../failure.js'
import { needing } from '../opening.js'

const ASKED = {
  user: text('LOGIN', 'a login'),
  'ip-port': text('IP:PORT', 'an address and a port; IPv6 in brackets or not'),
  tag: text('NAME', 'a tag'),
  group: text('NAME', 'a group'),
  autogroup: text('NAME', 'an autogroup'),
  host: text('NAME', 'a host of the policy, or an address, prefix or range'),
  device: text('NAME', 'a device of --devices'),
}

export const usage = 'FILE --user LOGIN | --ip-port IP:PORT | --tag | --group | --autogroup | --host | --device NAME [--devices FILE]'
export const says = `Lists the rules that concern somebody or something, with their lines, postures and routers: a user as a source, an address and port as a
destination, everything else on either side. FILE may be '-'.`
export const options = { ...ASKED, ...DEVICES, ...ANSWERING }
export const exits = { 0: 'there is an answer', 1: 'the service would refuse the policy' }
export const examples = [
  'npx --no tailnet-kit preview policy.hujson --user alice@example.com',
  'npx --no tailnet-kit preview policy.hujson --ip-port 10.0.0.5:443 --devices devices.json',
]

/** The kit's names of the options, where they differ. */
const KINDS = { 'ip-port': 'ipPort' }

export async function run(values, files) {
  const [option, another] = Object.keys(values).filter((name) => Object.hasOwn(ASKED, name))
  if (option === undefined || another !== undefined) throw new Failure(`give one of --${Object.keys(ASKED).join(', --')}`)
  if (option === 'device') expectDevices(values)
  return answered(values, files, {
    ask: (text, context) => policy.preview(text, { [KINDS[option] ?? option]: values[option] }, context),
    lines: linesOf,
  })
}

function linesOf({ user, matches, unknown, unresolved, hint }, { file, context }) {
  const nowhere = unresolved.map((name) => `neither policy nor devices know ${name}${hint ? `: ${hint}` : ''}`)
  const meant = unresolved.length === 0 && hint ? [`hint: ${hint}`] : []
  const lines = matches.map((match) => `${file}:${match.lineNumber}: ${match.users.join(', ')} -> ${match.ports.join(', ')}${needing(match)}`)
  const open = unknown.map(({ section, index, line }) => `${file}:${line}: ${section}[${index}] cannot be decided: ${wanting(context)}`)
  const all = [...nowhere, ...lines, ...open]
  return [...(all.length === 0 ? [`no rule concerns ${user}`] : all), ...meant]
}
