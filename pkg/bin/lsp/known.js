// The context: the file of devices, read again when it has changed. Must not live here: what it means.
import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setTimeout as later } from 'node:timers/promises'
import { contextIn, read as textOf } from '../files.js'

/** How many milliseconds a program may take that writes the file anew: it empties it first, or takes it away. */
const WRITTEN = 200

/** By the engine that is asked anyway, loaded when it first is. */
const judge = async (context) => (await import('tailnet-kit/language')).language.diagnostics('{}', context)

/**
 * Calls `complain(message)` once for each fault, however many ask at once: editors hide messages that come too often. Where the file cannot be
 * read or is no context, nothing is known.
 */
export function known(named, complain) {
  let file = named
  let read = { at: undefined, context: undefined }
  const once = async () => contextIn(file, await textOf(file), judge)
  const reread = () =>
    once()
      .catch(() => later(WRITTEN).then(once))
      .catch((error) => {
        complain(error.message)
      })
  return {
    /** Takes the file that the editor's settings name, relative to its workspace, unless the command line named one. */
    within(uri, wanted) {
      if (file !== undefined || typeof wanted !== 'string' || wanted === '') return
      file = uri?.startsWith('file:') ? resolve(fileURLToPath(uri), wanted) : wanted
    },
    /** The watchers of the protocol for the file. A sign that patterns give a meaning is any sign. */
    watchers(relative) {
      if (file === undefined) return []
      const pattern = basename(file).replace(/[*?[\]{}]/g, '?')
      return [{ globPattern: relative ? { baseUri: pathToFileURL(dirname(resolve(file))).href, pattern } : `**/${pattern}` }]
    },
    async context() {
      if (file === undefined) return undefined
      const at = await stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => -1,
      )
      // Kept before it is done, so that who asks meanwhile waits for it.
      if (at !== read.at) read = { at, context: reread() }
      return read.context
    },
  }
}
