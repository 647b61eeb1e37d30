// What the entries `.` and `./slim` have in common: every name of the kit but the sandbox and the gateway. Must not live
// here: starting the wasm.

export { version } from '../wasm/version.js'
export * from './errors.js'
