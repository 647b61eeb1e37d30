// `tailnet-kit explain`: whether one flow is allowed, and why. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { ANSWERING, DEVICES, flag, text, texts } from '../arguments.js'
import { answered } from '../answer.js'
import { Failure } from '../failure.js'

export const usage = 'FILE --from WHO --to HOST:PORT [--proto NAME] [--user ACCOUNT] [--posture NAME=VALUE]... [--devices FILE] [--exit-code]'
export const says = `Says whether a flow is allowed, or which part of it, by which rules, or what is missing, who receives it, and
whether it arrives. With --user: whether a login by SSH as this account is allowed, to a HOST without port. WHO and HOST are users, tags,
groups, autogroups, hosts of the policy, devices of --devices or addresses. FILE may be '-'.`
export const options = {
  from: text('WHO', 'the source'),
  to: text('HOST:PORT', 'the destination, with one port; IPv6 in brackets; a ping and a login have no port'),
  proto: text('NAME', 'name or number of the IP protocol, or ping; tcp by default'),
  user: text('ACCOUNT', 'a login by SSH as this account'),
  posture: texts('NAME=VALUE', 'a posture attribute of the source; it then has no others'),
  'exit-code': flag('an exit code that says the verdict'),
  ...DEVICES,
  ...ANSWERING,
}
export const exits = {
  0: 'there is an answer, allowed or not; with --exit-code: allowed',
  1: 'the service would refuse the policy; with --exit-code also: denied',
  2: 'wrong usage, or a file that cannot be read; with --exit-code also: allowed in part',
  3: 'with --exit-code: undecided',
}
export const examples = [
  'npx --no tailnet-kit explain policy.hujson --from alice@example.com --to tag:web --user root',
  'npx --no tailnet-kit explain policy.hujson --from laptop --to 10.0.0.5:53 --proto udp --devices devices.json --exit-code',
]

const CODES = { allowed: 0, denied: 1, partly: 2, unknown: 3 }

export async function run(values, files) {
  for (const name of ['from', 'to']) if (values[name] === undefined) throw new Failure(`--${name} is missing; see --help`)
  const { from, to, proto, user, posture } = values
  const given = Object.entries({ proto, user }).filter(([, value]) => value !== undefined)
  const flow = { from, to, ...Object.fromEntries(given), ...(posture && { srcPostureAttrs: attributesOf(posture) }) }
  return answered(values, files, {
    ask: (text, context) => policy.explain(text, flow, context),
    lines: (answer, { file }) => linesOf(answer, file),
    code: ({ verdict }) => (values['exit-code'] ? CODES[verdict] : 0),
  })
}

/** The attributes given: numbers and booleans are written as in JSON, all else is text. */
function attributesOf(given) {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new Failure(`--posture takes NAME=VALUE, not \`${pair}\``)
      const value = pair.slice(at + 1)
      return [pair.slice(0, at), /^(true|false|-?\d+(\.\d+)?)$/.test(value) ? JSON.parse(value) : value]
    }),
  )
}

function linesOf(answer, file) {
  const { verdict, part, action, because, nearMisses, unresolved, hint, postures, delivered, arrives, hindrance, sourceHasNoDevice } = answer
  const place = ({ section, index, line }) => `${file}:${line}: ${section}[${index}]`
  const said = verdict === 'unknown' ? 'undecided' : verdict
  const passes = verdict === 'allowed' || verdict === 'partly'
  return [
    action === 'check' ? `${said}, after a check` : said,
    ...(part?.from ? [`only from ${part.from.join(', ')}`] : []),
    ...(part?.to ? [`only to ${part.to.join(', ')}`] : []),
    ...because.map((rule) => `${place(rule)} allows it`),
    ...nearMisses.map(({ rule, why }) => `${place(rule)} misses: ${why}`),
    ...(postures ? [`the source needs one of these postures: ${postures.join(', ')}`] : []),
    ...unresolved.map((name) => (hasMembers(name) ? `who is in ${name} is not known` : `neither policy nor devices know ${name}`)),
    ...(hint ? [`hint: ${hint}`] : []),
    ...delivered.map((delivery) => deliveryLine(delivery, passes && arrives !== false)),
    ...(passes && arrives === false ? ['it does not arrive now'] : []),
    ...(hindrance ? [`in the way: ${hindrance}`] : []),
    ...(sourceHasNoDevice ? ['the source has no device'] : []),
  ]
}

/** Whether it is a role or a synced group, of which only the members are not known. */
const hasMembers = (name) => /^autogroup:(owner|auditor|([a-z]+-)?admin)$|^group:.*@/.test(name)

/** Where the packets end. Where they do not pass, it must not read as if they had. */
function deliveryLine({ kind, device, route, why }, passes) {
  if (kind === 'nobody') return `nobody ${passes ? 'receives' : 'would receive'} it: ${why}`
  if (kind === 'unknown') return `who ${passes ? 'receives' : 'would receive'} it is not known: ${why}`
  return `${passes ? 'received' : 'would be received'} by ${device.name}${route ? ` for ${route}` : ''}`
}
