// The parts of the kit that this page itself needs, each fetched when something first needs it; the elements bring their own workers. And the foot of the
// page. Must not live here: any question about a policy.
import { init } from 'tailnet-kit/slim'
import clientWasm from 'tailnet-kit/client.wasm?url'
import policyWasm from 'tailnet-kit/policy.wasm?url'
import textWasm from 'tailnet-kit/text.wasm?url'
import { the } from './dom.js'

/** Does something at the first call, and at the next one only if that failed. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work()
    done.catch(() => (done = undefined))
    return done
  }
}

const compiled = (part: string) => WebAssembly.compileStreaming(fetch(part))

/** Resolves when this thread can work with texts. */
export const startText = once(async () => init({ text: await compiled(textWasm) }))

/** Resolves when a client can be made; it checks a merged policy before it writes it. */
export const startClient = once(async () => {
  const [policy, client] = await Promise.all([compiled(policyWasm), compiled(clientWasm), startText()])
  await init({ client, policy })
})

/** Says at the foot what was answered last, and in how many milliseconds. */
export function answered(what: string, since: number): void {
  the('answered').textContent = `${what} answered in ${(performance.now() - since).toFixed(1)} ms`
}
