// Files as CI services name them: relative to the root of the repository, with slashes. Must not live here: places within a file.
import { relative, resolve, sep } from 'node:path'

/** The file relative to `root`; unchanged where it is outside. Standard input gets a name, as each finding needs one. */
export function under(root, file) {
  if (file === '-') return 'stdin'
  const path = relative(root, resolve(file))
  return (path.startsWith('..') ? file : path).split(sep).join('/')
}
