// What makes a review fail, by the words of `--fail-on`: kinds of findings, and names that they must be about. Must not live here: findings, arguments.
import { overlap, rangesOf, setsOf, without } from './addresses.js'
import { Failure } from './failure.js'

/** What makes a review fail, and which of it may be of a name. */
const KINDS = ['gained', 'lost', 'undecided', 'powers', 'lockout', 'orphaned', 'exposed', 'posture-looser', 'tests-removed', 'guard', 'guard-changed']
const NAMED = ['gained', 'lost', 'undecided', 'powers']

/** The words, each as its kind and perhaps a name. Throws a Failure for others. */
const wordsOf = (words) =>
  words
    .split(',')
    .filter((word) => word !== '')
    .map((word) => {
      const [kind] = word.split(':', 1)
      if (!KINDS.includes(kind) || (word !== kind && !NAMED.includes(kind)))
        throw new Failure(`--fail-on takes ${KINDS.map((kind) => (NAMED.includes(kind) ? `${kind}:X` : kind)).join(', ')}, not \`${word}\``)
      return { kind, name: word === kind ? undefined : word.slice(kind.length + 1) }
    })

/**
 * Reads what makes a review fail, from `gained:X,lost:X,powers:X,lockout,…`; returns a test of a finding's kind and of the entry that it is
 * about. X is a power or a destination, or what such a destination has: one of its devices with their tags and users, the group of a user, an
 * address; `*` in it stands for any text. `policies` are objects as `policy.toJSON` gives them, `contexts` what is known of devices, each before
 * and after. Throws a Failure for other words.
 */
export function failing(words, { policies = [], contexts = [] } = {}) {
  const wanted = wordsOf(words)
  const known = knownOf(policies, contexts)
  // Who must keep the guard must not pass by taking out what does not hold.
  const isOf = (kind, one) => one.kind === kind || (kind === 'guard-changed' && one.kind === 'guard')
  return (kind, entry) => wanted.some((one) => isOf(kind, one) && (one.name === undefined || isAbout(one.name, entry, known)))
}

/** The names of `--fail-on` that are those of nothing in the policies and contexts: nothing is ever reported of them. */
export function unknownIn(words, { policies = [], contexts = [] }) {
  const known = new Set(['*', 'exit-node', ...policies.flatMap(textsIn), ...contexts.flatMap(textsIn)].flatMap(namesIn))
  const names = wordsOf(words).flatMap(({ name }) => (name === undefined || name.includes('*') || rangesOf(name).length > 0 ? [] : [name]))
  return names.filter((name) => !known.has(name))
}

/** Every text in a value, and every key. */
function textsIn(value) {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flatMap(([key, own]) => [key, ...textsIn(own)])
}

/** The names in a text: of `add host:nas`, `tag:db:22`, and of the full name of a device the first label. */
function namesIn(text) {
  const operand = text.replace(/^(add|remove)\s+/, '').replace(/^host:/, '')
  return [text, operand, operand.replace(/:[\d*,-]+$/, ''), text.split('.', 1)[0]]
}

/** What a name may mean: sets of addresses, groups by member, devices; of two policies and networks both. */
function knownOf(policies, contexts) {
  const [sets, groups] = [new Map(), new Map()]
  const add = (map, key, own) => map.set(key, [...(map.get(key) ?? []), ...own])
  for (const [name, ranges] of policies.flatMap((policy) => [...setsOf(policy)])) add(sets, name, ranges)
  for (const [name, members] of [...policies, ...contexts].flatMap((one) => Object.entries(one?.groups ?? {})))
    for (const login of members) add(groups, login, [name])
  return { sets, groups, devices: contexts.flatMap((context) => context?.devices ?? []) }
}

/** The ranges of a name. */
const named = (name, { sets }) => sets.get(name) ?? rangesOf(name)

/** The names that a device is shown by. */
function idsOf({ id, name, hostname }) {
  const shown = name?.split('.', 1)[0] || hostname
  return [id, name, hostname, shown, `${shown} (${id})`]
}

/** The names of a device: those that it is shown by, its tags, its user and the user's groups. */
function namesOfDevice(device, { groups }) {
  const { tags = [], user } = device
  const own = [...idsOf(device), ...tags, ...(tags.length === 0 ? [user, ...(groups.get(user) ?? [])] : [])]
  return own.filter((one) => one !== undefined)
}

/** Whether an entry is about a name. A source that reaches `*` reaches every name but those that are taken out of it. */
function isAbout(name, entry, known) {
  const pattern = new RegExp(`^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('\\*', '.*')}$`, 's')
  const { names, isAny = false } = entry
  const own = [...names, ...names.flatMap((login) => known.groups.get(login) ?? [])]
  if ((isAny && !isLeftOut(name, entry, known)) || own.some((one) => pattern.test(one))) return true
  const ranges = rangesIn(entry, known)
  const devices = known.devices.filter((device) => isMeant(device, entry, ranges, known))
  if (devices.some((device) => namesOfDevice(device, known).some((one) => pattern.test(one)))) return true
  const addresses = devices.flatMap(({ addresses = [] }) => addresses.flatMap((address) => ofFamily(rangesOf(address), entry)))
  return overlap(named(name, known), [...ranges, ...addresses])
}

/** Whether a name is among those that are taken out of everything: itself, a device by one of its names, or by all of its addresses. */
function isLeftOut(name, entry, known) {
  const { except = [] } = entry
  const devices = known.devices.filter((device) => idsOf(device).includes(name)).map((device) => namesOfDevice(device, known))
  const ranges = named(name, known)
  const rest = without(
    ofFamily(ranges, entry),
    except.flatMap((one) => named(one, known)),
  )
  return (
    except.includes(name) || (devices.length > 0 && devices.every((own) => own.some((one) => except.includes(one)))) || (ranges.length > 0 && rest.length === 0)
  )
}

/** The addresses that an entry is about. */
function rangesIn({ within = [], except = [] }, known) {
  const ranges = (names) => names.flatMap((name) => named(name, known))
  return without(ranges(within), ranges(except))
}

/** Whether an entry is about a device: by its id, as one of those that a destination has, or by an address. */
function isMeant(device, entry, ranges, known) {
  const { within = [], except = [] } = entry
  const own = namesOfDevice(device, known)
  if (own.some((name) => except.includes(name))) return false
  if (device.id === entry.device || own.some((name) => within.includes(name))) return true
  return overlap(ranges, (device.addresses ?? []).flatMap(rangesOf))
}

const ofFamily = (ranges, { family }) => ranges.filter(({ version }) => family === undefined || version === family)
