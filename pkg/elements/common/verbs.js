// What elements may ask, in a worker or in the page: the verbs of `policy`, and those that join several for one element. Must not live here: elements.

import { changes } from '../changes/causes.js'
import { policy } from './engine.js'

const { access, check, diffAccess, diffSsh, explain, logins, preview, repair, review, runTests } = policy

export const verbs = { access, changes, check, diffAccess, diffSsh, explain, logins, preview, repair, review, runTests }
