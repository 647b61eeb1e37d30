// Workflow commands of GitHub Actions, which become annotations of the changed lines. GitHub shows ten of a severity for each
// step; the summary of the job has all (`../judge.js`). Must not live here: findings.
import { oneLine } from '../one-line.js'
import { counted } from '../report.js'
import { under } from './paths.js'

const MOST = 10

export default function github(report, { failed }) {
  const shown = new Map()
  const isShown = ({ severity }) => {
    const before = shown.get(severity) ?? 0
    shown.set(severity, before + 1)
    return before < MOST
  }
  const lines = report.findings.filter(isShown).map(annotation)
  const left = report.findings.length - lines.length
  const sums = counted(report)
  const words = [...(left > 0 ? [`${left} more in the summary of the job`] : []), ...(sums ? [sums] : []), ...report.verdict, failed ? 'failed' : 'passed']
  return [...lines, ...words.map(plain)].map((line) => `${line}\n`).join('')
}

/** A line that GitHub never takes for a command, whatever words of a policy are in it. */
const plain = (line) =>
  oneLine(line)
    .replace(/^(\s*)::/, '$1: :')
    .replaceAll('##[', '# #[')

const annotation = ({ severity, file, line, range, message, hint, code }) =>
  command(severity, { file, ...(range === undefined ? { line } : region(range)), title: `tailnet-kit ${code}` }, [message, hint])

/** The annotation of a failure, which ends the command before there is a report. */
export const failure = ({ message, advice, place: { file, line, column: col } = {} }) =>
  command('error', { file, line, col, title: 'tailnet-kit' }, [message, advice])

function command(severity, { file, ...properties }, lines) {
  const path = file === undefined ? undefined : under(process.env.GITHUB_WORKSPACE ?? process.cwd(), file)
  const written = Object.entries({ file: path, ...properties })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${property(String(value))}`)
  return `::${severity} ${written.join(',')}::${lines
    .filter((part) => part !== undefined)
    .map((part) => escaped(oneLine(part)))
    .join('%0A')}`
}

/** The place of an annotation; it has columns only where it is within one line. */
const region = ({ start, end }) =>
  start.line === end.line ? { line: start.line, col: start.column, endColumn: Math.max(start.column, end.column) } : { line: start.line, endLine: end.line }

const escaped = (text) => text.replaceAll('%', '%25')
const property = (text) => escaped(oneLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
