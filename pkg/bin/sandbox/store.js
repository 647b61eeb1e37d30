// The state file of the sandbox: a line of JSON that holds the whole state, then a line for each change since. A change is
// appended and flushed; now and then, and at the end, the whole is written anew: a file at rest is plain JSON.
// Must not live here: what state and changes mean, when the whole is written.
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../failure.js'

/** A new file is its owner's: the secrets of the sandbox are in it. */
const MODE = 0o600

/** The file at a path; `load` comes first. */
export class StateFile {
  #path
  /** Which file it was when it was last read or written here; undefined where there was none. */
  #seen
  /** Open for appending. */
  #journal
  /** Whether lines can be added; otherwise the whole has to be written first. */
  #isTidy = false

  /** Bytes in it. */
  length = 0

  constructor(path) {
    this.#path = path
  }

  /**
   * What the file holds: `state`, and the `changes` since as they were appended; undefined where there is no file.
   * Throws a Failure that names the file where it cannot be read or holds no state.
   */
  async load() {
    const target = await this.#actual()
    // Whoever was killed while writing left it there.
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
   * Adds lines, so that they are on the disk when this resolves and gone when it throws. `whole` gives the lines that stand
   * for all before them, for a file that was taken away or cannot be added to.
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
   * Puts these lines in place of all, so that, whenever the machine or the process stops, the file holds either the old or the
   * new in full: a temporary file beside it, flushed to the disk, takes its name; then the folder is flushed. Its mode stays.
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
    // Windows opens no folders; there the rename alone must do.
    if (process.platform !== 'win32') await flushed(dirname(target), 'r', () => {})
  }

  async close() {
    await this.#journal?.close()
    this.#journal = undefined
  }

  /** The file behind a symbolic link. */
  #actual() {
    return realpath(this.#path).catch(() => this.#path)
  }

  /** Throws where another program wrote the file since: what that one answered must not be lost. */
  async #isThere(target) {
    const present = await identity(target)
    if (present === undefined || present === this.#seen) return present !== undefined
    throw new Error(`another program has changed ${this.#path}; restart to continue with its contents`)
  }
}

const asText = (lines) => lines.map((line) => `${line}\n`).join('')

/** The whole file is a state, as other programs and older versions write it; or its first line is, and each further one a change. */
function parsed(path, text) {
  const [first, ...rest] = text.split('\n')
  const whole = rest.every((line) => line === '') ? undefined : json(text)
  const state = whole ?? json(first)
  if (state === undefined) throw new Failure(`${path} is not JSON: ${reason(text)}`)
  if (typeof state?.tailnets !== 'object') throw new Failure(`${path} contains no state: an object with \`tailnets\``)
  if (whole) return { state, changes: [], isTidy: false }
  // What follows the last line break was being written when the machine stopped: nobody was told that it is there.
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

/** Each file that takes the name has a number of its own; time and size tell apart what was written in place. */
const stamp = ({ ino, mtimeNs, size }) => `${ino} ${mtimeNs} ${size}`

const identity = (path) => stat(path, { bigint: true }).then(stamp, () => undefined)

async function flushed(path, flags, use) {
  const handle = await open(path, flags, MODE)
  try {
    const result = await use(handle)
    await handle.sync()
    return result
  } catch (error) {
    // A file that is not whole would stand in the way of the next one.
    if (flags === 'wx') await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}
