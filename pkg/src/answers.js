// The verbs of the namespace `policy` for devices, for everybody at once, and for two documents, by the larger file of the policy engine. Must
// not live here: any judgement of a policy, edits.

import { invalid, json, only, optionalJSON } from '../../common/arguments.js'
import { dialectNumber } from '../../common/dialect.js'
import { dialectBeside, documents, opened } from './documents.js'
import { instance, wasm } from './policy.wasm.js'

const { call } = instance
const { fillAll, source, textOf } = documents(() => wasm, instance)

/** The verbs of one document. */
export const verbs = {
  filters: ({ text, context }) => filtered(JSON.parse(wasm.policy_filters(...fillAll(text, context)))),
  ssh: ({ text, context }) => ruled(JSON.parse(wasm.policy_ssh(...fillAll(text, context)))),
  nodeAttrs: ({ text, context }) => JSON.parse(wasm.policy_node_attrs(...fillAll(text, context))),
  visiblePeers: ({ text, context }) => seen(JSON.parse(wasm.policy_visible_peers(...fillAll(text, context)))),
  approvedRoutes: ({ text, context }) => JSON.parse(wasm.policy_approved_routes(...fillAll(text, context))),
  access: (asking, options) => unpacked(JSON.parse(wasm.policy_access(...beside(asking, options)))),
  logins: (asking, options) => JSON.parse(wasm.policy_logins(...beside(asking, options))),
  diffAccess: (asking, after, options) => changed(JSON.parse(wasm.policy_diff_access(...both(asking, after, only(['after'], options))))),
  diffSsh: (asking, after, options) => JSON.parse(wasm.policy_diff_ssh(...both(asking, after, only(['after'], options)))),
  powers: ({ text, context }) => empowered(JSON.parse(wasm.policy_powers(...fillAll(text, context))), (powers) => powers),
  diffPowers(asking, after, options) {
    const packed = JSON.parse(wasm.policy_diff_powers(...both(asking, after, only(['after'], options))))
    return empowered(packed, (changes) => changes.flatMap(({ gained, lost, undecided }) => [...gained, ...lost, ...undecided]))
  },
  prove({ text, context }, assertions, options) {
    const { guard, isFile, bases } = guarded(assertions, only(['bases'], options))
    return JSON.parse(wasm.policy_prove(...fillAll(text, context), guard ?? 'null', isFile, bases))
  },
  diff({ text, context }, after, options) {
    const dialects = [context, opened.get(after)?.context ?? context].map((own) => dialectBeside(own, options))
    return wasm.policy_diff(...fillAll(text, textOf(after)), ...dialects)
  },
  translate({ text, context }, options) {
    const { to, logins } = Object(only(['to', 'logins'], options))
    const there = dialectNumber(to) || invalid('`to` is the dialect of the other text')
    const names = json(logins ?? {})
    return JSON.parse(wasm.policy_translate(...fillAll(text, context), there, names))
  },
  review(asking, after, options) {
    const { guard, isFile, bases } = guarded(Object(options).guard, only(['guard', 'bases', 'after'], options))
    const [access, review] = JSON.parse(wasm.policy_review(...both(asking, after, options), guard, isFile, bases))
    review.access = changed(access)
    return review
  },
}

/** The lengths of two documents in the buffer, each with its context behind it; that of the second is empty where it is the same. */
function both({ text, context }, after, options) {
  const [before, later] = contexts(context, after, options)
  return fillAll(text, before, textOf(after), later === before ? '' : later)
}

/** The lengths of a document, of its context and of the one in `base`, or 0 without that; and the JSON of the other options. */
function beside({ text, context }, options) {
  const { base } = Object(options)
  const rest = json(base === undefined ? options : { ...options, base: undefined })
  // An empty text is a fault of the caller's, and not the absence of one.
  return [...fillAll(text, context, base === undefined ? '' : textOf(base) || ' '), rest]
}

/**
 * The JSON of the networks before and after a change. The later one is that of the option `after`, else the one that an opened document was
 * given, else the one before. What only one of them says is so in both: read as unknown, or as none, a list that is left out would take
 * everything from everybody. Only an opened document is in the dialect in which it was opened.
 */
