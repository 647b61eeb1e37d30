// The judge of policies that all elements of a page share: one worker, started by the first question. Must not live here: what is asked.

import { asker } from './asker.js'
import { started } from './worker.js'

/** `judge(verb, ...)` resolves with the answer of a verb of `verbs.js`. */
export const judge = /* @__PURE__ */ asker(started, () => import('./verbs.js'))
