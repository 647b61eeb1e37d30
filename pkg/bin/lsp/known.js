// The context: the file of devices, read again when it has changed. Must not live here: what it means.
import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { contextIn } from '../files.js'

/** By the engine that is asked anyway, loaded when it first is. */
const judge = async (context) => (await import('tailnet-kit/language')).language.diagnostics('{}', context)

/** Calls `complain(message)` once for each fault. Where the file cannot be read or is no context, nothing is known. */
export function known(named, complain) {
  let file = named
  let read = { at: undefined, context: undefined }
  const reread = async (at) => {
    try {
      return { at, context: await contextIn(file, judge) }
    } catch (error) {
      complain(error.message)
      return { at, context: undefined }
    }
  }
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
      if (at !== read.at) read = await reread(at)
      return read.context
    },
  }
}
