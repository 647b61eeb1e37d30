// The kit's wasm by its parts, each fetched when something first needs it: texts on this thread, policies in a worker, the client
// with the first call. And the foot of the page, which says how large they are and how fast they answer. Must not live here: any question.
import { wrap } from 'comlink'
import { type PolicyContext, init, version } from 'tailnet-kit/slim'
import clientWasm from 'tailnet-kit/client.wasm?url'
import json5Wasm from 'tailnet-kit/json5.wasm?url'
import policyWasm from 'tailnet-kit/policy.wasm?url'
import textWasm from 'tailnet-kit/text.wasm?url'
import example from 'virtual:example'
import { the } from './dom.js'
import type { Kit } from './kit.worker.js'
import KitWorker from './kit.worker.js?worker'

type Policy = Omit<Kit, 'init' | 'edit' | 'open'>

/** The context of every question: devices and domains, which a text alone cannot say. */
export const known: PolicyContext = {}

/** Does something at the first call, and at the next one only if that failed. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work()
    done.catch(() => (done = undefined))
    return done
  }
}

/** Does something whenever it is called, but never twice at a time: a call meanwhile makes it run once more at the end. */
export function latest(work: () => Promise<void>): () => void {
  let [running, again] = [false, false]
  return async () => {
    again = true
    if (running) return
    for (running = true; again; ) {
      again = false
      await work()
    }
    running = false
  }
}

/** Says at the foot how large the parts are that were fetched so far. */
function weigh(): void {
  const entries = (part: string) => performance.getEntriesByName(new URL(part, location.href).href) as PerformanceResourceTiming[]
  const sizes = [textWasm, policyWasm, clientWasm, json5Wasm].flatMap(entries)
  const kib = (size: 'decodedBodySize' | 'encodedBodySize') => `${Math.round(sizes.reduce((sum, entry) => sum + entry[size], 0) / 1024)} KiB`
  the('size').textContent = `wasm ${kib('decodedBodySize')}, ${kib('encodedBodySize')} over the wire`
}

const compiled = (part: string, options?: RequestInit) => WebAssembly.compileStreaming(fetch(part, options))

/** Resolves when this thread can work with texts. It is the first wasm of the page, and a third of what the policy engine weighs. */
export const startText = once(async () => {
  await init({ text: await compiled(textWasm) })
  weigh()
})

/** Whether the worker will answer questions about policies, and does not yet. */
export let isStarting = false

/** Resolves when this thread can work with texts, and the worker answers questions about policies. */
export const start = once(async () => {
  isStarting = true
  try {
    const kit = wrap<Kit>(new KitWorker())
    const [, policy] = await Promise.all([startText(), compiled(policyWasm, { priority: 'low' })])
    await kit.init({ policy })
    weigh()
    return { kit, policy }
  } finally {
    isStarting = false
  }
})

/** Resolves when a client can be made; it checks a merged policy before it writes it. */
export const startClient = once(async () => {
  const [{ policy }, client] = await Promise.all([start(), compiled(clientWasm)])
  await init({ client, policy })
  weigh()
})

/** Resolves when JSON5 can be read, which few texts need. */
export const startJSON5 = once(async () => {
  await init({ json5: await compiled(json5Wasm) })
  weigh()
})

the('version').textContent = `tailnet-kit ${version}${__COMMIT__ && ` at ${__COMMIT__}`}`
/** Says at the foot what was answered last, and in how many milliseconds. */
export function answered(what: string, since: number): void {
  the('answered').textContent = `${what} answered in ${(performance.now() - since).toFixed(1)} ms`
}

/** Calls a method of `policy`: in the worker, or among the answers that the page was built with. */
export async function ask<M extends keyof Policy>(method: M, ...args: Parameters<Policy[M]>) {
  type Answer = Awaited<ReturnType<Policy[M]>>
  const question = JSON.stringify([method, ...args.map((arg) => (arg === example.acl.text ? null : arg))])
  if (known.devices === example.devices && question in example.answers) {
    // Drawing the answer is a task of its own, so that keys pressed before it are handled first.
    await new Promise((done) => setTimeout(done))
    return example.answers[question] as Answer
  }
  const { kit } = await start()
  const begin = performance.now()
  const answer = await (kit[method] as (...args: unknown[]) => Promise<unknown>)(...args, known)
  answered(`policy.${method}`, begin)
  return answer as Answer
}
