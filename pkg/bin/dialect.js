// Whose language a policy is in, by the argument and the name of its file. Must not live here: what its first line says, which the kit reads.
import { Failure } from './failure.js'
import { dialectNamed } from './named.js'

export const DIALECTS = ['tailscale', 'headscale']

/** The dialect given by `--dialect`, else `known`, else that of the file's name; undefined for the first line to decide. Throws a Failure. */
export function dialectOf(given, file, known) {
  if (given !== undefined && !DIALECTS.includes(given)) throw new Failure(`--dialect takes ${DIALECTS.join(' or ')}, not \`${given}\``)
  return given ?? known ?? dialectNamed(file)
}
