// Whose language a text is in, as its callers name it. Must not live here: what a dialect is.

import { invalid, only } from './arguments.js'

/** The dialects in the order of their numbers in the wasm, from 1 on. */
const DIALECTS = ['tailscale', 'headscale']

/** The number of a dialect by its name; 0 for none. */
export function dialectNumber(name) {
  if (name === undefined) return 0
  const at = DIALECTS.indexOf(name)
  return at < 0 ? invalid(`\`${name}\` is no dialect: \`tailscale\` and \`headscale\` are`) : at + 1
}

/** The number of the dialect that options name, which have nothing else. */
export const dialectOf = (options) => dialectNumber(Object(only(['dialect'], options)).dialect)
