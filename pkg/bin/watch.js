// Runs again whenever one of some files changes. Must not live here: what runs.
import { once } from 'node:events'
import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Failure, complain, isExpected } from './failure.js'

/** Milliseconds of quiet after a change: an editor writes a file in several steps. */
const QUIET = 100

/** Resolves to the last exit code after a signal, or where nobody reads the output any more. A file that cannot be read is reported, and watched until it can. */
export async function watched(files, run) {
  if (files.includes('-')) throw new Failure('--watch takes files, not standard input')
  let code
  let running = Promise.resolve()
  const start = () => (running = running.then(async () => (code = await told(run))))
  let quiet
  const later = () => {
    clearTimeout(quiet)
    quiet = setTimeout(start, QUIET)
  }
  // Watches folders, as editors replace a file by a new one; begins before the first run, as a file may change while it is read.
  const folders = new Map()
  for (const file of files) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), basename(file)])
  const watchers = [...folders].map(([folder, names]) => watch(folder, (_, name) => (name === null || names.includes(name)) && later()))
  start()
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process.stdout, 'error')])
  clearTimeout(quiet)
  for (const watcher of watchers) watcher.close()
  await running
  return code
}

async function told(run) {
  try {
    return await run()
  } catch (error) {
    if (!isExpected(error)) throw error
    complain(error)
    return error.exitCode ?? 2
  } finally {
    process.stderr.write('waiting for changes\n')
  }
}
