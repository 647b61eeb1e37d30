// What a worker does: a message is a question, and so is its answer. Must not live here: which verbs there are.

import { plain } from './asker.js'

/**
 * Answers the questions of an asker (`asker.js`). `load()` resolves with the module of the verbs, at the first question: what comes while an engine is
 * loaded would be lost.
 */
export const answers = (load) =>
  addEventListener('message', async ({ data: { id, verb, asked } }) => {
    try {
      const { verbs } = await load()
      postMessage({ id, answer: await verbs[verb](...JSON.parse(asked)) })
    } catch (error) {
      postMessage({ id, error: plain(error) })
    }
  })
