// `tailnet-kit json`: plain JSON of HuJSON. Must not live here: HuJSON itself.
import { hujson } from 'tailnet-kit'
import { flag } from '../arguments.js'
import { expect, inFile, read } from '../files.js'

export const usage = 'FILE [--minimize]'
export const says = `Writes plain JSON to standard output: comments and trailing commas become blanks, so every byte keeps its position.
FILE may be '-'.`
export const options = { minimize: flag('as short as possible instead') }
export const exits = { 0: 'it is written', 2: 'wrong usage, or a file that cannot be read or is not HuJSON' }
export const examples = ['npx --no tailnet-kit json policy.hujson | jq .groups', 'npx --no tailnet-kit json --minimize - < policy.hujson']

export async function run({ minimize = false }, files) {
  expect(files, 'FILE')
  const text = await read(files[0])
  process.stdout.write(inFile(files[0], () => (minimize ? `${hujson.minimize(text)}\n` : hujson.standardize(text))))
  return 0
}
