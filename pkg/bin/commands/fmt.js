// `tailnet-kit fmt`: policies in canonical layout. Must not live here: the layout.
import { hujson } from 'tailnet-kit'
import { flag } from '../arguments.js'
import { complain, isExpected } from '../failure.js'
import { inFile, policies, read, write } from '../files.js'
import { patch } from '../patch.js'

export const usage = '[--check] [--diff] FILE|FOLDER...'
export const says = `Rewrites each file in the canonical layout of the reference formatter; '-' goes to standard output. A file that is
not HuJSON is left unchanged, and the others are still formatted.`
export const options = { check: flag('write nothing, list the files that would change'), diff: flag('write nothing, show what would change') }
export const exits = { 0: 'all files are now in canonical layout, or --diff has shown what would change', 1: '--check: a file would change' }
export const examples = ['npx --no tailnet-kit fmt policy.hujson', 'npx --no tailnet-kit fmt --check --diff .']

export async function run({ check = false, diff = false }, paths) {
  let code = 0
  for (const file of await policies(paths)) {
    try {
      if (await changes(file, { check, diff })) code = Math.max(code, check ? 1 : 0)
    } catch (error) {
      if (!isExpected(error)) throw error
      complain(error)
      code = 2
    }
  }
  return code
}

/** Whether the file is not in canonical layout. Writes it in that layout, or prints that it is not. */
async function changes(file, { check, diff }) {
  const before = await read(file)
  const after = inFile(file, () => hujson.format(before))
  const isOther = before !== after
  if (diff) process.stdout.write(isOther ? patch(file, before, file, after) : '')
  else if (check) process.stdout.write(isOther ? `${file}\n` : '')
  else if (file === '-') process.stdout.write(after)
  else if (isOther) await write(file, after)
  return isOther
}
