// Lines for people: each finding with its place underlined and what to do about it, then the verdict. Must not live here: findings.
import util from 'node:util'
import { oneLine } from '../one-line.js'
import { frame } from '../frame.js'
import { pageOf } from '../issues.js'
import { counted } from '../report.js'

const COLOURS = { error: 'red', warning: 'yellow', notice: 'cyan', hint: 'green', frame: 'dim', place: 'bold' }

/** Whether to print colours: `NO_COLOR` and `FORCE_COLOR` decide if set, otherwise the terminal. */
const isColoured = () => {
  const { NO_COLOR, FORCE_COLOR } = process.env
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true
  return !NO_COLOR && FORCE_COLOR !== '0' && process.stdout.isTTY === true && process.stdout.hasColors()
}

export default function text(report, { failed }) {
  // Node has styles from 20.12 on.
  const style = isColoured() && util.styleText ? styled : (_, words) => words
  const findings = report.lines?.map(oneLine) ?? report.findings.flatMap((finding) => told(finding, report, style))
  const sums = report.lines ? '' : counted(report)
  const verdict = report.verdict.map((line) => style(failed ? 'error' : 'hint', oneLine(line)))
  return [...findings, ...(sums && report.findings.length + report.ignored.length > 1 ? [sums] : []), ...verdict].map((line) => `${line}\n`).join('')
}

/** A code is a link to its page, which terminals open by a click (OSC 8). */
const styled = (what, words) => (what === 'code' ? `\x1b]8;;${pageOf(words)}\x1b\\${words}\x1b]8;;\x1b\\` : util.styleText(COLOURS[what], words))

function told(finding, report, style) {
  const { severity, message, hint, code } = finding
  const first = `${style('place', oneLine(place(finding)))}: ${style(severity, severity)}: ${oneLine(message)} [${style('code', code)}]`
  const advice = hint === undefined ? [] : [`  ${style('hint', 'hint')}: ${oneLine(hint)}`]
  return [first, ...framed(finding, report, style), ...advice]
}

const place = ({ file, line, column }) => [file, line, column].filter((part) => part !== undefined).join(':')

/** The line of a finding with its place underlined; none for notices, which are many and need no frame. */
function framed({ severity, file, range }, report, style) {
  if (severity === 'notice' || range === undefined) return []
  const { start, end } = range
  const source = report.lineOf(file, start.line)
  const [shown, underline] = frame(source, start.column, end.line === start.line ? end.column : source.length + 1)
  const number = String(start.line)
  return [`  ${style('frame', `${number} |`)} ${shown}`, `  ${style('frame', `${' '.repeat(number.length)} |`)} ${style(severity, underline)}`]
}
