// The language service: what an editor asks while somebody types, and how the time grows. Must not live here: the documents.

import { language } from 'tailnet-kit/language'
import { growth } from '../lib/growth.mjs'
import { policy as makePolicy } from '../lib/policies.mjs'

export default ({ quick }) => [growth('language service, how the time grows', costs, { quick, unread: (text) => text })]

/** Somewhere else each time, all over the text. */
let asked = 0
const somewhere = (text) => Math.floor(text.length * ((asked++ * 0.6180339887) % 1))

const at = (verb) => (text) => verb(text, somewhere(text))
const around = (verb, length) => (text) => {
  const from = somewhere(text)
  return verb(text, { from, to: from + length })
}

/** Each verb on a document of about 5,000 lines; those that a key waits for have 5 ms. */
const verb = (name, work, ms) => ({ name, size: 4_400, goal: ms && { ms }, shape: (size) => ({ text: makePolicy(size) }), work })
const costs = [
  verb('complete', at(language.complete), 5),
  verb('hover', at(language.hover), 5),
  verb('references', at(language.references), 5),
  verb('selection', at(language.selection), 5),
  verb('tokens of a screen', around(language.tokens, 4_000), 5),
  verb('inlays of a screen', around(language.inlay, 4_000)),
  verb('actions', around(language.actions, 0), 5),
  verb('folding', (text) => language.folding(text)),
  verb('symbols', (text) => language.symbols(text)),
  verb('diagnostics', (text) => language.diagnostics(text)),
]
