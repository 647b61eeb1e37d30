// Asks the verbs of a worker, or of the page where no worker can be started. Must not live here: which verbs there are, workers.

import { toError } from '../../common/errors.js'

/** The error that a worker told of. */
function told(error) {
  const known = toError(error)
  return known instanceof Error ? known : Object.assign(new Error(error.message), error)
}

/** What an error says, as plain data: an error loses its class and its members on its way out of a worker. */
export const plain = (error) => ({ ...error, code: error?.code, name: error?.name, message: String(error?.message ?? error) })

/**
 * `ask(verb, ...)` resolves with the verb's answer. `start()` gives the worker, at the first question; `load()` the module with the same verbs, for a
 * page that allows no worker, or where its file is not served.
 */
export function asker(start, load) {
  let worker
  let count = 0
  const waiting = new Map()
  // Arguments travel as text, since the proxies of a framework cannot be cloned.
  const inPage = async ({ verb, asked }) => (await load()).verbs[verb](...JSON.parse(asked))
  const giveUp = () => {
    worker?.terminate()
    worker = null
    for (const question of waiting.values()) inPage(question).then(question.resolve, question.reject)
    waiting.clear()
  }
  const hear = ({ data: { id, answer, error } }) => {
    const { resolve, reject } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (error) reject?.(told(error))
    else resolve?.(answer)
  }
  const begin = () => {
    try {
      worker = start() ?? null
      if (worker) Object.assign(worker, { onmessage: hear, onerror: giveUp, onmessageerror: giveUp })
    } catch {
      worker = null
    }
  }
  return (verb, ...args) => {
    const asked = JSON.stringify(args)
    if (worker === undefined) begin()
    if (worker === null) return inPage({ verb, asked })
    return new Promise((resolve, reject) => {
      const id = count++
      waiting.set(id, { verb, asked, resolve, reject })
      worker.postMessage({ id, verb, asked })
    })
  }
}
