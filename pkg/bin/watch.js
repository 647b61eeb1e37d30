// Runs again whenever one of some files changes. Must not live here: what runs.
import { once } from 'node:events'
import { watch } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Failure, complain, isExpected } from './failure.js'

/** Milliseconds of quiet after a change: an editor writes a file in several steps. */
const QUIET = 100

/**
 * Resolves to the last exit code after a signal, or where nobody reads the output any more. `files()` is asked before each run, as what one
 * file names may change. A file that cannot be read is reported, and watched until it can.
 */
export async function watched(files, run) {
  let code
  let running = Promise.resolve()
  let quiet
  const watching = watcher(() => {
    clearTimeout(quiet)
    quiet = setTimeout(start, QUIET)
  })
  const again = async () => {
    watching.only(await files())
    return run()
  }
  const start = () => (running = running.then(async () => (code = await told(again))))
  // What cannot be watched at the start is wrong usage.
  watching.only(await files())
  start()
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process.stdout, 'error')])
  clearTimeout(quiet)
  await running
  watching.close()
  return code
}

/** Calls `changed` whenever one of the files given last changes. Watches their folders, as editors replace a file by a new one. */
function watcher(changed) {
  const folders = new Map()
  let wanted = new Set()
  const watchIn = (folder) => watch(folder, (_, name) => (name === null || wanted.has(join(folder, name))) && changed())
  return {
    only(files) {
      if (files.includes('-')) throw new Failure('--watch takes files, not standard input')
      wanted = new Set(files.map(normalize))
      for (const folder of new Set(files.map(dirname))) if (!folders.has(folder)) folders.set(folder, watchIn(folder))
    },
    close: () => folders.forEach((one) => one.close()),
  }
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
