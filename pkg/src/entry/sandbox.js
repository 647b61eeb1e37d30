// The entry `tailnet-kit/sandbox`. Must not live here: anything but re-exporting.

export { Sandbox } from '../sandbox.js'
export { version } from '../../../wasm/version.js'
