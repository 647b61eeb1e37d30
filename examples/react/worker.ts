// The worker that judges policies. The first message is the compiled module, each further one a question. Must not live here: the wasm.

import { initSync, policy } from 'tailnet-kit/slim'

self.onmessage = ({ data }) => {
  if (data instanceof WebAssembly.Module) return initSync(data)
  postMessage({ id: data.id, check: policy.check(data.text, data.context) })
}
