// That nothing moves under the eyes or fingers while the first view comes, however slow the processor and the line are. Must not live here: how fast
// it is (lighthouse.mjs).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardOf, here, settled, slow } from './page.mjs'

/** "Good" is up to 0.1; Lighthouse takes points off from about half of that. */
const MOST = 0.05

/** Adds up the layout shifts of the page, with what moved. */
function watch() {
  globalThis.shifts = []
  const told = ({ node, previousRect, currentRect }) =>
    `${node?.nodeName}.${node?.className}: ${previousRect.y} + ${previousRect.height} → ${currentRect.y} + ${currentRect.height}`
  const add = (list) => {
    for (const { value, sources } of list.getEntries()) globalThis.shifts.push({ value, moved: sources.map(told) })
  }
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
}

const SIZES = [
  [360, 640],
  [412, 823],
  [768, 1024],
  [1280, 860],
]
/** How late each part comes, in milliseconds. */
const LATE = {
  'at once': {},
  'the elements late': { '**/assets/{first,element}*.js': 1500 },
  'the editor late': { '**/assets/{editor,dist}-*.js': 1500 },
  'each script later than the one before': { '**/assets/*.js': 150 },
}

for (const [width, height] of SIZES) {
  for (const [when, parts] of Object.entries(LATE)) {
    test(`the first view does not move while it comes, ${when}, at ${width} × ${height} on a slow processor`, async (t) => {
      const { page, origin } = here
      await page.setViewportSize({ width, height })
      await slow(4)
      let held = 0
      for (const [pattern, late] of Object.entries(parts)) {
        await page.route(pattern, async (route) => {
          await new Promise((done) => setTimeout(done, late * ++held))
          await route.continue()
        })
      }
      await page.addInitScript(watch)
      await page.goto(origin)
      await settled()
      await page.locator('.cm-line.marked').first().waitFor()
      await cardOf('What changes').getByText('loses').first().waitFor()
      await page.locator('.difference').first().waitFor({ state: 'attached' })
      await page.waitForTimeout(500)
      const shifts = await page.evaluate(() => globalThis.shifts)
      const sum = shifts.reduce((all, { value }) => all + value, 0)
      t.diagnostic(sum.toFixed(4))
      assert.ok(sum < MOST, JSON.stringify(shifts, null, 1))
      assert.equal(await page.evaluate(() => scrollY), 0, 'it begins at its top')
    })
  }
}
