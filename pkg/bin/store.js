// The state file of the sandbox: read at start, replaced as a whole after each change.
// Must not live here: what the state means, when to save.
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from './failure.js'

/** The file at `path`; `load` comes first. */
export function stateFile(path) {
  /** Which file it was when it was last read or written here; undefined where there was none. */
  let seen
  const actual = () => realpath(path).catch(() => path)

  /**
   * What the file holds; undefined where there is none yet.
   * Throws a Failure that names the file where it cannot be read or holds no state.
   */
  const load = async () => {
    const target = await actual()
    // Whoever was killed while writing left it there.
    await rm(`${target}.tmp`, { force: true }).catch(() => {})
    seen = await identity(target)
    const text = await readFile(path, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return undefined
      throw new Failure(`cannot read ${path}: ${error.message}`)
    })
    return text === undefined ? undefined : parsed(path, text)
  }

  /**
   * Replaces the file so that, whenever the machine or the process stops, it holds either the old or the new state in full:
   * a temporary file beside it, flushed to the disk, takes its name; then the folder is flushed.
   * Throws where another program wrote it since: what that one answered must not be lost.
   */
  const save = async (state) => {
    const target = await actual()
    const present = await identity(target)
    if (present !== undefined && present !== seen) throw new Error(`another program has changed ${path}; start again to go on from there`)
    const temporary = `${target}.tmp`
    const written = await flushed(temporary, 'wx', async (handle) => {
      await handle.writeFile(`${JSON.stringify(state, null, 2)}\n`)
      return stamp(await handle.stat({ bigint: true }))
    })
    await rename(temporary, target)
    seen = written
    // Windows opens no folders; there the rename alone must do.
    if (process.platform !== 'win32') await flushed(dirname(target), 'r', () => {})
  }

  return { load, save }
}

function parsed(path, text) {
  let state
  try {
    state = JSON.parse(text)
  } catch (error) {
    throw new Failure(`${path} is not JSON: ${error.message}`)
  }
  if (typeof state?.tailnets !== 'object') throw new Failure(`${path} holds no state: an object with \`tailnets\``)
  return state
}

/** Each file that takes the name has a number of its own; the time tells apart those written in place. */
const stamp = ({ ino, mtimeNs, size }) => `${ino} ${mtimeNs} ${size}`

const identity = (path) => stat(path, { bigint: true }).then(stamp, () => undefined)

async function flushed(path, flags, use) {
  const handle = await open(path, flags)
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
