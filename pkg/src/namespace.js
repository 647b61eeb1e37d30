// The namespace `policy` as one name. Must not live here: anything else.
//
// If an entry had `export * as policy` itself, esbuild would keep the policy engine in every app, used or not: it drops nothing
// from a file that `engine.js` imports later.

import * as policy from './policy.js'

export { policy }
