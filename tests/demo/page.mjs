// What every test of the demo needs: the built page behind its own server, a Chromium, and checks of what must never happen.
// Must not live here: tests.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, afterEach, before, beforeEach } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { FLAGS } from '../js/lib/browser.mjs'

const root = new URL('../../', import.meta.url)
export const path = (relative) => fileURLToPath(new URL(relative, root))
export const load = (from, name) => import(pathToFileURL(createRequire(path(from)).resolve(name)).href)

const { build, preview } = await load('www/package.json', 'vite')
const { chromium } = (await load('tests/js/package.json', 'playwright-core')).default

/** With BLESS=1 a run renews the pictures of the README. */
export const screenshots = path(process.env.BLESS ? 'www/screenshots/' : 'target/demo/')

/** How long a test waits for something, in milliseconds; on a busy machine by the variable of this name. */
const PATIENCE = Number(process.env.PATIENCE ?? 30_000)
/** How many times slower the processor of the page is, by the variable of this name: a test that reads too early fails so. */
const SLOW = Number(process.env.SLOW ?? 1)

/** Asserts until it holds, as long as a test waits for something: what somebody did is shown a little later. */
export async function eventually(check) {
  for (const end = Date.now() + PATIENCE; ; await pause(30)) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

let served, browser
/** Set for each test: the page, its origin, its requests and complaints, which of those are expected, and the services to close. */
export const here = { page: undefined, origin: '', requests: [], complaints: [], expected: [], services: [] }

/** A Chromium. */
export const launch = (more = []) => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: [...FLAGS, ...more] })

/** Builds and serves the page once, however many files ask. */
export function serve() {
  served ??= (async () => {
    mkdirSync(screenshots, { recursive: true })
    await build({ root: path('www'), logLevel: 'warn' })
    const server = await preview({ root: path('www'), preview: { port: 0, strictPort: false }, logLevel: 'silent' })
    here.origin = `http://127.0.0.1:${server.httpServer.address().port}/`
    return server
  })()
  return served
}

before(async () => {
  await serve()
  browser = await launch()
})

after(async () => {
  await browser?.close()
  await (await served)?.close()
})

beforeEach(async () => {
  // Cached files would replace those that a test serves; offline.mjs tests the cache.
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, serviceWorkers: 'block' })
  const page = await context.newPage()
  Object.assign(here, { page, requests: [], complaints: [], expected: ['Service Worker registration blocked'], services: [] })
  page.setDefaultTimeout(PATIENCE)
  if (SLOW > 1) await slow(SLOW)
  page.on('console', (message) => message.type() !== 'log' && here.complaints.push(message.text()))
  page.on('pageerror', (error) => here.complaints.push(String(error)))
  page.on('request', (request) => here.requests.push(request.url()))
})

afterEach(async () => {
  const { page, origin, requests, complaints, expected } = here
  const own = (url) => [origin, 'data:', 'blob:', ...expected].some((start) => url.startsWith(start))
  const unexpected = complaints.filter((text) => !expected.some((part) => text.includes(part)))
  await page.context().close()
  for (const close of here.services) await close()
  assert.deepEqual(unexpected, [], 'the console stays clean, the Content-Security-Policy holds')
  assert.deepEqual(
    requests.filter((url) => !own(url)),
    [],
    "no request leaves the page's own origin",
  )
})

/** Slows the processor of the page and of its workers. */
export async function slow(rate) {
  const session = await here.page.context().newCDPSession(here.page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Opens the page on the saved policy of an example, and waits for the verdict. A bare address opens on a change. */
export async function open(fragment = '#example=office') {
  await here.page.goto(here.origin + fragment)
  await here.page.locator('.cm-content').waitFor()
  await settled()
}

/** Waits for the verdict on the last text. */
export const settled = () => here.page.locator('tailnet-policy:not(:state(past)) .status:not(.waiting, [hidden])').waitFor()

/** Waits until no element has a question open: what an answer does wrong would be there by then. */
export const answered = () =>
  here.page.waitForFunction(() => [...document.querySelectorAll('tailnet-policy, [data-code]')].every(({ body }) => body?.ariaBusy !== 'true'))

/** The verdict, with its colour as a class. */
export const verdict = () => here.page.locator('tailnet-policy .status:not([hidden])')

/** The card with this title. */
export const cardOf = (title) => here.page.getByRole('region', { name: title, exact: true })
/** The card of the question about a flow, whose fields load when it comes near the view. */
export async function question() {
  const flow = cardOf('Can A reach B?')
  await flow.scrollIntoViewIfNeeded()
  return flow
}

/** The field for a name whose rules are shown, brought into view, as its element comes when it is near. */
export async function ruled() {
  await here.page.locator('tailnet-preview').scrollIntoViewIfNeeded()
  return here.page.getByRole('textbox', { name: 'Rules that apply to' })
}

/** A cell of the picture, by the words that a screen reader has for it. */
export const cell = (words) => cardOf('Who reaches what').getByRole('gridcell', { name: words })

/** What the change does, as its card says it. */
export const changes = () =>
  here.page
    .locator('tailnet-changes')
    .evaluate(({ shadowRoot }) => [...shadowRoot.querySelectorAll('[role=status], li')].map(({ textContent }) => textContent).join('\n'))

/** Goes to another view. */
export const go = (view) => here.page.getByRole('navigation').getByRole('link', { name: view }).click()

/** Puts a text in place of the policy, as pasting it would. */
export async function write(text, content = here.page.locator('.cm-content')) {
  await content.waitFor() // One that is hidden takes no keys.
  await content.press('Control+a')
  await content.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

/** Opens the search of the editor, which loads with closing brackets once somebody is in the editor. */
export const search = () =>
  eventually(async () => {
    await here.page.locator('.cm-content').press('Control+f')
    assert.equal(await here.page.locator('.cm-search').count(), 1)
  })

/** Asserts that axe-core finds nothing in the page as it is now. */
export async function judge(view) {
  if (!(await here.page.evaluate(() => 'axe' in globalThis))) {
    await here.page.evaluate(readFileSync(createRequire(path('tests/demo/package.json')).resolve('axe-core/axe.min.js'), 'utf8'))
  }
  const { violations } = await here.page.evaluate(() => globalThis.axe.run({ rules: { region: { enabled: true } }, resultTypes: ['violations'] }))
  assert.deepEqual(
    violations.map(({ id, impact, nodes }) => ({ view, id, impact, at: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`).slice(0, 3) })),
    [],
  )
}

/** The texts of all elements that match. */
export const lines = async (selector) => here.page.locator(selector).allInnerTexts()

/** The text of the line with the editor's cursor, without the remarks in it. */
export const cursorLine = () =>
  here.page.evaluate(() => {
    const line = document.querySelector('tailnet-policy').shadowRoot.querySelector('.cm-activeLine')?.cloneNode(true)
    for (const remark of line?.querySelectorAll('.tailnet-inlay') ?? []) remark.remove()
    return line?.textContent ?? null
  })

/** What has the focus, by the name that a person would give it; the editor is a shadow root. */
export const focused = () =>
  here.page.evaluate(() => {
    const { activeElement: at } = document.activeElement.shadowRoot ?? document
    return at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent
  })

/** A small policy in the old spelling. */
export const small = `{
  // Who may reach what.
  "Groups": {
    "group:ops": ["alice@example.com"],
  },
  "ACLs": [
    {"Action": "accept", "Users": ["group:ops"], "Ports": ["10.0.0.1:22"]},
    {
      "Action": "accept",
      "Users": ["bob@example.com"],
      "Ports": ["*:80"],
    },
  ],
}
`
