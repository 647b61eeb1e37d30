// What a worker does: a message is a question, and so is its answer. Must not live here: which verbs there are.

import { plain } from './asker.js'

/** Answers the questions of an asker (`asker.js`) by these verbs. */
export const answers = (verbs) =>
  addEventListener('message', async ({ data: { id, verb, asked } }) => {
    try {
      postMessage({ id, answer: await verbs[verb](...JSON.parse(asked)) })
    } catch (error) {
      postMessage({ id, error: plain(error) })
    }
  })
