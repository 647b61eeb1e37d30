// Elements under forced colours, zoom and a real keyboard. Must not live here: what elements show.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BEFORE, CONTEXT, WITHOUT_BOB, large } from './policy.mjs'
import { FLAGS, HEADERS, PATIENCE, ROOT, executable, serve, tool } from './tools.mjs'

const { chromium } = tool('playwright-core')
let browser, server
before(async () => {
  browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
  server = await serve(ROOT, HEADERS)
})
after(async () => {
  await browser.close()
  server.close()
})

/** A page with one element that has answered. */
async function opened(name, properties, options = {}) {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(PATIENCE)
  await page.goto(`http://127.0.0.1:${server.address().port}/elements/?only=nothing%20at%20all`)
  await page.waitForFunction(() => globalThis.outcomes)
  await page.evaluate(
    async ([name, properties]) => {
      const { shown } = await import('/elements/page-tools.mjs')
      await shown(name, properties)
    },
    [name, properties],
  )
  return page
}

test('under forced colours the states of cells differ by their borders', async () => {
  const value = WITHOUT_BOB.replace('"tag:web:22"', '"tag:web:22,8080"')
  const page = await opened('tailnet-access', { base: BEFORE, value, context: CONTEXT }, { forcedColors: 'active' })
  await page.getByLabel('Only what changes').click()
  const borders = await page.evaluate(() => {
    const cells = [...document.querySelector('tailnet-access').shadowRoot.querySelectorAll('.cell:not(.none)')]
    return Object.fromEntries(
      cells.map((cell) => {
        const { borderTopStyle, borderTopWidth, borderTopColor, borderLeftStyle } = getComputedStyle(cell)
        return [cell.classList[1], [borderTopStyle, borderTopWidth, borderTopColor, borderLeftStyle].join(' ')]
      }),
    )
  })
  assert.deepEqual(Object.keys(borders).sort(), ['all', 'gained', 'lost', 'some'])
  assert.equal(new Set(Object.values(borders)).size, 4, JSON.stringify(borders))
})

test('by the keyboard alone: Tab into the matrix, to a cell, and out again', async () => {
  const page = await opened('tailnet-access', { value: large(60, 80) })
  const focused = () => page.evaluate(() => document.querySelector('tailnet-access').shadowRoot.activeElement?.getAttribute('role'))
  await page.getByLabel('Port names').focus()
  await page.keyboard.press('Tab')
  assert.equal(await focused(), 'gridcell')
  for (const key of ['ArrowRight', 'ArrowDown', 'PageDown', 'End', 'Home']) await page.keyboard.press(key)
  assert.equal(await focused(), 'rowheader')
  await page.keyboard.press('Tab')
  assert.notEqual(await focused(), 'gridcell')
  await page.keyboard.press('Shift+Tab')
  assert.equal(await focused(), 'rowheader')
})

test('the overview goes where a pointer is', async () => {
  const page = await opened('tailnet-access', { value: large(100, 120) })
  await page.getByLabel('Group identical').click()
  const canvas = page.locator('tailnet-access canvas')
  const { width, height } = await canvas.boundingBox()
  await canvas.click({ position: { x: width - 2, y: height - 2 } })
  const grid = await page.locator('tailnet-access [role=grid]').elementHandle()
  await page.waitForFunction(({ scrollTop, scrollLeft }) => scrollTop > 500 && scrollLeft > 500, grid)
})

test('nothing scrolls sideways at 320 pixels, but the matrix in itself', async () => {
  const viewport = { width: 320, height: 640 }
  for (const [name, properties] of Object.entries({
    'tailnet-changes': { base: BEFORE, value: WITHOUT_BOB, context: CONTEXT },
    'tailnet-access': { value: large(30, 30) },
    'tailnet-flow': { value: BEFORE, context: CONTEXT, from: 'bob@example.com', to: 'tag:db:22' },
  })) {
    const page = await opened(name, properties, { viewport })
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, name)
    await page.close()
  }
})
