// The context of a command: what the file of --devices knows, judged before a policy is, so that a fault in it is reported of this file, and
// the dialect of each policy. Must not live here: reading, the context of the language server (`lsp/known.js`).
import { policy } from 'tailnet-kit'
import { dialectOf } from './dialect.js'
import { contextIn } from './files.js'

/**
 * The context for the policy in a file, as a function of its name: what `devices` knows, in the dialect that is given, else that of the
 * context, else that of the name; undefined where nothing is said. Throws a Failure that names the file of devices.
 */
export async function contextsOf({ devices, dialect }) {
  const known = devices === undefined ? undefined : await contextIn(devices, (context) => policy.check('{}', context))
  return (file) => {
    const own = dialectOf(dialect, file, known?.dialect)
    return own === undefined ? known : { ...known, dialect: own }
  }
}

/** The same for one policy. */
export const contextOf = async (values, file) => (await contextsOf(values))(file)

/** What would decide more than this context does. */
export const wanting = (context = {}) =>
  Object.keys(context).every((name) => name === 'dialect')
    ? 'give --devices'
    : 'add what is missing to the file of --devices: devices, or users with their roles'
