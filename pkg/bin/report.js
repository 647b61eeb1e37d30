// What a command found, in one form for every format, and whether that makes the run fail.
// Must not live here: how anything is shown, what is looked for.
import { places } from './place.js'

/** From the least to the worst. */
export const SEVERITIES = ['notice', 'warning', 'error']

/**
 * A report of one run. `results` are the members that the JSON form has beside the findings; `lines` replace the findings in the text
 * form, and `verdict` are its last lines; `summary` is the command's own Markdown; `passed` are the checks that passed, by file and name.
 */
export function report(command, { sources, findings, ignored = [], results = {}, lines, verdict = [], summary, passed = [] }) {
  const found = new Map()
  const at = (file) => found.get(file) ?? found.set(file, places(sources.get(file))).get(file)
  const placed = (finding) => (finding.offset === undefined ? finding : { ...finding, range: at(finding.file).range(finding.offset, finding.length) })
  return {
    command,
    sources,
    findings: findings.map(placed),
    ignored: ignored.map(placed),
    results,
    lines,
    verdict,
    summary,
    passed,
    lineOf: (file, number) => at(file).source(number),
  }
}

/** Whether findings make the run fail: one of this severity or worse, or more warnings than allowed. */
export function fails({ findings }, { failLevel, maxWarnings }) {
  return findings.some((finding) => isAtLeast(finding, failLevel)) || count(findings, 'warning') > maxWarnings
}

/** Whether a finding is of this severity or worse. */
export const isAtLeast = ({ severity }, least) => SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)

/** Findings with the worst in front, else as they are. */
export const worstFirst = (findings) => findings.toSorted((one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity))

/** How many findings have this severity. */
export const count = (findings, severity) => findings.filter((finding) => finding.severity === severity).length

/** `2 errors, 1 warning`; nothing where there is none. */
export function counted({ findings, ignored }) {
  const some = [...SEVERITIES].reverse().map((severity) => [count(findings, severity), severity])
  return [...some, [ignored.length, 'ignored']]
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${number} ${what}${number > 1 && what !== 'ignored' ? 's' : ''}`)
    .join(', ')
}

/** An issue of the kit in a file. */
export const ofIssue = (file) => (issue) => ({ file, ...issue })

/** The range of a line, for findings that have only a line. */
export function onLine(text, line) {
  const all = places(text)
  return line >= 1 && line <= all.count ? { line, ...columnOf(all.line(line), all.range(all.line(line).offset, 0)) } : {}
}

const columnOf = (stretch, { start }) => ({ column: start.column, ...stretch })
