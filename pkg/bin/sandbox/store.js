// The state file of the sandbox: a line of JSON with the whole state, then a line for each change since. A change is appended and
// flushed; now and then, and at the end, the whole state is written anew, so that a file not in use is plain JSON.
// Must not live here: what state and changes mean, when the whole is written.
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../failure.js'

/** Only the owner may read a new file: the secrets of the sandbox are in it. */
const MODE = 0o600

/** The file at a path; `load` must be called first. */
export class StateFile {
  #path
  /** The identity of the file when this process last read or wrote it; undefined where there was none. */
  #seen
  /** The file, open for appending. */
  #journal
  /** Whether lines can be appended; otherwise the whole state has to be written first. */
  #isTidy = false

  /** The length of the file in bytes. */
  length = 0

  constructor(path) {
    this.#path = path
  }

  /**
   * The content of the file: `state`, and the `changes` appended since; undefined where there is no file.
   * Throws a Failure that names the file where it cannot be read or contains no state.
   */
  async load() {
    const target = await this.#actual()
    // A server that was killed while writing left this file behind.
    await rm(`${target}.tmp`, { force: true }).catch(() => {})
    this.#seen = await identity(target)
    const text = await readFile(target, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return undefined
      throw new Failure(`cannot read ${this.#path}: ${error.message}`)
    })
    if (text === undefined) return undefined
    const { isTidy, ...held } = parsed(this.#path, text)
    this.#isTidy = isTidy
    this.length = Buffer.byteLength(text)
    return held
  }

  /**
   * Appends lines: they are on the disk when this resolves, and not in the file when it throws. `whole` returns the lines to write
   * before them where the file was removed or cannot be appended to.
   */
  async append(lines, whole) {
    const target = await this.#actual()
    if (!(await this.#isThere(target)) || !this.#isTidy) return this.replace([...whole(), ...lines])
    const added = Buffer.from(asText(lines))
    this.#journal ??= await open(target, 'a')
    try {
      await this.#journal.appendFile(added)
      await this.#journal.datasync()
      this.length += added.length
    } catch (error) {
      this.#isTidy = false
      await this.#journal.truncate(this.length)
      throw error
    } finally {
      this.#seen = stamp(await this.#journal.stat({ bigint: true }))
    }
  }

  /**
   * Replaces the whole file by these lines. Whenever the machine or the process stops, the file has either the old or the new
   * content in full: a temporary file beside it, flushed to the disk, takes its name; then the folder is flushed. The mode stays.
   */
  async replace(lines) {
    const target = await this.#actual()
    await this.#isThere(target)
    await this.close()
    const temporary = `${target}.tmp`
    const before = await stat(target).catch(() => undefined)
    const text = asText(lines)
    const written = await flushed(temporary, 'wx', async (handle) => {
      if (before) await handle.chown(before.uid, before.gid).catch(() => {})
      await handle.chmod(before ? before.mode & 0o7777 : MODE)
      await handle.writeFile(text)
      return stamp(await handle.stat({ bigint: true }))
    })
    await rename(temporary, target)
    this.#seen = written
    this.#isTidy = true
    this.length = Buffer.byteLength(text)
    // Windows cannot open folders; there the rename alone must do.
    if (process.platform !== 'win32') await flushed(dirname(target), 'r', () => {})
  }

  async close() {
    await this.#journal?.close()
    this.#journal = undefined
  }

  /** The path of the file itself, where ours is a symbolic link. */
  #actual() {
    return realpath(this.#path).catch(() => this.#path)
  }

  /** Whether the file is there. Throws where another program has written it since, whose changes must not be lost. */
  async #isThere(target) {
    const present = await identity(target)
    if (present === undefined || present === this.#seen) return present !== undefined
    throw new Error(`another program has changed ${this.#path}; restart to continue with its contents`)
  }
}

const asText = (lines) => lines.map((line) => `${line}\n`).join('')

/** Reads a file: all of it is a state, as other programs and older versions write it; or its first line is, and each further line is a change. */
function parsed(path, text) {
  const [first, ...rest] = text.split('\n')
  const whole = rest.every((line) => line === '') ? undefined : json(text)
  const state = whole ?? json(first)
  if (state === undefined) throw new Failure(`${path} is not JSON: ${reason(text)}`)
  if (typeof state?.tailnets !== 'object') throw new Failure(`${path} contains no state: an object with \`tailnets\``)
  if (whole) return { state, changes: [], isTidy: false }
  // A last line without a line break was being written when the machine stopped: its change was never answered.
  const torn = rest.pop()
  const changes = rest.map(json)
  const bad = changes.indexOf(undefined)
  if (bad >= 0) throw new Failure(`${path} cannot be read: line ${bad + 2} is not JSON`)
  return { state, changes, isTidy: torn === '' }
}

function json(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reason(text) {
  try {
    JSON.parse(text)
  } catch (error) {
    return error.message
  }
}

/** Each file that takes the name has its own inode; time and size show that a file was changed in place. */
const stamp = ({ ino, mtimeNs, size }) => `${ino} ${mtimeNs} ${size}`

const identity = (path) => stat(path, { bigint: true }).then(stamp, () => undefined)

async function flushed(path, flags, use) {
  const handle = await open(path, flags, MODE)
  try {
    const result = await use(handle)
    await handle.sync()
    return result
  } catch (error) {
    // A partly written file would block the next attempt.
    if (flags === 'wx') await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}
