// The verbs of the namespace `policy` that most pages need, by the smaller file of the policy engine. Must not live here: any judgement of a
// policy, edits, verbs of all that can be asked (`answers.js`).

import { invalid, json } from '../../common/arguments.js'
import { instance, wasm } from './check.wasm.js'
import { dialectBeside, documents } from './documents.js'

const { call } = instance
const { fill, fillAll, source } = documents(() => wasm, instance)

/** The verbs of one document. Texts and contexts are passed through the buffer, by their lengths there, which is several times as fast. */
export const verbs = {
  check: ({ text, context }) => wasm.policy_check(...fillAll(text, context)),
  preview({ text, isText, context }, query) {
    const asked = json(query)
    return wasm.policy_preview(...fillAll(text, context), isText, asked)
  },
  explain({ text, context }, flow) {
    const asked = json(flow)
    return wasm.policy_explain(...fillAll(text, context), asked, new Date().toISOString())
  },
  runTests: ({ text, context }) => wasm.policy_run_tests(...fillAll(text, context)),
  toJSON({ text, context }, options) {
    const dialect = dialectBeside(context, options)
    return anObject(JSON.parse(wasm.policy_to_json(fill(text), dialect)))
  },
}

/** A parsed document, which must be an object: a list or a number is HuJSON, but not a policy. */
const anObject = (parsed) => (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : invalid('a policy must be an object'))

/** A verb of a document as a function of a text and a context. */
const direct = (name) => call((acl, context) => verbs[name](source(acl, context)))

export const check = direct('check')
export const preview = call((acl, query, context) => verbs.preview(source(acl, context), query))
export const explain = call((acl, flow, context) => verbs.explain(source(acl, context), flow))
export const runTests = direct('runTests')
export const toJSON = call((acl, options) => verbs.toJSON(source(acl), options))
