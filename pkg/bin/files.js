// Text in and out of files, folders and standard input. Must not live here: what the text means.
import { readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Failure, RefusedFailure, SyntaxFailure } from './failure.js'
import { contextOf } from './listed.js'

/** The text of the file; `-` is standard input. Throws a Failure that names the file. */
export async function read(file) {
  const bytes = await bytesOf(file)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Failure(`${file}: not UTF-8`, { advice: 'save the file as UTF-8' })
  }
}

/** Whether there is a file of this name. */
export const isFile = async (file) => (await stat(file).catch(() => undefined))?.isFile() ?? false

let stdinIsRead = false

async function bytesOf(file) {
  if (file === '-') {
    if (stdinIsRead) throw new Failure('standard input can be read only once')
    stdinIsRead = true
    return buffer(process.stdin)
  }
  try {
    return await readFile(file)
  } catch (error) {
    const advice = error.code === 'ENOENT' ? 'the path is relative to the folder that the command runs in' : undefined
    throw new Failure(`cannot read ${file}: ${error.message}`, { advice })
  }
}

/** The value of a JSON text, which may begin with a byte-order mark (RFC 8259, section 8.1). Throws a Failure that names the file. */
function inJSON(file, text) {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new Failure(`${file}: not JSON: ${error.message}`, { advice: 'plain JSON is wanted here, without comments' })
  }
}

/** Puts the text into the file. Throws a Failure that names the file. */
export async function write(file, text) {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new Failure(`cannot write ${file}: ${error.message}`)
  }
}

/** Files beside policies that are not policies. */
const ASIDE = /\.guard\.hujson$/

/** These files, and the policies in each folder: all `.hujson` files, except guard files and those in dot folders and `node_modules`. */
export async function policies(paths) {
  if (paths.length === 0) throw new Failure('FILE is missing; see --help')
  const found = await Promise.all(paths.map(async (path) => ((await isFolder(path)) ? inFolder(path) : [path])))
  return [...new Set(found.flat())]
}

/** The same where a guard file among them stands for the policies in its own folder: who changes a guard alone has them judged by it. */
export async function judgeable(paths) {
  const found = await Promise.all((await policies(paths)).map((path) => (ASIDE.test(path) ? beside(path) : [path])))
  return [...new Set(found.flat().map((path) => (path === '-' ? path : join(path))))]
}

async function beside(guard) {
  const folder = dirname(guard)
  const found = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.hujson') && !ASIDE.test(name))
  if (found.length === 0) throw new Failure(`${guard}: no policy lies beside it; name the policies, with --guard`)
  return found.sort().map((name) => join(folder, name))
}

/** Whether the path leads to a folder; one that leads nowhere does not, which reading it will say. Throws a Failure where it cannot be known. */
async function isFolder(path) {
  try {
    return path !== '-' && (await stat(path)).isDirectory()
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ELOOP') return false
    throw new Failure(`cannot read ${path}: ${error.message}`)
  }
}

async function inFolder(folder) {
  const found = await walked(folder)
  if (found.length === 0) throw new Failure(`${folder}: it contains no .hujson file`, { advice: 'name the policy itself, whatever its ending' })
  return found.sort()
}

/** Links to folders are followed, except to those that the path comes from. Throws a Failure that names the folder that cannot be read. */
async function walked(folder, from = []) {
  try {
    const here = await realpath(folder)
    if (from.includes(here)) return []
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.') && name !== 'node_modules')
    const inside = async (path) => ((await isFolder(path)) ? walked(path, [...from, here]) : path.endsWith('.hujson') && !ASIDE.test(path) ? [path] : [])
    return (await Promise.all(names.map((name) => inside(join(folder, name))))).flat()
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`cannot read ${folder}: ${error.message}`)
  }
}

/** Throws a Failure unless `given` has exactly one argument for each of these names. */
export function expect(given, ...names) {
  if (given.length < names.length) throw new Failure(`${names[given.length]} is missing; see --help`)
  if (given.length > names.length) throw new Failure(`unexpected argument \`${given[names.length]}\``)
}

/** The result of `run`; an error of the kit about the text becomes a Failure that names the file, and the place if it has one. */
export function inFile(file, run) {
  try {
    return run()
  } catch (error) {
    if (error?.code === 'hujson_syntax') throw new SyntaxFailure(file, error.issue)
    if (error?.code === 'policy_refused') throw new RefusedFailure(file, error)
    throw error
  }
}

/** What a file of `--devices` may have. */
const MEMBERS = ['devices', 'users', 'domains', 'groups', 'attributes']
const ADVICE = 'write a list of devices, an object with devices, users, domains, groups or attributes, or what Headscale lists'

/**
 * The context in the text of a file of `--devices`: a list of devices, the service's own `{devices: [...]}`, what Headscale lists, or a whole context.
 * `judge` throws for one that the kit would not take. Throws a Failure that names the file.
 */
export async function contextIn(file, text, judge) {
  const value = inJSON(file, text)
  try {
    const context = await contextOf(value)
    if (!MEMBERS.some((name) => Object.hasOwn(Object(context), name))) throw new Failure('contains no devices', { advice: ADVICE })
    await judge(context)
    return context
  } catch (error) {
    throw new Failure(`${file}: ${error.message}`, { advice: error.advice })
  }
}
