// What a change does, as a list of items, the worst first: each with its sentence, its places in the matrix and its causes. Must not live here: how items
// are drawn, which words conditions have.

import { joined } from '../common/dom.js'
import { causesOf } from './attribution.js'
import { conditions, exposed, finding, named, portsOf, posture, power } from './words.js'

const SIDES = { gains: 'gained', loses: 'lost', undecided: 'undecided' }
const groups = (list, key) => [...Map.groupBy(list, key).values()]
const pointerOf = ({ section, index }) => `/${section}/${index}`

/** An access or a login at one destination, as it is told. */
const reached = (verb, source, reach) => ({
  source,
  destination: reach.destination,
  because: reach.because,
  words: [named(reach.destination), `${portsOf(reach.destination, reach.ports)}${conditions(verb, { ...reach.opens?.[0], ...reach })}`],
})
const CLOSED = ' (the network keeps port 22 closed)'
const loggedIn = (verb, source, login, how = login.action === 'check' ? ' behind a check' : '') => ({
  source,
  destination: login.destination,
  because: login.because,
  login: true,
  words: [named(login.destination), ` ssh as ${login.users.join(', ')}${how}${conditions(verb, login)}${login.network === false ? CLOSED : ''}`],
})

/** Whoever gains everything gains all else with it. */
function shortened(reaches) {
  const all = reaches.find(({ destination, ports, why }) => destination === '*' && ports.includes('*') && !why)
  return all ? [{ ...all, part: undefined }] : reaches
}

/** What one source gains, loses, or may, by access and logins together. */
function effects(verb, { access, ssh }, isMeant = () => true) {
  const side = SIDES[verb]
  const found = new Map()
  const put = (source, list) => list.length > 0 && found.set(source, [...(found.get(source) ?? []), ...list])
  for (const change of access)
    put(
      change.source,
      shortened(change[side].filter(isMeant)).map((reach) => reached(verb, change.source, reach)),
    )
  for (const change of ssh)
    put(
      change.source,
      change[side].filter(isMeant).map((login) => loggedIn(verb, change.source, login)),
    )
  return found
}

/** Logins that both texts allow, and that are treated otherwise. */
function treated(ssh, now, how) {
  const found = new Map()
  for (const { source, checked } of ssh) {
    const list = checked.filter((login) => login.now === now).map((login) => loggedIn(now === 'looser' ? 'gains' : 'loses', source, login, how))
    if (list.length > 0) found.set(source, list)
  }
  return found
}

const told = (chips) => JSON.stringify(chips.map(({ words, because }) => [words, because]))

/** Sources with equal effects share an item. */
function shared(found, facts, kind, verb, side) {
  return groups([...found], ([, chips]) => told(chips)).map((alike) => {
    const sources = alike.map(([source]) => source)
    const chips = alike[0][1]
    const rules = chips.flatMap(({ because }) => because)
    const causes = causesOf(facts, side, [...new Set(rules.map(pointerOf))], [...sources, ...chips.map(({ destination }) => destination)])
    return { kind, verb, sources, chips, causes, rules, side }
  })
}

const LOSES = ['loses', 'lose']
const GAINS = ['gains', 'gain']
/** What may become of what is undecided, by its `may`. */
const MAY = [
  ['lost', 'may lose'],
  [undefined, 'may gain or lose'],
  ['gained', 'may gain'],
]

/** The most who lose the most come first. */
const weight = ({ sources, chips }) => sources.length * chips.length
const heaviest = (items) => items.sort((a, b) => weight(b) - weight(a))

const sentence = (kind, words, more = {}) => ({ kind, sentence: words, causes: [], rules: [], side: 'value', ...more })

function powers(changes, facts, side, of) {
  const all = changes.flatMap(({ who, [of]: list }) => list.map((each) => ({ who, each })))
  return groups(all, ({ each: { kind, what, why, value } }) => JSON.stringify([kind, what, why, value])).map((alike) => {
    const { each } = alike[0]
    const who = alike.map(({ who }) => who)
    const opens = [...new Set((each.opens ?? []).map(({ destination, ports: list }) => `${named(destination)}${portsOf(destination, list)}`))]
    const reach = opens.length > 0 && of === 'gained' ? `, which reaches ${joined(opens, 4)}` : ''
    const may = { gained: 'may now', lost: 'may no longer', undecided: 'may perhaps, or perhaps no longer,' }[of]
    const causes = causesOf(facts, side, [each.pointer], [...who, each.what])
    const kind = { gained: 'warning', lost: 'loss', undecided: 'undecided' }[of]
    return sentence(kind, `${joined(who)} ${may} ${power(each)}${reach}${each.why ? ` (${each.why})` : ''}`, { causes, side })
  })
}

function dangers({ exposed: open, lockedOut, powers: changed }, facts) {
  const locked = lockedOut.map(({ name }) => name)
  const isAll = ({ destination }) => Number(destination === '*')
  const widest = [...open].sort((one, other) => isAll(other) - isAll(one))
  return [
    ...widest.map((one) =>
      sentence('danger', exposed(one), { causes: causesOf(facts, 'value', one.because.map(pointerOf), [one.destination]), rules: one.because, whole: true }),
    ),
    ...(locked.length > 0 ? [sentence('danger', `${joined(locked)} ${locked.length === 1 ? 'has' : 'have'} no access left.`, { whole: true })] : []),
    ...powers(changed, facts, 'value', 'gained'),
  ]
}

