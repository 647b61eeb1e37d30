// `policy.open`: a document with all the verbs. Must not live here: verbs.

import { json } from '../../common/arguments.js'
import * as answers from './answers.js'
import { instance as larger } from './policy.wasm.js'
import { instance, wasm } from './check.wasm.js'
import { documents, opened } from './documents.js'
import * as first from './verbs.js'

const { call } = instance
const { source } = documents(() => wasm, instance)

/** A frozen copy of the context, from its JSON. */
const frozen = (context) => JSON.parse(context, (_, value) => Object.freeze(value)) ?? Object.freeze({})

/** The verbs of a file, without the arguments text and context. */
const bound = (verbs, file, asking) => Object.entries(verbs).map(([name, verb]) => [name, file.call((...args) => verb(asking, ...args))])

/** The document as its user sees it. */
function document(asking) {
  const { text, isText, context } = asking
  const verbs = Object.fromEntries([...bound(first.verbs, instance, asking), ...bound(answers.verbs, larger, asking)])
  const changed = call((change) => {
    const { acl, context: other } = Object(change)
    const next = acl === undefined ? { text, isText } : source(acl)
    return document({ ...next, context: other === undefined ? context : json(other) })
  })
  const made = Object.freeze({ text, context: frozen(context), ...verbs, with: changed })
  opened.set(made, asking)
  return made
}

export const open = call((acl, context) => document(source(acl, context)))
