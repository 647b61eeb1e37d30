// Elements in a page where the worker cannot be: not allowed, not served, not known. Must not live here: what elements show.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FLAGS, HEADERS, PATIENCE, ROOT, executable, serve, tool } from './tools.mjs'

const { chromium } = tool('playwright-core')
let browser
before(async () => (browser = await chromium.launch({ executablePath: executable(), args: FLAGS })))
after(() => browser.close())

/** The outcome of one case in a page of its own, and how many wasm files the page began. */
async function outcome(headers, prepare) {
  const server = await serve(ROOT, headers)
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE)
  await prepare(page)
  await page.goto(`http://127.0.0.1:${server.address().port}/elements/?only=who%20loses`)
  await page.waitForFunction(() => globalThis.outcomes)
  const seen = await page.evaluate(() => ({ error: outcomes[0].error, begun: begun > 0 }))
  await page.close()
  server.close()
  return seen
}

const IN_PAGE = { error: null, begun: true }

test('the page answers where its policy allows no worker', async () => {
  const policy = HEADERS['content-security-policy'].replace("worker-src 'self'", "worker-src 'none'")
  assert.deepEqual(await outcome({ 'content-security-policy': policy }, async () => {}), IN_PAGE)
})

test('the page answers where the file of the worker is not served', async () => {
  assert.deepEqual(await outcome(HEADERS, (page) => page.route('**/judge.worker.js', (route) => route.fulfill({ status: 404 }))), IN_PAGE)
})

test('the page answers where there are no workers', async () => {
  const without = (page) =>
    page.addInitScript(() =>
      Object.defineProperty(globalThis, 'Worker', {
        get: () =>
          class {
            constructor() {
              throw new TypeError('there are no workers')
            }
          },
        set() {},
      }),
    )
  assert.deepEqual(await outcome(HEADERS, without), IN_PAGE)
})
