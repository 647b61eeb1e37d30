// Every case of the elements in real browsers. Must not live here: cases (`*.cases.mjs`).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEADERS, ROOT, inChromium, inFirefox } from './tools.mjs'

for (const [browser, run] of Object.entries({ Chromium: inChromium, Firefox: inFirefox })) {
  test(browser, async (t) => {
    const outcomes = await run(ROOT, '/elements/', HEADERS)
    assert.ok(outcomes.length > 10)
    for (const { name, error } of outcomes) await t.test(name, () => assert.equal(error, null))
  })
}
