// The judge as a worker: a message is a question, and so is its answer. Must not live here: the verbs.

import { plain } from './asker.js'
import { verbs } from './verbs.js'

addEventListener('message', async ({ data: { id, verb, asked } }) => {
  try {
    postMessage({ id, answer: await verbs[verb](...JSON.parse(asked)) })
  } catch (error) {
    postMessage({ id, error: plain(error) })
  }
})
