// The namespace `policy.edit`. Must not live here: how a text changes, any judgement of a policy.

import { invalid, json } from '../../common/arguments.js'
import { buffer } from '../../common/buffer.js'
import { dialectOf } from '../../common/dialect.js'
import { instance, wasm } from './edit.wasm.js'

const { call } = instance
const { fill, fillAll, take } = buffer(() => wasm, instance)

/** Edits keep comments, which only a text has. */
const only = (text) => (typeof text === 'string' ? text : invalid('an edit takes a text'))

/** The values as a JSON list. Each is written by itself, so that the error about one that is not plain data names it. */
const list = (values) => `[${values.map(json)}]`

/** A verb with so many arguments after the text, and options; `value` is the index of an argument that must be there. */
const edit = (count, verb, value) =>
  call((text, ...rest) => {
    if (rest[value] === undefined && value !== undefined) invalid('a value is missing, or null to remove')
    const before = only(text)
    const dialect = dialectOf(rest[count])
    const given = list(rest.slice(0, count))
    return take(verb(fill(before), dialect, given))
  })

export const addRule = edit(2, (...given) => wasm.edit_add_rule(...given), 0)
export const removeRule = edit(1, (...given) => wasm.edit_remove_rule(...given))
export const add = edit(3, (...given) => wasm.edit_add(...given), 1)
export const replace = edit(3, (...given) => wasm.edit_replace(...given), 2)
export const remove = edit(2, (...given) => wasm.edit_remove(...given))
export const move = edit(3, (...given) => wasm.edit_move(...given))
export const disable = edit(2, (...given) => wasm.edit_disable(...given))
export const enable = edit(1, (...given) => wasm.edit_enable(...given))
export const setGroup = edit(2, (...given) => wasm.edit_set_group(...given), 1)
export const setHost = edit(2, (...given) => wasm.edit_set_host(...given), 1)
export const setTagOwners = edit(2, (...given) => wasm.edit_set_tag_owners(...given), 1)
export const setIpset = edit(2, (...given) => wasm.edit_set_ipset(...given), 1)
export const setPosture = edit(2, (...given) => wasm.edit_set_posture(...given), 1)
export const setDefaultSrcPosture = edit(1, (...given) => wasm.edit_set_default_src_posture(...given), 0)
export const setAutoApprovers = edit(2, (...given) => wasm.edit_set_auto_approvers(...given), 1)
export const setAttrConfig = edit(2, (...given) => wasm.edit_set_attr_config(...given), 1)
export const setOption = edit(2, (...given) => wasm.edit_set_option(...given), 1)
export const apply = edit(1, (...given) => wasm.edit_apply(...given), 0)
export const disabled = call((text, options) => {
  const dialect = dialectOf(options)
  return wasm.edit_disabled(fill(only(text)), dialect)
})
export const changes = call((before, after) => wasm.edit_changes(...fillAll(only(before), only(after))))
export { rename } from './rename.js'
