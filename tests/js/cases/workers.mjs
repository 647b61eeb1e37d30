// A client in a worker of a page refuses a key, unless an option allows it. Must not live here: the page itself; `guard.mjs`, which the workers run.

import { equal } from './assert.mjs'

const [CLASSIC, MODULE] = ['./guard.js', './guard-module.js']

async function inServiceWorker() {
  await navigator.serviceWorker.register(CLASSIC)
  const { active } = await navigator.serviceWorker.ready
  return active
}

/** The kinds of workers; each function returns what takes messages. */
const WORKERS = {
  'a worker': () => new Worker(CLASSIC),
  'a worker that is a module': () => new Worker(MODULE, { type: 'module' }),
  'a shared worker': () => new SharedWorker(CLASSIC).port,
  'a shared worker that is a module': () => new SharedWorker(MODULE, { type: 'module' }).port,
  'a service worker': inServiceWorker,
}

export const cases = Object.entries(WORKERS).map(([name, start]) => [
  `client keeps keys out of ${name}`,
  async () => {
    const { port1, port2 } = new MessageChannel()
    const answer = new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data)
    })
    const worker = await start()
    const broken = new Promise((_, reject) => {
      worker.onerror = ({ message }) => reject(new Error(message ?? 'the worker does not start'))
    })
    worker.postMessage('', [port2])
    equal(await Promise.race([answer, broken]), ['invalid_argument', 'invalid_argument', '1', '1'])
  },
])
