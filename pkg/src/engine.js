// The policy engine, as a file of its own that is loaded when it is first needed. `tailnet-kit/slim` has it at once, as its user starts it
// (`scripts/assemble.mjs`). Must not live here: anything else.

/** The module of the verbs that judge a text. */
export const engine = () => import('./verbs.js')
