// Whose language a policy is in, by the argument, the name of its file, and its first line. Must not live here: judging, which reads the first line itself.
import { Failure } from './failure.js'
import { dialectNamed } from './named.js'

export const DIALECTS = ['tailscale', 'headscale']

/** The dialect given by `--dialect`, else `known`, else that of the file's name; undefined for the first line to decide. Throws a Failure. */
export function dialectOf(given, file, known) {
  if (given !== undefined && !DIALECTS.includes(given)) throw new Failure(`--dialect takes ${DIALECTS.join(' or ')}, not \`${given}\``)
  return given ?? known ?? dialectNamed(file)
}

/** The dialect that the first line of a policy names, as the kit reads it, for who must know which service it is of; undefined where it names none. */
export const dialectWritten = (text) => /^\/\/[^\S\n]*tailnet-kit:[^\S\n]*dialect[^\S\n]+(tailscale|headscale)\s*?(?:\n|$)/.exec(text)?.[1]
