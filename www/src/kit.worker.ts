// Answers questions about policies in a worker, so that no key waits. Must not live here: what is done with an answer.
import { expose } from 'comlink'
import { type PolicyContext, init, policy } from 'tailnet-kit/slim'
import { accessNaming } from './access.naming.js'

/** The context is the last argument of each verb that a page asks, also of those that have options in its place. */
const kit = {
  init,
  ...policy,
  diff: (before: string, after: string, _?: PolicyContext) => policy.diff(before, after),
  toJSON: (text: string, _?: PolicyContext) => policy.toJSON(text),
  accessNaming,
  accessByDevice: (text: string, context?: PolicyContext) => policy.access(text, context, { by: 'device' }),
}
export type Kit = typeof kit
expose(kit)
