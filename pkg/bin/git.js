// An earlier version of a file, from git. Must not live here: what it is for.
import { execFile } from 'node:child_process'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from './failure.js'
import { isFile, read } from './files.js'

/** What most often helps: a build machine has the last commit alone. */
const FETCH = 'fetch the revision first: actions/checkout with `fetch-depth: 0`, or GIT_DEPTH: 0'

/** The revision that a change starts from: the branch that it will be merged into, where a CI service names it, else the last commit. */
export const startOf = ({ GITHUB_BASE_REF, CI_MERGE_REQUEST_DIFF_BASE_SHA }) =>
  GITHUB_BASE_REF ? `origin/${GITHUB_BASE_REF}` : CI_MERGE_REQUEST_DIFF_BASE_SHA || 'HEAD'

/**
 * `{path, text}` of the file at a revision of the repository that `folder` is in; where it had another name there, under that, if
 * `renamed`. Undefined where there was none. Links lead where they led at that revision. What lies outside of the repository is in no revision,
 * and is taken as it is now. Throws a Failure where git cannot say.
 */
export async function versionAt(revision, file, folder = dirname(file), renamed = true) {
  if (revision.startsWith('-')) throw new Failure(`\`${revision}\` is not a revision`)
  const run = (...args) => git(args, folder)
  try {
    await run('cat-file', '-e', `${revision}^{tree}`)
    // A folder on the way may be a link, too: as the path was given it leads where it led then, and from `folder` where it leads now.
    const own = (await textAt(revision, file, '.').catch(() => undefined)) ?? (await textAt(revision, file, folder))
    if (own !== undefined) return { path: file, text: own }
    const path = renamed ? await formerName(run, revision, `./${relative(folder, file)}`, folder) : undefined
    return path === undefined ? undefined : { path, text: await textAt(revision, path, folder) }
  } catch (error) {
    if (said(error).includes('outside repository')) return present(file)
    const reason = error.code === 'ENOENT' ? 'git cannot be run' : said(error)
    throw new Failure(`no version of ${file} at ${revision}; name BASE: ${reason}`, { advice: FETCH })
  }
}

/** The text of a file at a revision, looked for from a folder; undefined where there is none. */
async function textAt(revision, file, folder) {
  const answer = await git(['cat-file', '--batch', '--follow-symlinks'], folder, `${revision}:./${relative(folder, file)}\n`)
  const [found] = answer.split('\n', 1)
  const text = answer.slice(found.length + 1, -1)
  if (/ blob \d+$/.test(found)) return text
  // A link that leads out of the repository.
  const top = async () => (await git(['rev-parse', '--show-toplevel'], folder)).trimEnd()
  return found.startsWith('symlink ') ? (await present(resolve(await top(), text)))?.text : undefined
}

const present = async (file) => ((await isFile(file)) ? { path: file, text: await read(file) } : undefined)

/** What a file that a revision lacks was called there. */
async function formerName(run, revision, path, folder) {
  const [own] = (await run('ls-files', '--full-name', '-z', '--', path)).split('\0')
  if (!own) return undefined
  const words = (await run('diff', '--find-renames', '--diff-filter=R', '--name-status', '-z', revision)).split('\0')
  const at = words.findIndex((word, at) => at % 3 === 2 && word === own)
  return at < 0 ? undefined : join(folder, (await run('rev-parse', '--show-cdup')).trim(), words[at - 1])
}

async function git(args, cwd, input = '') {
  const running = promisify(execFile)('git', args, { cwd, maxBuffer: 2 ** 28, env: { ...process.env, LC_ALL: 'C' } })
  running.child.stdin?.on('error', () => {}).end(input)
  return (await running).stdout
}

const said = (error) =>
  String(error.stderr ?? error.message)
    .trim()
    .split('\n')[0]
