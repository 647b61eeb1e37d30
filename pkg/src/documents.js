// Documents as callers give them, on their way into a wasm file of the policy engine. Must not live here: verbs.

import { invalid, json } from '../../common/arguments.js'
import { buffer } from '../../common/buffer.js'
import { dialectNumber, dialectOf } from '../../common/dialect.js'
import { canonical } from '../../common/layout.js'

/** For each opened document: its text, whether it was given as a text, and the JSON of its context. */
export const opened = new WeakMap()

/** The number of the dialect that options name, else that of a document's context, by its JSON. */
export const dialectBeside = (context, options) => dialectOf(options) || dialectNumber(JSON.parse(context)?.dialect)

/** The ways into one file; `wasm` gives its glue. */
export function documents(wasm, instance) {
  const { fill, fillAll, take } = buffer(wasm, instance)

  /** A document as text; an object is written in canonical layout. */
  function textOf(acl) {
    if (typeof acl === 'string') return acl
    if (typeof acl !== 'object' || acl === null) return invalid('a policy is a text or an object')
    return opened.get(acl)?.text ?? canonical(acl, { fill, take, wasm: wasm() })
  }

  /** All values become JSON before the wasm is called: a `toJSON` among them may call the kit itself. */
  const source = (acl, context) => ({ text: textOf(acl), isText: typeof acl === 'string', context: json(context) })

  return { fill, fillAll, source, textOf }
}
