// The entry `tailnet-kit/policy`. Must not live here: anything but re-exporting.

export { policy } from '../namespace.js'
export * from './errors.js'
