// Who answers the elements of the page: first the answers that the page was built with, so that its first view needs no engine, then the workers that
// the elements bring. Must not live here: a question.
import type { PolicyCheck, PolicyContext } from 'tailnet-kit/slim'
import { hujson, isTailnetError } from 'tailnet-kit/slim'
import example from 'virtual:example'
import { judge as asked } from '../../pkg/elements/common/judge.js'
import { service as answering } from '../../pkg/elements/policy/service.js'
import { answered, startText } from './kit.js'

/** The parts of a question that the page was built with, by the names that they have in its answers. */
function named(arg: unknown): unknown {
  if (arg === example.acl.text) return 'saved'
  if (arg === example.edited) return 'edited'
  const { devices, dialect } = (arg ?? {}) as PolicyContext
  return devices === example.devices && !dialect ? 'network' : arg
}

/** Whether the engine has answered, and so is there. */
let isStarted = false

/**
 * The refusal of a text that is no HuJSON, which is known before the policy engine is there: on a slow line that takes seconds. Of others there is
 * none, ever.
 */
async function noHujson(text: string): Promise<PolicyCheck> {
  await startText()
  try {
    hujson.parse(text)
  } catch (error) {
    if (isTailnetError(error, 'hujson_syntax')) return { accepted: false, message: error.message, issues: [error.issue], tests: { passed: true, results: [] } }
    throw error
  }
  return new Promise(() => {})
}

/** Asks a verb of the elements' judge. */
export async function judge<Answer>(verb: string, ...args: unknown[]): Promise<Answer> {
  const question = JSON.stringify([verb, ...args.map(named)])
  if (question in example.answers) return example.answers[question] as Answer
  const begin = performance.now()
  const answer = asked<Answer>(verb, ...args)
  const told = answer.then((found) => {
    isStarted = true
    answered(`policy.${verb}`, begin)
    return found
  })
  return verb === 'check' && !isStarted ? (Promise.race([told, noHujson(args[0] as string)]) as Promise<Answer>) : told
}

/** The language service. */
export const service = new Proxy(answering, {
  get:
    (_, verb: string) =>
    (text: string, ...more: unknown[]) =>
      (text === example.edited && example.language[verb]) || answering[verb]?.(text, ...more),
})
