// What elements may ask, in a worker or in the page: the verbs of `policy`, and those that join several for one element. Must not live here: elements.

import { entries, prefix, routes } from '../admin/verbs.js'
import { matrix } from '../access/matrix.js'
import { changes } from '../changes/causes.js'
import { conflict, merge } from '../conflict/verbs.js'
import { flow, repairs } from '../flow/verbs.js'
import { formEdit, formOf, lineOf } from '../policy/form/model.js'
import { fromJSON5, hujson, policy } from './engine.js'

const { access, check, diff, diffAccess, diffSsh, explain, logins, preview, repair, review, runTests, toJSON } = policy
const { format } = hujson
/** The text as HuJSON, if it is JSON5 and no HuJSON; throws where it is neither. */
const asHujson = async (text) => (hujson.tryParse(text).ok ? undefined : fromJSON5(text))

export const verbs = {
  access,
  asHujson,
  changes,
  check,
  conflict,
  diff,
  diffAccess,
  diffSsh,
  entries,
  explain,
  flow,
  format,
  formEdit,
  formOf,
  lineOf,
  logins,
  matrix,
  merge,
  prefix,
  preview,
  repair,
  repairs,
  review,
  routes,
  runTests,
  toJSON,
}
