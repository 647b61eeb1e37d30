// A code quality report of GitLab, shown in merge requests. Must not live here: findings.
import { fingerprints } from './fingerprint.js'
import { under } from './paths.js'

const SEVERITIES = { error: 'major', warning: 'minor', notice: 'info' }

export default function gitlab({ findings }) {
  const fingerprint = fingerprints()
  const entries = findings.map((finding) => {
    const { severity, file, line, range, message, hint, code } = finding
    const path = under(process.env.CI_PROJECT_DIR ?? process.cwd(), file)
    return {
      description: hint === undefined ? message : `${message}: ${hint}`,
      check_name: code,
      fingerprint: fingerprint(path, finding),
      severity: SEVERITIES[severity],
      location: { path, lines: { begin: range?.start.line ?? line ?? 1, end: range?.end.line ?? line ?? 1 } },
    }
  })
  return `${JSON.stringify(entries, null, 2)}\n`
}
