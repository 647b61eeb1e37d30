// The page after its first visit: without a network, and when there is a newer version. Must not live here: what the page answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainHost } from './host.mjs'
import { eventually, go, here, settled } from './page.mjs'

const title = () => here.page.locator('.logo').innerText()
const kept = () => here.page.locator('#offline', { hasText: 'Works offline' }).waitFor({ timeout: 20_000 })

/** A newer version of the page: one file has other words, so that the worker changes too. */
const newer = (name, body) => {
  if (name === 'index.html') return body.toString().replace('tailnet-kit</p>', 'tailnet-kit, newer</p>')
  return name === 'offline.js' ? body.toString().replace(/VERSION = '\w+'/, "VERSION = 'newer'") : body
}

test('after the first visit it works without a network, below a path too, and a newer page is shown once there is one', { timeout: 90_000 }, async () => {
  const blocked = here.page.context()
  const context = await blocked.browser().newContext()
  await blocked.close()
  here.page = await context.newPage()
  const { page } = here
  const complaints = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))

  const host = await plainHost()
  await page.goto(host.address)
  await kept()
  const version = await page.locator('#version').innerText()
  assert.match(version, /^tailnet-kit \d+\.\d+\.\d+ at [0-9a-f]{7,}$/)
  await host.close()

  await page.reload()
  await page.locator('.cm-content').waitFor()
  await settled()
  assert.equal(await page.locator('#version').innerText(), version, 'it says which version was kept')
  await page.getByRole('button', { name: 'Take bob out of group:dev' }).click()
  await page.locator('.loss').first().waitFor()
  await go('Devices')
  await page.getByRole('rowheader', { name: 'alice-laptop' }).waitFor()
  await go('Keys')
  await page.getByText('No keys yet.').waitFor()
  await page.goto(`${host.address}index.html#view=dns`)
  await page.getByRole('region', { name: 'Nameservers' }).waitFor()
  assert.deepEqual(complaints, [])

  const later = await plainHost({ port: host.port, changed: newer })
  await page.goto(host.address)
  assert.equal(await title(), 'tailnet-kit, newer')
  while (!(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).waiting !== null))) await page.waitForTimeout(100)
  await later.close()

  // A browser takes a moment to notice that no page of the earlier version is open.
  await eventually(async () => {
    await here.page.close()
    here.page = await context.newPage()
    await here.page.goto(host.address)
    await here.page.locator('.cm-content').waitFor()
    assert.equal(await title(), 'tailnet-kit, newer', 'what is kept is the newer page')
  })
  assert.equal(await here.page.evaluate(async () => (await caches.keys()).length), 1, 'and nothing else')
})
