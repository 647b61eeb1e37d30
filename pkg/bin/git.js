// An earlier version of a file, from git. Must not live here: what it is for.
import { execFile } from 'node:child_process'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from './failure.js'

/** What most often helps: a build machine has the last commit alone. */
const FETCH = 'fetch the revision first: actions/checkout with `fetch-depth: 0`, or GIT_DEPTH: 0'

/** The revision that a change starts from: the branch that it will be merged into, where a CI service names it, else the last commit. */
export const startOf = ({ GITHUB_BASE_REF, CI_MERGE_REQUEST_DIFF_BASE_SHA }) =>
  GITHUB_BASE_REF ? `origin/${GITHUB_BASE_REF}` : CI_MERGE_REQUEST_DIFF_BASE_SHA || 'HEAD'

/**
 * `{path, text}` of the file at a revision of the repository that `folder` is in; where it had another name there, under that, if
 * `renamed`. Undefined where there was none. Throws a Failure where git cannot say.
 */
export async function versionAt(revision, file, folder = dirname(file), renamed = true) {
  if (revision.startsWith('-')) throw new Failure(`\`${revision}\` is not a revision`)
  const run = (...args) => git(args, folder)
  const inFolder = (path) => `./${relative(folder, path)}`
  try {
    const former = async () => (renamed ? formerName(run, revision, inFolder(file), folder) : undefined)
    const path = (await has(run, revision, inFolder(file))) ? file : await former()
    return path === undefined ? undefined : { path, text: await run('show', `${revision}:${inFolder(path)}`) }
  } catch (error) {
    const reason = error.code === 'ENOENT' ? 'git cannot be run' : said(error)
    throw new Failure(`no version of ${file} at ${revision}; name BASE: ${reason}`, { advice: FETCH })
  }
}

/** Whether a revision has the path. What lies outside of the repository is in none. */
async function has(run, revision, path) {
  try {
    return (await run('ls-tree', '--name-only', '-z', revision, '--', path)) !== ''
  } catch (error) {
    if (said(error).includes('outside repository')) return false
    throw error
  }
}

/** What a file that a revision lacks was called there. */
async function formerName(run, revision, path, folder) {
  const [own] = (await run('ls-files', '--full-name', '-z', '--', path)).split('\0')
  if (!own) return undefined
  const words = (await run('diff', '--find-renames', '--diff-filter=R', '--name-status', '-z', revision)).split('\0')
  const at = words.findIndex((word, at) => at % 3 === 2 && word === own)
  return at < 0 ? undefined : join(folder, (await run('rev-parse', '--show-cdup')).trim(), words[at - 1])
}

const git = async (args, cwd) => (await promisify(execFile)('git', args, { cwd, maxBuffer: 2 ** 28, env: { ...process.env, LC_ALL: 'C' } })).stdout

const said = (error) =>
  String(error.stderr ?? error.message)
    .trim()
    .split('\n')[0]
