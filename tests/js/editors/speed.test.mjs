// How long the language service takes in a large policy, against the parser of JSON on the same machine. Must not live here: answers.

import { test } from 'node:test'
import { ok } from 'node:assert/strict'
import { language } from 'tailnet-kit/language'

const named = (count, entry) => Array.from({ length: count }, (_, at) => entry(at)).join(', ')
const rules = Array.from({ length: 4_994 }, (_, at) => `{"action": "accept", "src": ["group:g${at % 50}"], "dst": ["tag:t${at % 80}:${1 + at}"]}`)
const TEXT = `{
"groups": {${named(50, (at) => `"group:g${at}": ["u${at}@example.com"]`)}},
"tagOwners": {${named(80, (at) => `"tag:t${at}": []`)}},
"acls": [
${rules.join(',\n')}
]
}`

/** The fewest milliseconds of many runs: the others waited for the machine. */
function quickest(run) {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 30; turn++) {
    const began = performance.now()
    run()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

test('completion in 5,000 lines takes a few times as long as to parse them as JSON', (t) => {
  const at = TEXT.indexOf('"group:g3"], "dst"', TEXT.length / 2) + '"group'.length
  ok(language.complete(TEXT, at).items.length > 0)
  const ratio = quickest(() => language.complete(TEXT, at)) / quickest(() => JSON.parse(TEXT))
  t.diagnostic(`${ratio.toFixed(1)} times (aim: 3.3, which is 5 ms where JSON takes 1.5)`)
  ok(ratio < 10, `${ratio.toFixed(1)} times`)
})
