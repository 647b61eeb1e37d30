// Answers questions about policies in a worker, so that no key waits. Must not live here: what is done with an answer.
import { expose } from 'comlink'
import { type PolicyContext, init, policy } from 'tailnet-kit/slim'
import { accessNaming } from './access.naming.js'

/** The context is the last argument of each verb. */
const kit = {
  init,
  ...policy,
  accessNaming,
  accessByDevice: (text: string, context?: PolicyContext) => policy.access(text, context, { by: 'device' }),
  review: (before: string, after: string, context?: PolicyContext) => policy.review(before, after, { context }),
}
export type Kit = typeof kit
expose(kit)
