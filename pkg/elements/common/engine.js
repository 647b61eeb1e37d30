// The engine behind the verbs, by its file, as workers know no import map. In CommonJS it is that of Node (`scripts/assemble.mjs`).
// Must not live here: verbs.

export { cidr, dns, routes } from '../../load/inline/entry/cidr.js'
export { hujson } from '../../load/inline/entry/hujson.js'
export { policy } from '../../load/inline/kit.js'
