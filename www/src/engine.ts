// The engine of the elements: the files of this page, which their worker need not fetch a second time. Must not live here: what is asked.
import { cidr, dns, hujson, init, policy, routes } from 'tailnet-kit/slim'
import dialectWasm from 'tailnet-kit/dialect.wasm?url'
import policyWasm from 'tailnet-kit/policy.wasm?url'
import textWasm from 'tailnet-kit/text.wasm?url'

const compiled = (part: string) => WebAssembly.compileStreaming(fetch(part))
const [text, policyFile, dialect] = await Promise.all([textWasm, policyWasm, dialectWasm].map(compiled))
await init({ text, policy: policyFile, dialect })

export { cidr, dns, hujson, policy, routes }
