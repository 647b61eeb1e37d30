// The verbs of the language service, by their file, as workers know no import map. In CommonJS they are those of Node (`scripts/assemble.mjs`).
// Must not live here: workers.

import { knowing } from '../../load/inline/dialect.js'

knowing()

export { language as verbs } from '../../load/inline/entry/language.js'
