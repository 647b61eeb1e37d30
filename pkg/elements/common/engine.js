// The engine behind the verbs, by its file, as workers know no import map. In CommonJS it is that of Node (`scripts/assemble.mjs`).
// Must not live here: verbs.

import { hujson } from '../../load/inline/entry/hujson.js'

export { cidr, dns, routes } from '../../load/inline/entry/cidr.js'
export { hujson }
export { policy } from '../../load/inline/kit.js'

/** JSON5 as HuJSON. Apart, as a page may fetch that grammar only where a text needs it. */
export const fromJSON5 = (text) => hujson.fromJSON5(text)
