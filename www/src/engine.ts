// The engine of the elements: the files of this page, which their worker need not fetch a second time. Must not live here: what is asked.
import { hujson, init, policy } from 'tailnet-kit/slim'
import policyWasm from 'tailnet-kit/policy.wasm?url'
import textWasm from 'tailnet-kit/text.wasm?url'

const compiled = (part: string) => WebAssembly.compileStreaming(fetch(part))
await init({ text: await compiled(textWasm), policy: await compiled(policyWasm) })

export { hujson, policy }
