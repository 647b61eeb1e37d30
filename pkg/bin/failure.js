// How the command ends badly: one line on standard error and exit code 2; and what one line is.
// Must not live here: what can go wrong.

/** Wrong usage, or a file or port that cannot be had. The message is the one line that is shown. */
export class Failure extends Error {}

/** A text as one line that does nothing to a terminal: control characters become escapes. */
export const oneLine = (text) =>
  text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]/g, (c) => (c === '\n' ? '\\n' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`))

/** Sets the exit code to what `run` resolves to; a Failure, or an error of the kit, is one line and code 2. */
export async function exit(run) {
  try {
    process.exitCode = await run
  } catch (error) {
    const expected = error instanceof Failure || typeof error?.code === 'string'
    process.stderr.write(`tailnet-kit: ${expected ? oneLine(error.message) : error?.stack ?? error}\n`)
    process.exitCode = 2
  }
}
