// The JSON Schemas of the policy file and the recordings of the service. Must not live here: the comparison (`checks/schema.mjs`).

import { judged, schemas } from '../checks/schema.mjs'
import { recordings } from '../lib/beside.mjs'

export default async ({ tarball }) => {
  const policies = recordings().map(({ id, policy, message }) => ({ id, policy: JSON.parse(policy), message }))
  return (await schemas(tarball)).map((accepts) => judged(accepts, policies)).join('; ')
}
