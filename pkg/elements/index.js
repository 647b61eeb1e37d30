// The entry `tailnet-kit/elements`: all elements but `<tailnet-policy>`, which needs CodeMirror. Must not live here: anything but re-exporting.

export { TailnetAccess } from './access.js'
export { TailnetChanges } from './changes.js'
export { TailnetFlow } from './flow.js'
