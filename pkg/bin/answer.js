// What commands share that answer a question about one policy: reading it and its context, printing lines or JSON.
// Must not live here: questions, answers.
import { policy } from 'tailnet-kit'
import { contextOf } from './context.js'
import { oneLine } from './one-line.js'
import { expect, inFile, read } from './files.js'
import { VERSION } from './formats/json.js'

/**
 * Calls `ask(text, context)` for the one file and prints the lines that `lines` makes of the answer, or the answer as JSON; a list
 * or a table is printed as the member `as`. Resolves to 0, or to `code(answer)`. Throws a RefusedFailure for a policy that the service would refuse.
 */
export async function answered({ json = false, ...values }, files, { ask, lines, as, code = () => 0 }) {
  expect(files, 'FILE')
  const [file] = files
  const text = await read(file)
  const context = await contextOf(values, file)
  const answer = inFile(file, () => ask(text, context))
  print(json && { version: VERSION, ...(as === undefined ? answer : { [as]: answer }) }, lines(answer, { file, text, context }))
  return code(answer)
}

/** Whether questions about a policy have answers, found with the cheapest one. */
export function isAnswering(text, context) {
  try {
    policy.preview(text, { ipPort: '0.0.0.0:0' }, context)
    return true
  } catch {
    return false
  }
}

/** Prints the value as JSON, or the lines where the value is false. */
const print = (value, lines) => process.stdout.write(value ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${oneLine(line)}\n`).join(''))
