// Text in and out of files and standard input. Must not live here: what the text means.
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Failure } from './failure.js'

/** The text of the file, `-` being standard input. Throws a Failure that names the file. */
export async function read(file) {
  const bytes = await bytesOf(file)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Failure(`${file}: not UTF-8`)
  }
}

let stdinIsRead = false

async function bytesOf(file) {
  if (file === '-') {
    if (stdinIsRead) throw new Failure('standard input can be read once only')
    stdinIsRead = true
    return buffer(process.stdin)
  }
  try {
    return await readFile(file)
  } catch (error) {
    throw new Failure(`cannot read ${file}: ${error.message}`)
  }
}

/** The value in a JSON file. Throws a Failure that names the file. */
export async function readJSON(file) {
  const text = await read(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure(`${file}: not JSON: ${error.message}`)
  }
}

/** Throws a Failure unless `given` has exactly these, one name for each. */
export function expect(given, ...names) {
  if (given.length < names.length) throw new Failure(`${names[given.length]} is missing; see --help`)
  if (given.length > names.length) throw new Failure(`unexpected argument \`${given[names.length]}\``)
}
