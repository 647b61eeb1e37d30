// `tailnet-kit check`, `preview` and `diff`: results of the policy namespace as lines, or as JSON.
// Must not live here: verdicts.
import { isTailnetError, policy } from 'tailnet-kit'
import { Failure, oneLine } from './failure.js'
import { expect, read, readJSON } from './files.js'
import { inFile } from './text.js'

/** One line for each issue, then the verdict; 1 if the service would refuse the policy. */
export async function check({ devices, json = false }, files) {
  expect(files, 'FILE')
  const [file] = files
  const report = policy.check(await read(file), await contextOf(devices))
  print(json && report, [...report.issues.map((issue) => issueLine(file, issue)), ...verdict(report)])
  return report.accepted ? 0 : 1
}

const issueLine = (file, { line, column, severity, message, code }) => `${file}:${line}:${column}: ${severity}: ${message} [${code}]`

function verdict({ accepted, message, tests }) {
  const failed = tests.results.filter(({ passed }) => passed === false)
  const errors = failed.flatMap(({ section, index, src, errors }) => errors.map((error) => `${section}[${index}] ${src}: ${error}`))
  return [...errors, accepted ? 'accepted' : `refused: ${message}`]
}

/** What the rules are asked about, by the option that says it. */
const QUERIES = { user: 'user', 'ip-port': 'ipPort', tag: 'tag', group: 'group', autogroup: 'autogroup', host: 'host', device: 'device' }

/** The rules that concern somebody or something. */
export async function preview({ devices, json = false, ...asked }, files) {
  expect(files, 'FILE')
  const [option, another] = Object.keys(asked)
  if (option === undefined || another !== undefined) throw new Failure(`give one of --${Object.keys(QUERIES).join(', --')}`)
  const text = await read(files[0])
  const context = await contextOf(devices)
  return accepted(files[0], () => {
    const answer = policy.preview(text, { [QUERIES[option]]: asked[option] }, context)
    print(json && answer, previewLines(files[0], answer))
    return 0
  })
}

function previewLines(file, { user, matches, unknown, unresolved, hint }) {
  const nowhere = unresolved.map((name) => `neither policy nor devices know ${name}${hint ? `: ${hint}` : ''}`)
  const lines = matches.map(({ users, ports, lineNumber }) => `${file}:${lineNumber}: ${users.join(', ')} -> ${ports.join(', ')}`)
  const open = unknown.map(({ section, index, line }) => `${file}:${line}: ${section}[${index}] cannot be decided without --devices`)
  const all = [...nowhere, ...lines, ...open]
  return all.length === 0 ? [`no rule concerns ${user}`] : all
}

/** Who gains and who loses access from one policy to the next; 1 if anyone does. */
export async function diff({ devices, json = false, 'exit-zero': exitZero = false }, files) {
  expect(files, 'BEFORE', 'AFTER')
  const [before, after] = [await read(files[0]), await read(files[1])]
  const context = await contextOf(devices)
  // The least that says which of the two has no answers.
  for (const [place, text] of [before, after].entries()) inFile(files[place], () => policy.preview(text, { ipPort: '0.0.0.0:0' }, context))
  const changes = policy.diffAccess(before, after, context)
  print(json && changes, changes.flatMap(changeLines))
  return changes.length > 0 && !exitZero ? 1 : 0
}

const changeLines = ({ source, gained, lost }) => [source, ...gained.map(reachLine('+')), ...lost.map(reachLine('-'))]
const reachLine = (sign) => ({ destination, ports }) => `  ${sign} ${destination}:${ports.join(',')}`

/** A list of devices, the service's own `{devices: [...]}`, or a whole context. */
async function contextOf(file) {
  if (file === undefined) return undefined
  const value = await readJSON(file)
  if (Array.isArray(value)) return { devices: value }
  if (!['devices', 'users', 'domains'].some((name) => Object.hasOwn(Object(value), name))) throw new Failure(`${file}: holds no devices`)
  return value
}

/** A policy that is refused is an answer, said in one line with code 1; one that cannot be read is a Failure. */
function accepted(file, run) {
  return inFile(file, () => {
    try {
      return run()
    } catch (error) {
      if (!isTailnetError(error, 'policy_refused')) throw error
      process.stderr.write(`${oneLine(`${file}: refused: ${error.message}`)}\n`)
      return 1
    }
  })
}

/** The value as JSON where there is one to print, otherwise the lines. */
const print = (value, lines) => process.stdout.write(value ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${oneLine(line)}\n`).join(''))
