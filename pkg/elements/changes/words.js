// The words of what somebody gains and loses. Must not live here: elements of the page, the order of items.

import { joined } from '../common/dom.js'

const NOT_ALL = { gains: ', no longer only', loses: ', now only', undecided: ', but not' }
const AT_MOST = { gains: ', before at most', loses: ', now at most' }

/** Some of a whole: "all but" says itself that it is not all. */
const some = (names, word = '') => `${names[0]?.startsWith('all but ') ? '' : 'only '}${word}${joined(names)}`

/** On what condition something is gained or lost, which part of it is meant, why it is undecided, and why nobody can use it now. */
export function conditions(verb, { postures, via, unless, part, why, today }) {
  const one = (of) => (of?.postures ? ` with ${of.postures.join(' or ')}` : '') + (of?.via ? ` through ${of.via.join(' or ')}` : '')
  const enough = ({ postures, via, both = [] }) => [{ postures }, { via }, ...both].map(one).filter(Boolean).join(' or')
  const parts = (part?.from ? ` (${some(part.from, 'from ')})` : '') + (part?.to ? ` (${some(part.to)})` : '')
  const others = (unless?.perhaps ? AT_MOST : NOT_ALL)[verb]
  return `${one({ postures, via })}${unless ? others + enough(unless) : ''}${parts}${why ? ` (${why})` : ''}${today ? ` (nobody today: ${today})` : ''}`
}

/** Ports in words. */
export const ports = (list) => (list.length === 0 || list.includes('*') ? 'all ports' : list.join(', '))

export const named = (name) => (name === '*' ? 'everything' : name)

/** Ports behind the name of a destination. */
export const portsOf = (name, list) => `${name === '*' ? ',' : ''} ${ports(list)}`

const AUDIENCES = { everybody: 'everyone in the tailnet', outsiders: 'people outside the tailnet', anyone: 'any address' }

/** What is newly open to many, as a sentence. */
export function exposed({ destination, to, opens, part, today }) {
  const all = opens.some(({ ports, proto }) => ports === '*' && proto === 'tcp')
  const list = [...new Set(opens.filter(({ proto }) => proto !== 'ping').map(({ ports, proto }) => (ports === '*' ? `all of ${proto}` : ports)))]
  const what = all ? 'every port' : list.length === 0 ? 'ping' : `${/^\d+$/.test(list.join()) ? 'port' : 'ports'} ${list.join(', ')}`
  const only = part?.to ? ` (${some(part.to)})` : ''
  return `Opens ${what} of ${destination === '*' ? 'every machine' : destination} to ${AUDIENCES[to]}${only}${today ? ` (nobody today: ${today})` : ''}.`
}

const POWERS = {
  tag: ({ what }) => `put ${what} on a device`,
  route: ({ what }) => `have the route ${what} approved at once`,
  'exit-node': () => 'be an exit node without approval',
  service: ({ what }) => `have ${what} approved at once`,
  attribute: ({ what }) => `use the attribute ${what}`,
  capability: ({ what, value }) => `use ${what}${value?.on ? ` at ${[value.on].flat().join(', ')}` : ''}`,
  recorder: ({ what }) => `record the SSH sessions of ${what}`,
}

/** What somebody may do, after "may". */
export const power = (of) => POWERS[of.kind](of)

const POSTURES = {
  same: 'is written otherwise',
  other: 'is defined otherwise',
  looser: 'is looser: more devices meet it',
  tighter: 'is tighter: fewer devices meet it',
}

export const posture = ({ name, now }) => `${name} ${POSTURES[now]}.`

const VERBS = { changed: 'changed', added: 'is new', removed: 'was removed' }
const PLURAL = { changed: 'changed', added: 'are new', removed: 'were removed' }

/** Places of one kind after "because": the words around their lines. */
export const cause = (kind, count) => (count === 1 ? ['line ', ` ${VERBS[kind]}`] : ['lines ', ` ${PLURAL[kind]}`])

const WANTED = /^address "(.*)": want: (Accept|Drop), got: (?:Accept|Drop)$/

/** A new finding in words; of tests that fail what they ask for, where the service's words say it. */
export function finding({ severity, code, message }) {
  const wants = code === 'test_failed' ? message.split('; ').map((part) => WANTED.exec(part)) : [null]
  if (wants.includes(null)) return `New ${severity}: ${message}`
  const of = (outcome) => wants.filter(([, , wanted]) => wanted === outcome).map(([, address]) => address)
  const must = (addresses, words) => (addresses.length > 0 ? [`${joined(addresses)} ${words}`] : [])
  return `A test fails: ${[...must(of('Accept'), 'must be reached, and no longer can be'), ...must(of('Drop'), 'must not be reached, and now can be')].join('; ')}`
}
