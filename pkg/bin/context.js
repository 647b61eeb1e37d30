// The context of a command: what the file of --devices knows, judged before a policy is, so that a fault in it is reported of this file.
// Must not live here: reading, what the language server knows.
import { policy } from 'tailnet-kit'
import { Failure } from './failure.js'
import { contextIn } from './files.js'

/** The context in the file, or undefined without one. Throws a Failure that names the file. */
export async function contextOf(file) {
  if (file === undefined) return undefined
  const context = await contextIn(file)
  try {
    policy.check('{}', context)
  } catch (error) {
    throw new Failure(`${file}: ${error.message}`)
  }
  return context
}
