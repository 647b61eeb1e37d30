// `tailnet-kit fmt` and `tailnet-kit json`. Must not live here: HuJSON itself.
import { writeFile } from 'node:fs/promises'
import { hujson } from 'tailnet-kit'
import { expect, read } from './files.js'
import { Failure, oneLine } from './failure.js'

/** Rewrites each file in its canonical layout; with `check` only names those that would change. Goes on after a bad file. */
export async function fmt({ check = false }, files) {
  if (files.length === 0) throw new Failure('FILE is missing; see --help')
  let code = 0
  for (const file of files) {
    try {
      if (await formatted(file, check)) code = Math.max(code, 1)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      process.stderr.write(`tailnet-kit: ${oneLine(error.message)}\n`)
      code = 2
    }
  }
  return code
}

/** Whether `check` found something to change. */
async function formatted(file, check) {
  const before = await read(file)
  const after = inFile(file, () => hujson.format(before))
  if (check) {
    if (before !== after) process.stdout.write(`${file}\n`)
    return before !== after
  }
  if (file === '-') process.stdout.write(after)
  else if (before !== after) await written(file, after)
  return false
}

async function written(file, text) {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new Failure(`cannot write ${file}: ${error.message}`)
  }
}

/** Plain JSON on standard output: every byte in its place, or as short as possible. */
export async function json({ minimize = false }, files) {
  expect(files, 'FILE')
  const text = await read(files[0])
  process.stdout.write(inFile(files[0], () => (minimize ? `${hujson.minimize(text)}\n` : hujson.standardize(text))))
  return 0
}

/** What `run` returns; an error of the kit becomes a Failure that names the file. */
export function inFile(file, run) {
  try {
    return run()
  } catch (error) {
    if (typeof error?.code !== 'string') throw error
    throw new Failure(`${file}: ${error.message}`)
  }
}
