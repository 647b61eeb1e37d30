// The entry `tailnet-kit/all`: every name of the kit but the sandbox, on one wasm file. Must not live here: anything but re-exporting.

export { createGateway } from '../gateway.js'
export * from './index.js'
