// The entry `tailnet-kit/elements`: all elements. Must not live here: anything but re-exporting.

export { TailnetAccess } from './access.js'
export { TailnetChanges } from './changes.js'
export { TailnetFlow } from './flow.js'
