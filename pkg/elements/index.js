// The entry `tailnet-kit/elements`: all elements. Must not live here: anything but re-exporting.

export { TailnetChanges } from './changes.js'
