// SARIF 2.1.0, which code scanning reads (OASIS, sarif-v2.1.0-os). Must not live here: findings.
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { version } from 'tailnet-kit'
import { ISSUES, pageOf } from '../issues.js'
import { fingerprints } from './fingerprint.js'
import { under } from './paths.js'

const LEVELS = { error: 'error', warning: 'warning', notice: 'note' }

export default function sarif({ findings, ignored }, { failed }) {
  const all = [...findings, ...ignored]
  const codes = [...new Set(all.map(({ code }) => code))].sort()
  const fingerprint = fingerprints()
  const run = {
    tool: { driver: { name: 'tailnet-kit', version, rules: codes.map(ruleOf) } },
    columnKind: 'utf16CodeUnits',
    invocations: [{ executionSuccessful: true, exitCode: failed ? 1 : 0 }],
    results: all.map((finding) => {
      const path = under(process.env.GITHUB_WORKSPACE ?? process.cwd(), finding.file)
      return resultOf(finding, { path, ruleIndex: codes.indexOf(finding.code), fingerprint: fingerprint(path, finding) })
    }),
  }
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, null, 2)}\n`
}

/** A rule in the words of its page, to which it links. */
function ruleOf(id) {
  const name = id.replace(/(?:^|[_-])(.)/g, (_, letter) => letter.toUpperCase())
  if (!Object.hasOwn(ISSUES, id)) return { id, name }
  const { what, why } = ISSUES[id]
  const helpUri = pageOf(id)
  return { id, name, shortDescription: { text: what }, fullDescription: { text: why }, help: { text: `${what}\n${why}\n${helpUri}` }, helpUri }
}

function resultOf({ severity, code, message, hint, line, range, reason }, { path, ruleIndex, fingerprint }) {
  const region = range ? regionOf(range) : line === undefined ? undefined : { startLine: line }
  const physicalLocation = { artifactLocation: artifactOf(path), ...(region && { region }) }
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: hint === undefined ? message : `${message}\n${hint}` },
    locations: [{ physicalLocation }],
    partialFingerprints: { 'tailnetKit/v1': fingerprint },
    ...(reason !== undefined && { suppressions: [{ kind: 'inSource', justification: reason }] }),
  }
}

/** The file by its path in the repository; one outside of it by a whole URI, which has no base (3.4.4). */
const artifactOf = (path) =>
  isAbsolute(path) || path.startsWith('../')
    ? { uri: pathToFileURL(path).href }
    : { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' }

const regionOf = ({ start, end }) => ({ startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column })
