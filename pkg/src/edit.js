// The namespace `policy.edit`. Must not live here: how a text changes, any judgement of a policy.

import { invalid, json } from '../../common/arguments.js'
import { buffer } from '../../common/buffer.js'
import { instance, wasm } from './edit.wasm.js'

const { call } = instance
const { fill, fillAll, take } = buffer(() => wasm, instance)

/** Edits keep comments, which only a text has. */
const only = (text) => (typeof text === 'string' ? text : invalid('an edit takes a text'))

/** The values as a JSON list. Each is written by itself, so that the error about one that is not plain data names it. */
const list = (values) => `[${values.map(json)}]`

/** A verb; `value` is the index, after the text, of an argument that must be there. */
const edit = (verb, value) =>
  call((text, ...rest) => {
    if (rest[value] === undefined && value !== undefined) invalid('a value is missing, or null to remove')
    const before = only(text)
    const given = list(rest)
    return take(verb(fill(before), given))
  })

export const addRule = edit((length, rest) => wasm.edit_add_rule(length, rest), 0)
export const removeRule = edit((length, rest) => wasm.edit_remove_rule(length, rest))
export const add = edit((length, rest) => wasm.edit_add(length, rest), 1)
export const replace = edit((length, rest) => wasm.edit_replace(length, rest), 2)
export const remove = edit((length, rest) => wasm.edit_remove(length, rest))
export const move = edit((length, rest) => wasm.edit_move(length, rest))
export const disable = edit((length, rest) => wasm.edit_disable(length, rest))
export const enable = edit((length, rest) => wasm.edit_enable(length, rest))
export const setGroup = edit((length, rest) => wasm.edit_set_group(length, rest), 1)
export const setHost = edit((length, rest) => wasm.edit_set_host(length, rest), 1)
export const setTagOwners = edit((length, rest) => wasm.edit_set_tag_owners(length, rest), 1)
export const setIpset = edit((length, rest) => wasm.edit_set_ipset(length, rest), 1)
export const setPosture = edit((length, rest) => wasm.edit_set_posture(length, rest), 1)
export const setDefaultSrcPosture = edit((length, rest) => wasm.edit_set_default_src_posture(length, rest), 0)
export const setAutoApprovers = edit((length, rest) => wasm.edit_set_auto_approvers(length, rest), 1)
export const setAttrConfig = edit((length, rest) => wasm.edit_set_attr_config(length, rest), 1)
export const setOption = edit((length, rest) => wasm.edit_set_option(length, rest), 1)
export const apply = edit((length, rest) => wasm.edit_apply(length, rest), 0)
export const disabled = call((text) => wasm.edit_disabled(fill(only(text))))
export const changes = call((before, after) => wasm.edit_changes(...fillAll(only(before), only(after))))
export { rename } from './rename.js'
