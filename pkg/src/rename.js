// `policy.edit.rename`, by the policy engine, which knows what may stand where; a file of its own, so that other edits do without it. Must not
// live here: how a text changes.

import { invalid } from '../../common/arguments.js'
import { dialectOf } from '../../common/dialect.js'
import { instance, wasm } from './policy.wasm.js'

const string = (text, fault) => (typeof text === 'string' ? text : invalid(fault))

export const rename = instance.call((text, from, to, options) => {
  const names = [from, to].map((name) => string(name, 'a name is a text'))
  return wasm.policy_rename(string(text, 'an edit takes a text'), ...names, dialectOf(options))
})
