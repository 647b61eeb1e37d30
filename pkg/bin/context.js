// The context of a command: what the file of --devices knows, judged before a policy is, so that a fault in it is reported of this file.
// Must not live here: reading, the context of the language server (`lsp/known.js`).
import { policy } from 'tailnet-kit'
import { contextIn } from './files.js'

/** The context in the file, or undefined without one. Throws a Failure that names the file. */
export const contextOf = async (file) => (file === undefined ? undefined : contextIn(file, (context) => policy.check('{}', context)))

/** What would decide more than this context does. */
export const wanting = (context) =>
  context === undefined ? 'give --devices' : 'add what is missing to the file of --devices: devices, or users with their roles'