function network({ networkLogins }) {
  return groups(networkLogins, ({ destination, users, isOpen, may }) => JSON.stringify([destination, users, isOpen, may])).map((alike) => {
    const [{ destination, users, isOpen, may }] = alike
    const who = joined(alike.map(({ source, part }) => (part ? `${source} (from ${part.from.join(', ')})` : source)))
    const words = may ? `perhaps ${isOpen ? 'open' : 'closed'} now` : isOpen ? 'now open' : 'now closed'
    const kind = may ? 'undecided' : isOpen ? 'gain' : 'loss'
    return sentence(kind, `SSH from ${who} to ${destination} as ${users.join(', ')}: port 22 is ${words} in the network`)
  })
}

/** Devices that are let in or kept out, or change hands, whatever the rules say. */
function devices(review) {
  const turn = (kind, words) => sentence(kind, words, { whole: true })
  return review.devices.flatMap(({ device, before, after }) => {
    const lines = []
    if (before.authorized !== after.authorized)
      lines.push(
        after.authorized
          ? turn('gain', `${device} is authorized now, without which nothing from it or to it arrived.`)
          : turn('loss', `${device} is no longer authorized: nothing from it or to it arrives.`),
      )
    if (before.blocksIncomingConnections !== after.blocksIncomingConnections)
      lines.push(
        after.blocksIncomingConnections
          ? turn('loss', `${device} takes in no connections any more: its shields are up.`)
          : turn('gain', `${device} no longer refuses all connections: its shields are down.`),
      )
    if (before.expires !== after.expires) lines.push(turn('note', `The key of ${device} expires ${expiry(after)}, before ${expiry(before)}.`))
    if (before.user !== after.user) lines.push(turn('note', `${device} belongs to ${after.user} now, before to ${before.user}.`))
    return lines
  })
}

const expiry = ({ expires }) => expires ?? 'never'

function notes({ orphaned, renamed, postures, tests, issues }) {
  const gone = orphaned.map(({ name }) => name)
  return [
    ...(gone.length > 0 ? [sentence('note', `Nobody reaches ${joined(gone)} any more.`, { whole: true })] : []),
    ...renamed.map(({ from, to }) => sentence('note', `${from} looks renamed to ${to}; devices keep the old tag.`, { whole: true })),
    ...postures.map((one) => sentence('note', posture(one), { whole: true })),
    ...tests.removed.map(({ src }) => sentence('note', `A test of ${src} is gone.`, { whole: true })),
    ...tests.changed.map(({ src, noLonger }) => sentence('note', `${src} is no longer tested against ${joined(noLonger)}.`, { whole: true })),
    ...groups(issues, ({ code, message }) => `${code} ${message}`).map((alike) => {
      const places = alike.map(({ line }) => ({ line, text: 'value' }))
      return sentence('note', finding(alike[0]), { whole: true, places })
    }),
  ]
}

/** All items of a change, the worst first. */
export function itemsOf(facts) {
  const { review } = facts
  const later = review.conditions
  const both = { access: [...review.access, ...later.access], ssh: [...review.ssh, ...later.ssh] }
  const item = (found, kind, verb, side) => heaviest(shared(found, facts, kind, verb, side))
  return [
    ...dangers(review, facts),
    ...item(effects('loses', both), 'loss', LOSES, 'base'),
    ...[...network(review), ...devices(review)].filter(({ kind }) => kind === 'loss'),
    ...item(treated(both.ssh, 'tighter', ', now behind a check or a stricter one'), 'loss', ['keeps', 'keep'], 'value'),
    ...powers(review.powers, facts, 'base', 'lost'),
    ...MAY.flatMap(([may, verb]) => {
      const found = effects('undecided', both, (one) => one.may === may)
      return item(found, 'undecided', [verb, verb], 'value')
    }),
    ...powers(review.powers, facts, 'value', 'undecided'),
    ...item(effects('gains', both), 'gain', GAINS, 'value'),
    ...[...network(review), ...devices(review)].filter(({ kind }) => kind === 'gain'),
    ...item(treated(both.ssh, 'looser', ', no longer behind a check or behind a looser one'), 'gain', ['keeps', 'keep'], 'value'),
    ...devices(review).filter(({ kind }) => kind === 'note'),
    ...notes(review),
  ]
}

/** How many gain and lose, in a sentence. */
export function summary({ review }, number) {
  if (review.unchanged) return 'No effective change: only comments or layout differ.'
  const all = [...review.access, ...review.conditions.access, ...review.ssh, ...review.conditions.ssh]
  const count = (side) => new Set(all.filter((change) => change[side].length > 0).map(({ source }) => source)).size
  const said = (side, [one, many]) => `${count(side) === 0 ? 'nobody' : number(count(side))} ${count(side) > 1 ? many : one}`
  const undecided = count('undecided')
  const turned = review.devices.length
  const others = turned === 0 ? [] : [`${number(turned)} ${turned === 1 ? 'device takes' : 'devices take'} part otherwise`]
  const people = count('lost') + count('gained') === 0 ? 'Nobody gains or loses access' : `${said('lost', LOSES)} access, ${said('gained', GAINS)}`
  // What arrives at a device that is kept out is lost, though no rule says so.
  const words = [...(turned > 0 && count('lost') + count('gained') === 0 ? [] : [people]), ...others].join(', ')
  const checked = new Set([...review.ssh, ...review.conditions.ssh].filter(({ checked }) => checked.length > 0).map(({ source }) => source)).size
  const checks = checked > 0 ? `, ${number(checked)} ${checked > 1 ? 'log' : 'logs'} in with another check` : ''
  const more = review.powers.filter(({ gained }) => gained.length > 0).length
  const powers = more > 0 ? `, ${number(more)} ${more > 1 ? 'gain' : 'gains'} powers` : ''
  const text = `${words}${checks}${powers}${undecided > 0 ? `, ${number(undecided)} undecided` : ''}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}
