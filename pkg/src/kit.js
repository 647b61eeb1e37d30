// The namespace `policy` with every dialect as one name, for the entry that has all of the kit (`namespace.js` says why it is a file of its own).
// Must not live here: anything else.

import * as policy from './dialects.js'

export { policy }
