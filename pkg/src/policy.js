// The namespace `policy`: its verbs by file, and the edits, which are in another. Must not live here: anything but re-exporting.

export {
  access,
  approvedRoutes,
  diff,
  diffAccess,
  diffPowers,
  diffSsh,
  filters,
  logins,
  nodeAttrs,
  powers,
  prove,
  repair,
  review,
  ssh,
  translate,
  visiblePeers,
} from './answers.js'
export * as edit from './edit.js'
export { open } from './open.js'
export { check, explain, preview, runTests, toJSON } from './verbs.js'
