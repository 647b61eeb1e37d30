// A worker with slim, bundled in Vite's default format: one file, without a later import. Must not live here: what is asserted.

import { initSync, policy } from 'tailnet-kit/slim'

self.onmessage = ({ data }) => {
  try {
    initSync(data)
    self.postMessage({ accepted: policy.check('{"acls": []}').accepted })
  } catch (error) {
    self.postMessage({ fault: String(error?.message ?? error) })
  }
}
