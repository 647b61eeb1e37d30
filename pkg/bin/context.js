// The context of a command: what the file of --devices knows, judged before a policy is, so that a fault in it is reported of this file, and
// the dialect of each policy; and what it knew before a change. Must not live here: reading, the context of the language server (`lsp/known.js`).
import { dirname } from 'node:path'
import { policy } from 'tailnet-kit'
import { dialectOf } from './dialect.js'
import { contextIn, read } from './files.js'
import { versionAt } from './git.js'

/**
 * The context for the policy in a file, as a function of its name: what `devices` knows, in the dialect that is given, else that of the
 * context, else that of the name; undefined where nothing is said. Throws a Failure that names the file of devices.
 */
export async function contextsOf({ devices, dialect }) {
  const known = devices === undefined ? undefined : await knownIn(devices, await read(devices))
  return (file) => inDialect(known, dialect, file)
}

const knownIn = (devices, text) => contextIn(devices, text, (context) => policy.check('{}', context))

function inDialect(known, dialect, file) {
  const own = dialectOf(dialect, file, known?.dialect)
  return own === undefined ? known : { ...known, dialect: own }
}

/** The same for one policy. */
export const contextOf = async (values, file) => (await contextsOf(values))(file)

/**
 * What the file of devices by which a change of the policy in `file` is judged knew at `revision`: `{file, context}`, or `fault` for one that
 * cannot be used. Undefined where it knew the same, or was not there.
 */
export async function contextBefore({ devices, 'devices-after': after = devices, dialect }, revision, file) {
  if (revision === undefined || after === undefined || after === '-') return undefined
  const found = await versionAt(revision, after, dirname(file))
  if (found === undefined || found.text === (await read(after))) return undefined
  const name = `${revision}:${found.path}`
  try {
    return { file: name, context: inDialect(await knownIn(name, found.text), dialect, file) }
  } catch (error) {
    return { file: name, fault: error.message }
  }
}

/** What would decide more than this context does. */
export const wanting = (context = {}) =>
  Object.keys(context).every((name) => name === 'dialect')
    ? 'give --devices'
    : 'add what is missing to the file of --devices: devices, or users with their roles'
