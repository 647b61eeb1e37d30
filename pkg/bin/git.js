// An earlier version of a file, from git. Must not live here: what it is for.
import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
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
  try {
    await git(['cat-file', '-e', `${revision}^{tree}`], folder)
    const homes = (await placesOf(join(folder, 'any'))).map(({ top }) => top)
    const places = (await placesOf(file)).filter(({ top }) => homes.includes(top))
    if (places.length === 0) return await present(file)
    for (const { top, path } of places) {
      const text = await textAt(revision, path, top)
      if (text !== undefined) return { path: file, text }
    }
    const { top, path } = places.at(-1)
    const former = renamed ? await formerName(revision, path, top) : undefined
    return former === undefined ? undefined : { path: relative('.', join(top, former)), text: await textAt(revision, former, top) }
  } catch (error) {
    const reason = error.code === 'ENOENT' ? 'git cannot be run' : said(error)
    throw new Failure(`no version of ${file} at ${revision}; name BASE: ${reason}`, { advice: FETCH })
  }
}

/**
 * The repositories that a file lies in, the outermost first, each with the file's path in it. The path keeps its links, as a change may turn
 * one, or put a repository of its own in the place of a folder.
 */
async function placesOf(file) {
  const whole = resolve(await startingAt(), file)
  const found = new Map()
  for (const folder of above(whole)) {
    const here = await realpath(folder).catch(() => undefined)
    const top = here && (await topOf(here))
    if (top && !found.has(top)) found.set(top, relative(top, join(here, relative(folder, whole))))
  }
  return [...found].map(([top, path]) => ({ top, path: path.split(sep).join('/') }))
}

/** The current folder by the name that the shell gave it, which has its links, where that is still so. */
async function startingAt({ PWD } = process.env) {
  const here = process.cwd()
  return PWD && (await realpath(PWD).catch(() => undefined)) === here ? PWD : here
}

/** The folders above a path, the outermost first. */
const above = (path) => (dirname(path) === path ? [] : [...above(dirname(path)), dirname(path)])

/** The roots that git was asked for, by folder. */
const tops = new Map()

/** The root of the repository that a folder is in; undefined where it is in none. */
function topOf(folder) {
  const ask = () =>
    git(['rev-parse', '--show-toplevel'], folder).then(
      (top) => (top.trimEnd() ? resolve(top.trimEnd()) : undefined),
      () => undefined,
    )
  return tops.get(folder) ?? tops.set(folder, ask()).get(folder)
}

/** The text of a file at a revision of a repository; undefined where there is none. */
async function textAt(revision, path, top) {
  const answer = await git(['cat-file', '--batch', '--follow-symlinks'], top, `${revision}:${path}\n`)
  const [found] = answer.split('\n', 1)
  const text = answer.slice(found.length + 1, -1)
  if (/ blob \d+$/.test(found)) return text
  // A link that leads out of the repository.
  return found.startsWith('symlink ') ? (await present(resolve(top, text)))?.text : undefined
}

const present = async (file) => ((await isFile(file)) ? { path: file, text: await read(file) } : undefined)

/** What a file that a revision lacks was called there. */
async function formerName(revision, path, top) {
  const [own] = (await git(['ls-files', '-z', '--', `:(literal)${path}`], top)).split('\0')
  if (!own) return undefined
  const words = (await git(['diff', '--find-renames', '--diff-filter=R', '--name-status', '-z', revision], top)).split('\0')
  const at = words.findIndex((word, at) => at % 3 === 2 && word === own)
  return at < 0 ? undefined : words[at - 1]
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
