// Commands that answer a question about one policy: text, context, a refusal in one line, lines or JSON.
// Must not live here: questions, answers.
import { isTailnetError } from 'tailnet-kit'
import { oneLine, refusal } from './failure.js'
import { contextOf, expect, inFile, read } from './files.js'
import { VERSION } from './formats/json.js'

/**
 * Asks `ask(text, context)` about the one file and prints what `lines(answer, file)` makes of it, or the answer as JSON, one that
 * is a list or a table under the name `as`. Resolves to 0, or 1 for a policy that the service would refuse, said in one line.
 */
export async function answered({ devices, json = false }, files, { ask, lines, as }) {
  expect(files, 'FILE')
  const [file] = files
  const text = await read(file)
  const context = await contextOf(devices)
  try {
    const answer = inFile(file, () => ask(text, context))
    print(json && { version: VERSION, ...(as === undefined ? answer : { [as]: answer }) }, lines(answer, { file, context }))
    return 0
  } catch (error) {
    if (!isTailnetError(error, 'policy_refused')) throw error
    process.stderr.write(`${oneLine(refusal(file, error))}\n`)
    return 1
  }
}

/** The value as JSON where there is one to print, otherwise the lines. */
const print = (value, lines) => process.stdout.write(value ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${oneLine(line)}\n`).join(''))
