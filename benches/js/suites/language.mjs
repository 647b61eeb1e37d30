// The language service: each verb at places all over a policy, and in it broken off, as an editor asks while somebody types,
// and how the time grows. Must not live here: the documents.

import { language } from 'tailnet-kit/language'
import { growth } from '../lib/growth.mjs'
import { devices as makeDevices, policy as makePolicy } from '../lib/policies.mjs'
import { quantiles } from '../lib/quantiles.mjs'
import { random } from '../lib/random.mjs'

/** Milliseconds that an answer may take, at p95, in Chromium. */
const AT_MOST = 5
const PLACES = 200

export default ({ quick }) => {
  const lines = quick ? 500 : 5_000
  const whole = ofLines(lines)
  const context = { devices: makeDevices(quick ? 20 : 200) }
  return [
    table(`language, ${whole.split('\n').length.toLocaleString('en')} lines: milliseconds (less is better)`, asked(whole, places(whole), context)),
    table('language, the same broken off at the place', asked(whole, places(whole), context, { broken: true })),
    growth('language, how the time grows', costs, { quick, unread: (text) => text }),
  ]
}

/** A policy of as many lines; about one in ten is no rule. */
function ofLines(lines) {
  const few = makePolicy(100)
  return makePolicy(Math.round((100 + lines - few.split('\n').length) * (20 / 21)))
}

function places(text) {
  const dice = random(17)
  return Array.from({ length: PLACES }, () => dice.below(text.length))
}

const table = (title, rows) => ({ title, unit: 'verb', columns: ['p50', 'p95'], rows })

/** What an editor shows of a text at once. */
const view = (at) => ({ from: at, to: at + 4_000 })

function asked(whole, places, context, { broken = false } = {}) {
  const texts = places.map((place) => (broken ? whole.slice(0, place) : whole))
  const verbs = {
    complete: (text, at) => language.complete(text, at, context),
    hover: (text, at) => language.hover(text, at, context),
    definition: (text, at) => language.definition(text, at),
    references: (text, at) => language.references(text, at),
    renameable: (text, at) => language.renameable(text, at),
    rename,
    selection: (text, at) => language.selection(text, at),
    'tokens of a view': (text, at) => language.tokens(text, view(at)),
    'inlay of a view': (text, at) => language.inlay(text, view(at), context),
    'actions at a place': (text, at) => language.actions(text, { from: at, to: at }, context),
    tokens: (text) => language.tokens(text),
    folding: (text) => language.folding(text),
    symbols: (text) => language.symbols(text),
    inlay: (text) => language.inlay(text, null, context),
    diagnostics: (text) => language.diagnostics(text, context),
  }
  return Object.entries(verbs).map(([input, ask]) => ({ input, measure: () => timed((index) => ask(texts[index], places[index])) }))
}

/** As an editor does: first whether there is anything to rename. */
function rename(text, at) {
  const found = language.renameable(text, at)
  return found && language.rename(text, at, `${found.name}x`)
}

/** Beside the goal for each answer. */
function timed(ask) {
  const { p50, p95 } = quantiles(ask, PLACES)
  return { p50, p95: { ...p95, target: { atMost: AT_MOST } } }
}

/** Somewhere else each time, all over the text. */
let turn = 0
const somewhere = (text) => Math.floor(text.length * ((turn++ * 0.6180339887) % 1))

const at = (verb) => (text) => verb(text, somewhere(text))
const around = (verb, length) => (text) => {
  const from = somewhere(text)
  return verb(text, { from, to: from + length })
}

/** Each verb on a document of about 5,000 lines, and on larger ones. */
const verb = (name, work) => ({ name, size: 4_400, shape: (size) => ({ text: makePolicy(size) }), work })
const costs = [
  verb('complete', at(language.complete)),
  verb('hover', at(language.hover)),
  verb('references', at(language.references)),
  verb('selection', at(language.selection)),
  verb('tokens of a screen', around(language.tokens, 4_000)),
  verb('inlays of a screen', around(language.inlay, 4_000)),
  verb('actions', around(language.actions, 0)),
  verb('folding', (text) => language.folding(text)),
  verb('symbols', (text) => language.symbols(text)),
  verb('diagnostics', (text) => language.diagnostics(text)),
]
