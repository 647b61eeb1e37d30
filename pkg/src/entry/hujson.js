// The entry `tailnet-kit/hujson`. Must not live here: anything but re-exporting.

export * as hujson from '../hujson.js'
export * from './errors.js'
