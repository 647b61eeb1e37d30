// The tables of the native tests, in this runtime: `lib/tables.mjs` puts them beside this file. Must not live here: texts.

import { equal, fails, ok } from './assert.mjs'
import { accepted, layouts, names, refused, verdicts } from './tables.mjs'

/** The offset in a text of a place that is given as line and byte column. */
function offsetOf(text, line, column) {
  const before =
    text
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length + (line > 1 ? 1 : 0)
  const bytes = new TextEncoder().encode(text.slice(before)).subarray(0, column - 1)
  return before + new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).length
}

/** A policy in which a name of the table would mean something else if it were read as another kind of name. */
const POLICY = {
  groups: { 'group:dev': ['ann@example.com'] },
  hosts: { box: '10.0.0.5' },
  tagOwners: { 'tag:web': [] },
  acls: [
    { action: 'accept', src: ['group:dev'], dst: ['tag:web:443'] },
    { action: 'accept', src: ['tag:web'], dst: ['box:443'] },
    { action: 'accept', src: ['10.0.0.0/24'], dst: ['*:22'] },
    { action: 'accept', src: ['box'], dst: ['[fd7a:115c:a1e0::9]:443'] },
  ],
}

/** The answer, or the error thrown instead. */
const outcome = (ask) => {
  try {
    return ask()
  } catch ({ name, code, message }) {
    return { name, code, message }
  }
}

export const cases = ({ kit: { cidr, hujson, policy } }) => [
  [
    'hujson: each text that is accepted natively',
    () => {
      ok(accepted.length > 20, 'the table is there')
      for (const text of accepted) {
        const value = JSON.parse(hujson.standardize(text))
        equal([hujson.parse(text), hujson.tryParse(text).ok, JSON.parse(hujson.minimize(text))], [value, true, value])
        // The reference formatter writes half of a surrogate pair as U+FFFD.
        equal(hujson.parse(hujson.format(text)), typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value)
      }
    },
  ],
  [
    'hujson: each text that is refused natively, with the same words at the same place',
    async () => {
      ok(refused.length > 120, 'the table is there')
      for (const [text, line, column, reason] of refused) {
        const { issue } = await fails(() => hujson.parse(text), { code: 'hujson_syntax', message: `hujson: line ${line}, column ${column}: ${reason}` })
        equal([issue.line, issue.column, issue.offset, issue.message], [line, column, offsetOf(text, line, column), reason])
        equal(hujson.tryParse(text), { ok: false, issues: [issue] })
        for (const verb of ['standardize', 'minimize', 'format']) equal((await fails(() => hujson[verb](text), { code: 'hujson_syntax' })).issue, issue)
        equal(hujson.isStandard(text), false)
      }
    },
  ],
  [
    'hujson.format: each rule and corner',
    () => {
      ok(layouts.length > 90, 'the table is there')
      for (const [name, text, want] of layouts) equal([name, hujson.format(text), hujson.format(want)], [name, want, want])
    },
  ],
  [
    'cidr.checkMany: the verdicts of Go',
    () => {
      ok(verdicts.length > 250, 'the table is there')
      const answers = cidr.checkMany(
        verdicts.map(([text]) => text),
        { hostBits: 'mask', ipv4Mapped: 'keep' },
      )
      verdicts.forEach(([text, masked], at) => equal([text, answers[at].cidr ?? null], [text, masked]))
    },
  ],
  [
    'policy: a plain name asks the same as an object that names its kind',
    async () => {
      ok(names.length > 30, 'the table is there')
      const context = { devices: [{ id: '1', name: 'laptop.example.ts.net', user: 'ann@example.com', addresses: ['100.64.0.1'] }] }
      const preview = (query) => outcome(() => policy.preview(POLICY, query, context))
      const explain = (from) => outcome(() => policy.explain(POLICY, { from, to: 'box:443' }, context))
      const refused = ({ code, message }) => code === 'invalid_argument' && message.includes('`')
      for (const [name, query, from] of names) {
        if (query) equal([name, preview(name)], [name, preview(query)])
        else ok(refused(preview(name)), `a preview of ${name}`)
        if (from) equal([name, explain(name)], [name, explain(from)])
        else ok(refused(explain(name)), `a flow from ${name}`)
      }
    },
  ],
]
