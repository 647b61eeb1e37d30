// Findings about a policy, and the places of its rules in the text. Must not live here: what is found.
import { hujson } from 'tailnet-kit'
import { onLine } from './report.js'

/** Makes findings in a policy, and finds the places of its rules, each once. */
export function about(head) {
  const known = new Map()
  const placed = (rule, key = `${rule.section} ${rule.index}`) => known.get(key) ?? known.set(key, placeOf(head, rule)).get(key)
  return { place: (rule) => (rule ? placed(rule) : {}), finding: findingIn(head) }
}

const findingIn = (head) => (severity, code, message, more) => ({ file: head.file, severity, code, origin: 'ours', message, ...more })

const SECTIONS = { acls: ['acls', 'ACLs', 'Acls'], grants: ['grants', 'Grants'], ssh: ['ssh', 'SSH', 'Ssh'] }

/** The range of the whole rule where its section has the usual spelling, else that of its line. */
function placeOf({ text }, { section, index, line }) {
  for (const name of SECTIONS[section] ?? []) {
    const found = hujson.find(text, `/${name}/${index}`)
    if (found?.line === line) return { line, column: found.column, offset: found.offset, length: found.length, pointer: `/${name}/${index}` }
  }
  return onLine(text, line)
}
