// How the command fails: one line on standard error, on GitHub an annotation, and an exit code. Must not live here: what can go wrong.

import { failure } from './formats/github.js'
import { oneLine } from './one-line.js'

/**
 * Wrong usage, or a file or port that cannot be had. The message is the one line that is shown; `advice` is what to do about it, which an
 * annotation has room for; `place` is `{file, line, column}`, or what is known of these.
 */
export class Failure extends Error {
  exitCode = 2
  advice = '`tailnet-kit COMMAND --help` says what a command takes'
  /** What the line starts with: the name of the command, or nothing where it starts with a place for editors and problem matchers. */
  prefix = 'tailnet-kit: '
  constructor(message, { advice, place = {} } = {}) {
    super(message)
    this.advice = advice ?? this.advice
    this.place = place
  }
}

/** A file that is not HuJSON. */
export class SyntaxFailure extends Failure {
  prefix = ''
  constructor(file, { line, column, message, hint, code }) {
    const advice = 'mend the text there first: nothing of it can be read'
    super(`${file}:${line}:${column}: error: ${message}${hint ? ` (${hint})` : ''} [${code}]`, { advice, place: { file, line, column } })
  }
}

/** A policy that the service would refuse, about which no question has an answer: the place and hint of its first error, the service's words. */
export class RefusedFailure extends Failure {
  prefix = ''
  exitCode = 1
  constructor(file, { message, check }) {
    const error = check?.issues.find(({ severity }) => severity === 'error')
    const { line, column } = error ?? {}
    super(`${error === undefined ? file : `${file}:${line}:${column}`}: refused: ${message}${error?.hint ? ` (${error.hint})` : ''}`, {
      advice: '`tailnet-kit check` lists all that the service would refuse',
      place: { file, line, column },
    })
  }
}

/** Prints the line of a failure: on GitHub as an annotation, which is seen without reading the log. */
export function complain(error) {
  const isAnnotated = process.env.GITHUB_ACTIONS === 'true'
  const line = isAnnotated ? failure(error) : `${error.prefix ?? 'tailnet-kit: '}${oneLine(error.message)}`
  process.stderr.write(`${line}\n`)
}

/** Whether the error is shown as one line: a Failure, or an error of the kit. */
export const isExpected = (error) => error instanceof Failure || typeof error?.code === 'string'

/** What an annotation says of an error that nobody expected. */
const UNEXPECTED = 'this is a fault of tailnet-kit: please report it, with the log of this step'

/** Tells of a failure, or of an error that nobody expected with the calls that led to it, and sets the exit code. */
export function failed(error) {
  if (isExpected(error)) complain(error)
  else {
    if (process.env.GITHUB_ACTIONS === 'true') complain({ message: String(error?.message ?? error), advice: UNEXPECTED })
    process.stderr.write(`tailnet-kit: ${error?.stack ?? error}\n`)
  }
  process.exitCode = error?.exitCode ?? 2
}

/** Sets the exit code that `run` resolves to. A Failure, or an error of the kit, prints one line and gives its own code, or 2. */
export async function exit(run) {
  try {
    process.exitCode = await run
  } catch (error) {
    failed(error)
  }
}
