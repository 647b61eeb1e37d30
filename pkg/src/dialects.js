// The namespace `policy`, whose verbs that judge know every dialect. Must not live here: verbs.

import { knowing } from './dialect.js'
import * as verbs from './policy.js'

export { diff, edit, toJSON } from './policy.js'
export const access = /* @__PURE__ */ knowing(() => verbs.access)
export const approvedRoutes = /* @__PURE__ */ knowing(() => verbs.approvedRoutes)
export const check = /* @__PURE__ */ knowing(() => verbs.check)
export const diffAccess = /* @__PURE__ */ knowing(() => verbs.diffAccess)
export const diffPowers = /* @__PURE__ */ knowing(() => verbs.diffPowers)
export const diffSsh = /* @__PURE__ */ knowing(() => verbs.diffSsh)
export const explain = /* @__PURE__ */ knowing(() => verbs.explain)
export const filters = /* @__PURE__ */ knowing(() => verbs.filters)
export const logins = /* @__PURE__ */ knowing(() => verbs.logins)
export const nodeAttrs = /* @__PURE__ */ knowing(() => verbs.nodeAttrs)
export const open = /* @__PURE__ */ knowing(() => verbs.open)
export const powers = /* @__PURE__ */ knowing(() => verbs.powers)
export const preview = /* @__PURE__ */ knowing(() => verbs.preview)
export const prove = /* @__PURE__ */ knowing(() => verbs.prove)
export const repair = /* @__PURE__ */ knowing(() => verbs.repair)
export const review = /* @__PURE__ */ knowing(() => verbs.review)
export const runTests = /* @__PURE__ */ knowing(() => verbs.runTests)
export const ssh = /* @__PURE__ */ knowing(() => verbs.ssh)
export const translate = /* @__PURE__ */ knowing(() => verbs.translate)
export const visiblePeers = /* @__PURE__ */ knowing(() => verbs.visiblePeers)
