// The state file of the sandbox: read at start, replaced as a whole after each change.
// Must not live here: what the state means, when to save.
import { open, readFile, realpath, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from './failure.js'

/**
 * What the file holds; undefined where there is none yet.
 * Throws a Failure that names the file where it cannot be read or is not JSON.
 */
export async function load(file) {
  let text
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw new Failure(`cannot read ${file}: ${error.message}`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure(`${file} is not JSON: ${error.message}`)
  }
}

/**
 * Replaces the file so that, whenever the machine or the process stops, it holds either the old or the new state in full:
 * a temporary file beside it, flushed to the disk, takes its name; then the folder is flushed.
 */
export async function save(file, state) {
  const target = await realpath(file).catch(() => file)
  const temporary = `${target}.tmp`
  await flushed(temporary, 'w', (handle) => handle.writeFile(`${JSON.stringify(state, null, 2)}\n`))
  await rename(temporary, target)
  // Windows opens no folders; there the rename alone must do.
  if (process.platform !== 'win32') await flushed(dirname(target), 'r', () => {})
}

async function flushed(path, flags, use) {
  const handle = await open(path, flags)
  try {
    await use(handle)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
