// The engine of the elements: the files of this page, which their worker need not fetch a second time. Must not live here: what is asked.
import { cidr, dns, hujson, init, policy, routes } from 'tailnet-kit/slim'
import dialectWasm from 'tailnet-kit/dialect.wasm?url'
import json5Wasm from 'tailnet-kit/json5.wasm?url'
import policyWasm from 'tailnet-kit/policy.wasm?url'
import textWasm from 'tailnet-kit/text.wasm?url'

const compiled = (part: string) => WebAssembly.compileStreaming(fetch(part))
const [text, policyFile, dialect] = await Promise.all([textWasm, policyWasm, dialectWasm].map(compiled))
await init({ text, policy: policyFile, dialect })

/** Few texts need that grammar. */
export async function fromJSON5(json5: string): Promise<string> {
  await init({ json5: await compiled(json5Wasm) })
  return hujson.fromJSON5(json5)
}

export { cidr, dns, hujson, policy, routes }
