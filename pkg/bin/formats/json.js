// A report as JSON. `version` is that of this form: it grows when a member goes or changes its meaning, not when one is added.
// Must not live here: findings.
import { version } from 'tailnet-kit'
import { pageOf } from '../issues.js'

export const VERSION = 1

export default function json({ command, findings, ignored, results }, { failed }) {
  const whole = {
    version: VERSION,
    tool: { name: 'tailnet-kit', version },
    command,
    passed: !failed,
    ...results,
    issues: findings.map(linked),
    ignored: ignored.map(linked),
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}

/** A finding with the address of its page. */
const linked = (finding) => ({ ...finding, page: pageOf(finding.code) })