function contexts(context, after, options) {
  const given = Object(options).after
  const own = given === undefined ? (opened.get(after)?.context ?? 'null') : json(given)
  if (own === 'null' || own === context) return [context, context]
  if (!own.startsWith('{') || !/^[{n]/.test(context)) return [context, own]
  const said = (text) => Object.fromEntries(Object.entries(JSON.parse(text) ?? {}).filter(([, value]) => value !== null))
  const [before, later] = [said(context), said(own)]
  const dialect = given === undefined ? undefined : before.dialect
  return [
    { ...later, dialect: undefined, ...before },
    { ...before, dialect, ...later },
  ].map((known) => JSON.stringify(known))
}

/** Assertions, which may be the text of a file, and the policies that they name, in the form that the wasm takes. */
function guarded(assertions, options) {
  const isFile = typeof assertions === 'string'
  const bases = Object.entries(Object(Object(options).bases)).map(([name, acl]) => [name, textOf(acl)])
  return { guard: isFile ? assertions : optionalJSON(assertions ?? undefined), isFile, bases: json(Object.fromEntries(bases)) }
}

/** A matrix from its packed form, which has each opening, rule, part and reason once, and a cell as a run of numbers. Cells share these objects. */
function unpacked({ by, parties: [sources, destinations], open, rules, wider, parts, why, cells, unknown, changes }) {
  const optional = Object.entries({ wider, part: parts, why })
  function listed(numbers) {
    const list = []
    for (let at = 0; at < numbers.length; ) {
      const end = at + 7 + numbers[at + 6]
      const because = []
      for (let rule = at + 7; rule < end; rule++) because.push(rules[numbers[rule]])
      const cell = { source: numbers[at], destination: numbers[at + 1], ...open[numbers[at + 2]], because }
      optional.forEach(([name, values], place) => {
        const value = numbers[at + 3 + place]
        if (value > 0) cell[name] = values[value - 1]
      })
      list.push(cell)
      at = end
    }
    return list
  }
  const names = (parties) => parties.map((party) => party.name)
  const parties = { sources, destinations }
  const matrix = { by, sources: names(sources), destinations: names(destinations), parties, cells: listed(cells), unknown: listed(unknown) }
  if (changes) matrix.changes = differences(changes)
  return matrix
}

/** What changes in cells: what changes in any, and of each cell its row, its column and the index of that. Cells share these lists. */
function differences([told, numbers]) {
  const list = []
  for (let at = 0; at < numbers.length; at += 3) list.push({ source: numbers[at], destination: numbers[at + 1], ...told[numbers[at + 2]] })
  return list
}

/**
 * What sources gain and lose from its packed form, which has each list of destinations once: of a source, the index of its list, and its own
 * place there, as no source gains or loses itself. Sources share these lists.
 */
function changed({ reaches, changes }) {
  const listed = ([list, own]) => (own === null ? reaches[list] : reaches[list].filter((_, place) => place !== own))
  for (const change of changes) {
    change.gained = listed(change.gained)
    change.lost = listed(change.lost)
    change.undecided = listed(change.undecided)
  }
  return changes
}

/** Powers, or changes with powers, from their packed form, which has each list of what a tag reaches once. Powers share these lists. */
function empowered({ reaches, items, opens }, powersOf) {
  for (const [at, power] of powersOf(items).entries()) if (opens[at] !== null) power.opens = reaches[opens[at]]
  return items
}

/** Peers from their packed form, which has each device's peers as indexes into the list of ids. */
function seen({ ids, devices }) {
  for (const id of Object.keys(devices)) devices[id] = devices[id].map((place) => ids[place])
  return devices
}

/**
 * SSH rules from their packed form: each rule once, a part as the start and end of its rules, a list as its parts, a device as the index
 * of its list. Rules share their lists of sources and users, and devices that receive the same rules share one list.
 */
function ruled({ sources, users, env, rules, parts, lists, devices }) {
  for (const rule of rules) {
    rule.from = sources[rule.from]
    rule.users = users[rule.users]
    if (rule.acceptEnv !== undefined) rule.acceptEnv = env[rule.acceptEnv]
  }
  const whole = lists.map((list) => list.flatMap((part) => rules.slice(...parts[part])))
  for (const id of Object.keys(devices)) devices[id] = whole[devices[id]]
  return devices
}

/** Packet filters from their packed form, which has each list of sources once. Rules share these lists. */
function filtered({ sources, devices }) {
  for (const rules of Object.values(devices)) for (const rule of rules) rule.src = sources[rule.src]
  return devices
}

/** A verb of a document as a function of a text and a context. */
const direct = (name) => call((acl, context) => verbs[name](source(acl, context)))

export const filters = direct('filters')
export const ssh = direct('ssh')
export const nodeAttrs = direct('nodeAttrs')
export const visiblePeers = direct('visiblePeers')
export const approvedRoutes = direct('approvedRoutes')
export const access = call((acl, context, options) => verbs.access(source(acl, context), options))
export const logins = call((acl, context, options) => verbs.logins(source(acl, context), options))
export const diffAccess = call((before, after, context, options) => verbs.diffAccess(source(before, context), after, options))
export const diffSsh = call((before, after, context, options) => verbs.diffSsh(source(before, context), after, options))
export const powers = direct('powers')
export const diffPowers = call((before, after, context, options) => verbs.diffPowers(source(before, context), after, options))
export const prove = call((acl, assertions, context, options) => verbs.prove(source(acl, context), assertions, options))
export const repair = call((acl, flow, context) => {
  const asked = json(flow)
  const { text, context: known } = source(acl, context)
  return JSON.parse(wasm.policy_repair(...fillAll(text, known), asked, new Date().toISOString()))
})
export const diff = call((before, after, options) => verbs.diff(source(before), after, options))
export const review = call((before, after, context, options) => verbs.review(source(before, context), after, options))
export const translate = call((acl, context, options) => verbs.translate(source(acl, context), options))
