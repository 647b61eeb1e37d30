// JUnit's XML, in the form that Jenkins has a schema for. Must not live here: findings.

import { isAtLeast } from '../report.js'

export default function junit(report, { failLevel }) {
  const suites = [...report.sources.keys()].map((file) => suiteOf(file, casesOf(file, report, failLevel)))
  const sums = ['tests', 'failures'].map((name) => `${name}="${suites.reduce((sum, suite) => sum + suite[name], 0)}"`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tailnet-kit ${report.command}" ${sums.join(' ')}>\n${suites.map(({ xml }) => xml).join('')}</testsuites>\n`
}

/** The test cases of a file: what passed, each finding, and each ignored finding; where there are none, the command itself. */
function casesOf(file, { command, passed, findings, ignored }, failLevel) {
  const own = (list) => list.filter((one) => one.file === file)
  const told = own(findings).map((finding) => ({ ...ofFinding(finding), [isAtLeast(finding, failLevel) ? 'failure' : 'said']: wordsOf(finding) }))
  const skipped = own(ignored).map((finding) => ({ ...ofFinding(finding), skipped: finding.reason }))
  const all = [...own(passed), ...told, ...skipped]
  return all.length > 0 ? numbered(all) : [{ name: command }]
}

/** Lines in words of a message. */
const LINES = /\b(lines?) \d+(?:(?:, | and )\d+)*/g

/** The name says what is wrong and with what, not where: CI services follow a case from run to run by its name. */
const ofFinding = ({ code, message, severity }) => ({ name: `${code}: ${message.replace(LINES, '$1 …')}`, type: severity, message })

/** The cases with a number after a name that another has, too. */
function numbered(cases) {
  const seen = new Map()
  return cases.map((one) => {
    const nth = (seen.get(one.name) ?? 0) + 1
    seen.set(one.name, nth)
    return nth === 1 ? one : { ...one, name: `${one.name} (${nth})` }
  })
}

const wordsOf = ({ file, line, column, message, hint }) =>
  [[file, line, column].filter((part) => part !== undefined).join(':'), message, hint].filter(Boolean).join('\n')

function suiteOf(file, cases) {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter((one) => one.skipped !== undefined).length
  const xml = `  <testsuite name="${escaped(file)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}">\n${cases.map(caseOf(file)).join('')}  </testsuite>\n`
  return { tests: cases.length, failures, xml }
}

const caseOf =
  (file) =>
  ({ name, type, message, failure, skipped, said }) => {
    const start = `    <testcase classname="${escaped(file)}" name="${escaped(name)}"`
    if (failure !== undefined) return `${start}>\n      <failure type="${type}" message="${escaped(message)}">${escaped(failure)}</failure>\n    </testcase>\n`
    if (skipped !== undefined) return `${start}>\n      <skipped>${escaped(skipped)}</skipped>\n    </testcase>\n`
    return said === undefined ? `${start}/>\n` : `${start}>\n      <system-out>${escaped(said)}</system-out>\n    </testcase>\n`
  }

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The text of an element or attribute (XML 1.0): characters that XML does not allow become U+FFFD. */
const escaped = (text) =>
  text
    .toWellFormed()
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (c) => ENTITIES[c])
