// An earlier version of a file, from git. Must not live here: what it is for.
import { execFile } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from './failure.js'

/** The revision that a change starts from: the branch that it will be merged into, where a CI service names it, else the last commit. */
export const startOf = ({ GITHUB_BASE_REF, CI_MERGE_REQUEST_DIFF_BASE_SHA }) =>
  GITHUB_BASE_REF ? `origin/${GITHUB_BASE_REF}` : CI_MERGE_REQUEST_DIFF_BASE_SHA || 'HEAD'

/** The text of the file at a revision. Throws a Failure where git has none. */
export async function versionAt(revision, file) {
  if (revision.startsWith('-')) throw new Failure(`\`${revision}\` is not a revision`)
  try {
    const { stdout } = await promisify(execFile)('git', ['show', `${revision}:./${basename(file)}`], { cwd: dirname(file), maxBuffer: 2 ** 28 })
    return stdout
  } catch (error) {
    const reason =
      error.code === 'ENOENT'
        ? 'git cannot be run'
        : String(error.stderr ?? error.message)
            .trim()
            .split('\n')[0]
    throw new Failure(`no version of ${file} at ${revision}; name BASE: ${reason}`)
  }
}
