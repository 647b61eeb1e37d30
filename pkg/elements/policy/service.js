// The language service in a worker of its own, so that no completion waits for a judgement. Must not live here: what it answers.

import { asker } from '../common/asker.js'
import { started } from './worker.js'

const ask = /* @__PURE__ */ asker(started, () => import('./language.js'))

/** `language` with promises for answers. */
export const service = /* @__PURE__ */ new Proxy(
  {},
  {
    get:
      (_, verb) =>
      (...asked) =>
        ask(verb, ...asked),
  },
)
