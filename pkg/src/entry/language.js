// The entry `tailnet-kit/language`. Must not live here: anything but re-exporting.

export * as language from '../language.js'
export * from './errors.js'
