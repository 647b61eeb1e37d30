// The entry `tailnet-kit/sandbox`. Must not live here: anything but re-exporting.

export { HeadscaleSandbox } from '../headscale-sandbox.js'
export { Sandbox } from '../sandbox.js'
export { version } from '../../../wasm/version.js'
