// Decides whether `acl.update` may write a text: by the policy engine, loaded when the first update needs it. Must not live here:
// any judgement of a policy.

import { toError } from '../../common/errors.js'
import { startFailed } from '../../common/host.js'
import { engine } from './engine.js'

/** Throws a PolicyRefusedError for a text that `check` does not accept. */
export const refusing = (check) => async (text) => {
  const verdict = await check(text)
  if (verdict?.accepted === true) return
  throw toError({ code: 'policy_refused', message: `the service would refuse this policy: ${verdict?.message ?? ''}`, check: verdict })
}

async function loaded() {
  try {
    return await engine()
  } catch (cause) {
    throw startFailed(`the policy engine, which judges the new text, could not be loaded: ${cause?.message ?? cause}`, cause)
  }
}

/** The same by the engine of the kit, in a context of its own. */
export const judge = async (text, context) => {
  const { check } = await loaded()
  return refusing((policy) => check(policy, context))(text)
}
