// The entry `tailnet-kit/gateway`. Must not live here: anything but re-exporting.

export { createGateway } from '../gateway.js'
export { version } from '../../../wasm/version.js'
