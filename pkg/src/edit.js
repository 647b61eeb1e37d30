// The namespace `policy.edit`. Must not live here: how a text changes, any judgement of a policy.

import { invalid, json } from '../../common/arguments.js'
import { call, wasm } from './text.js'

/** Edits keep comments, which only a text has. */
const only = (text) => (typeof text === 'string' ? text : invalid('an edit takes a text'))

/** A place in a list; none is the end of it. */
const place = (at) => (at === undefined || (Number.isInteger(at) && at >= 0 && at < 2 ** 32) ? at : invalid(`${at} is no place in a list`))

/** `null` takes an entry out; leaving it away is more likely a slip. */
const given = (value) => (value === undefined ? invalid('the last argument is a value, or null to remove') : value)

export const addRule = call((text, rule, at) => wasm.edit_add_rule(only(text), json(rule), place(at)))
export const removeRule = call((text, index) => wasm.edit_remove_rule(only(text), place(index ?? -1)))
export const setGroup = call((text, name, members) => wasm.edit_set_group(only(text), json([name, given(members)])))
export const setHost = call((text, name, address) => wasm.edit_set_host(only(text), json([name, given(address)])))
