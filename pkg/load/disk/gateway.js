// The entry `tailnet-kit/gateway` of this runtime. Must not live here: anything but starting and re-exporting.

import './start.js'
export * from '../../src/gateway.js'
export { version } from '../../wasm/version.js'
