// Markdown for a comment or the summary of a job. Must not live here: findings.
import { pageOf } from '../issues.js'
import { oneLine } from '../one-line.js'
import { counted } from '../report.js'

export default function markdown(report, { failed }) {
  const sums = counted(report)
  const title = `### tailnet-kit ${report.command}: ${failed ? 'failed' : 'passed'}${sums && `, ${sums}`}`
  // A summary tells the notices of a policy, and not those of a guard.
  const told = report.findings.filter(({ severity, code }) => report.summary === undefined || severity !== 'notice' || code === 'guard-changed')
  const verdict = report.verdict.map((line) => words(line))
  const blocks = [title, ...(told.length > 0 ? [told.map(item).join('\n')] : []), ...(report.summary === undefined ? verdict : [report.summary.trimEnd()])]
  return `${blocks.join('\n\n')}\n`
}

function item({ severity, file, line, column, message, hint, code }) {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return `- **${severity}** ${words(place)}: ${words(message)} [\`${code}\`](${pageOf(code)})${hint === undefined ? '' : `\n  ${words(hint)}`}`
}

/** Words of a policy, escaped so that nothing in them works as Markdown or HTML. */
const words = (text) => oneLine(text).replace(/[\\`*_[\]<>|~#]/g, '\\$&')
