// The namespace `policy.edit`. Must not live here: how a text changes, any judgement of a policy.

import { invalid, json } from '../../common/arguments.js'
import { instance, wasm as engine } from './policy.wasm.js'
import { call, wasm } from './text.js'

/** Edits keep comments, which only a text has. */
const only = (text) => (typeof text === 'string' ? text : invalid('an edit takes a text'))

/** The values as a JSON list. Each is written by itself, so that the error about one that is not plain data names it. */
const list = (values) => `[${values.map(json)}]`

/** A verb; `value` is the index, after the text, of an argument that must be there. */
const edit = (verb, value) =>
  call((text, ...rest) => {
    if (rest[value] === undefined && value !== undefined) invalid('a value is missing, or null to remove')
    return verb(only(text), list(rest))
  })

export const addRule = edit((text, rest) => wasm.edit_add_rule(text, rest), 0)
export const removeRule = edit((text, rest) => wasm.edit_remove_rule(text, rest))
export const add = edit((text, rest) => wasm.edit_add(text, rest), 1)
export const replace = edit((text, rest) => wasm.edit_replace(text, rest), 2)
export const remove = edit((text, rest) => wasm.edit_remove(text, rest))
export const move = edit((text, rest) => wasm.edit_move(text, rest))
export const disable = edit((text, rest) => wasm.edit_disable(text, rest))
export const enable = edit((text, rest) => wasm.edit_enable(text, rest))
export const setGroup = edit((text, rest) => wasm.edit_set_group(text, rest), 1)
export const setHost = edit((text, rest) => wasm.edit_set_host(text, rest), 1)
export const setTagOwners = edit((text, rest) => wasm.edit_set_tag_owners(text, rest), 1)
export const setIpset = edit((text, rest) => wasm.edit_set_ipset(text, rest), 1)
export const setPosture = edit((text, rest) => wasm.edit_set_posture(text, rest), 1)
export const setDefaultSrcPosture = edit((text, rest) => wasm.edit_set_default_src_posture(text, rest), 0)
export const setAutoApprovers = edit((text, rest) => wasm.edit_set_auto_approvers(text, rest), 1)
export const setAttrConfig = edit((text, rest) => wasm.edit_set_attr_config(text, rest), 1)
export const setOption = edit((text, rest) => wasm.edit_set_option(text, rest), 1)
export const apply = edit((text, rest) => wasm.edit_apply(text, rest), 0)
export const disabled = call((text) => wasm.edit_disabled(only(text)))
export const changes = call((before, after) => wasm.edit_changes(only(before), only(after)))

/** A name as a policy writes it. */
const named = (name) => (typeof name === 'string' ? name : invalid('a name is a text'))

export const rename = instance.call((text, from, to) => engine.policy_rename(only(text), named(from), named(to)))
