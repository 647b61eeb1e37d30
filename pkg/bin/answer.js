// Commands that answer a question about one policy: text, context, a refusal in one line, lines or JSON.
// Must not live here: questions, answers.
import { policy } from 'tailnet-kit'
import { oneLine } from './failure.js'
import { contextOf, expect, inFile, read } from './files.js'
import { VERSION } from './formats/json.js'

/**
 * Asks `ask(text, context)` about the one file and prints what `lines(answer, file)` makes of it, or the answer as JSON, one that
 * is a list or a table under the name `as`. Resolves to 0; a policy
 * that the service would refuse is a RefusedFailure.
 */
export async function answered({ devices, json = false }, files, { ask, lines, as }) {
  expect(files, 'FILE')
  const [file] = files
  const text = await read(file)
  const context = await contextOf(devices)
  const answer = inFile(file, () => ask(text, context))
  print(json && { version: VERSION, ...(as === undefined ? answer : { [as]: answer }) }, lines(answer, { file, context }))
  return 0
}

/** Whether questions about a policy have answers, by the least that tells. */
export function isAnswering(text, context) {
  try {
    policy.preview(text, { ipPort: '0.0.0.0:0' }, context)
    return true
  } catch {
    return false
  }
}

/** The value as JSON where there is one to print, otherwise the lines. */
const print = (value, lines) => process.stdout.write(value ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${oneLine(line)}\n`).join(''))
