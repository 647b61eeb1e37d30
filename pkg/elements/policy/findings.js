// The verdict on a policy in words, and its findings as a list: what refuses it first, findings of one kind as one. Must not live here: how they are drawn.

import { failure } from '../tests/words.js'

const RANKS = { error: 0, warning: 1, info: 2 }

const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`

/** One sentence on a text. */
export function verdict({ accepted, message, issues, tests }) {
  const warnings = issues.filter(({ severity }) => severity === 'warning').length
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (accepted) return `Would be accepted${warnings > 0 ? `, with ${counted(warnings, 'warning', 'warnings')}` : ''}`
  const failed = tests.results.filter(({ passed }) => !passed).length
  if (failed > 0 && errors.every(({ code }) => code === 'test_failed'))
    return `Would be refused: ${failed} of ${counted(tests.results.length, 'test', 'tests')} ${failed === 1 ? 'fails' : 'fail'}`
  return `Would be refused: ${message}`
}

/** What a failing test asks for, with its place. */
function asked(test) {
  const words = failure(test)
  return words && `${words} (test, line ${test.line}).`
}

/** The findings by kind, the worst first: each with its words, its hint, and its places. */
export function findings({ issues, tests }) {
  const failed = new Map(tests.results.filter(({ passed, section }) => !passed && section === 'tests').map((test) => [test.line, asked(test)]))
  const listed = issues.map((issue) => {
    const words = issue.code === 'test_failed' ? failed.get(issue.line) : undefined
    return { severity: issue.severity, code: issue.code, words: words ?? issue.message, detail: words && issue.message, hint: issue.hint, places: [issue] }
  })
  const kinds = new Map()
  for (const finding of listed) {
    const key = finding.severity === 'error' ? finding : finding.code
    const same = kinds.get(key)
    if (same) same.places.push(...finding.places)
    else kinds.set(key, finding)
  }
  return [...kinds.values()].sort((one, other) => RANKS[one.severity] - RANKS[other.severity])
}
