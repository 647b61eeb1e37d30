// `tailnet-kit pull`: the policy of a service as a file. Must not live here: the service.
import { KEYS, SERVICE, text } from '../arguments.js'
import { dialectOf, dialectWritten } from '../dialect.js'
import { expect, isFile, read, write } from '../files.js'
import { etagFile, stored } from '../service.js'

export const usage = '[--output FILE] [--base-url URL] [--tailnet NAME] [--dialect NAME]'
export const says = `Reads the policy of a service, comments and all, to standard output. With --output it goes to FILE and its ETag to
FILE.etag, so that \`apply\` refuses to overwrite a change that somebody else makes meanwhile.

${KEYS}`
export const options = { output: text('FILE', 'the file, and FILE.etag beside it'), ...SERVICE }
export const exits = { 0: 'the policy was read', 2: 'wrong usage, or a service that gave no policy' }
export const examples = [
  'npx --no tailnet-kit pull --output policy.hujson',
  'npx --no tailnet-kit pull --output policy.headscale.hujson --base-url https://headscale.example.com',
]

export async function run(values, given) {
  expect(given)
  const service = await stored(values, dialectOf(values.dialect, values.output) ?? (await dialectIn(values.output)))
  const { text, etag } = await service.get()
  if (values.output === undefined) {
    process.stdout.write(text)
    return 0
  }
  await write(values.output, text)
  if (etag) await write(etagFile(values.output), `${etag}\n`)
  return 0
}

/** The dialect that the file names which is written anew; undefined where there is none yet. */
const dialectIn = async (file) => (file !== undefined && (await isFile(file)) ? dialectWritten(await read(file)) : undefined)
