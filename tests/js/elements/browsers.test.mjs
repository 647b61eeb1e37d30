// Every case of the elements in real browsers. Must not live here: cases (`*.cases.mjs`).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundle } from './bundled.mjs'
import { HEADERS, ROOT, inChromium, inFirefox } from './tools.mjs'

await bundle()
for (const [browser, run] of Object.entries({ Chromium: inChromium, Firefox: inFirefox })) {
  for (const [page, path] of Object.entries({ 'without a build': '/elements/', bundled: '/bundled/' })) {
    test(`${browser}, ${page}`, async (t) => {
      const outcomes = await run(ROOT, path, HEADERS)
      assert.ok(outcomes.length > 10)
      for (const { name, error } of outcomes) await t.test(name, () => assert.equal(error, null))
    })
  }
}
