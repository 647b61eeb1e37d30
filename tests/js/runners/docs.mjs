// The site of the reference, made and looked at in a browser: what it says first, what its search finds, where a find leads. Must not live here: links and
// texts, which TypeDoc checks as it writes them.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { equal, ok } from '../cases/assert.mjs'
import { FLAGS, executable, serve } from '../lib/browser.mjs'
import { HERE, folder, run } from '../lib/project.mjs'

const DOCS = join(HERE, '../../docs')
/** What somebody types, and a find that must be among the first, with the place that it leads to. */
const ASKED = {
  'policy.check': /interfaces\/.*PolicyFunctions\.html#check$/,
  'devices.list': /interfaces\/.*ClientDevices\.html#list$/,
  'dns.split.update': /interfaces\/.*ClientDnsSplit\.html#update$/,
  setTags: /interfaces\/.*ClientDevices\.html#settags$/,
  CORS: /#origins$/,
  StrictMode: /documents\/.*[Rr]eact/,
}

export default async () => {
  if (!existsSync(join(DOCS, 'node_modules/typedoc'))) return { notRun: '`npm ci` in docs comes first' }
  const site = folder()
  await run(DOCS, join(DOCS, 'node_modules/.bin/typedoc'), ['--out', site])
  const server = await serve(site, {})
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
  const base = `http://127.0.0.1:${server.address().port}`
  const page = await browser.newPage()
  const outcome = async (name, check) => ({
    name,
    error: await check().then(
      () => null,
      (error) => String(error?.message ?? error),
    ),
  })
  try {
    await page.goto(`${base}/`)
    const outcomes = [
      await outcome('the first page says what it is', async () => {
        ok((await page.title()).startsWith('tailnet-kit'), await page.title())
        ok((await page.locator('.tsd-typography').first().innerText()).includes('know what a policy will do before it is saved'), 'what the README begins with')
      }),
      await outcome('entries have the names that are imported', async () => {
        await page.goto(`${base}/modules.html`)
        const said = await page.locator('.col-content').innerText()
        for (const name of ['tailnet-kit', 'tailnet-kit/gateway', 'tailnet-kit/sandbox']) ok(said.includes(name), name)
      }),
    ]
    for (const [query, place] of Object.entries(ASKED)) outcomes.push(await outcome(`${query} is found`, () => found(page, base, query, place)))
    return outcomes
  } finally {
    await browser.close()
    server.close()
  }
}

/** The search of the page for these words has a find that leads to the place, and the place is there. */
async function found(page, base, query, place) {
  await page.goto(`${base}/`)
  await page.keyboard.press('/')
  await page.locator('#tsd-search-input').fill(query)
  const results = page.locator('#tsd-search-results a')
  await results.first().waitFor()
  const links = await results.evaluateAll((all) => all.map(({ href }) => href))
  const link = links.slice(0, 5).find((one) => place.test(one))
  ok(link, links.slice(0, 5).join(' '))
  await page.goto(link)
  const { hash } = new URL(link)
  if (hash) equal(await page.locator(`[id="${hash.slice(1)}"]`).count(), 1)
}
