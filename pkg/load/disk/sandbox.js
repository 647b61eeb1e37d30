// The entry `tailnet-kit/sandbox` of this runtime. Must not live here: anything but starting and re-exporting.

import './start-sandbox.js'
export * from '../../src/sandbox.js'
export { version } from '../../wasm/version.js'
