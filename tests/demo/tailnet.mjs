// Users, keys and settings as a person would try them. Must not live here: devices, DNS, the policy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { focused, go, here, open, settled } from './page.mjs'
import { connect, sandboxOverHTTP } from './services.mjs'

const row = (words) => here.page.locator('tr.item', { hasText: words })
const dialog = () => here.page.getByRole('dialog')

async function openView(view) {
  await open()
  await go(view)
  await here.page.waitForFunction((title) => document.title === title, `${view} · Small office · tailnet-kit`)
}

test('a key is made, shown once, listed and revoked', async () => {
  const service = await sandboxOverHTTP()
  await open()
  const { page } = here
  await connect('A sandbox over HTTP', service.url)
  await page.getByRole('button', { name: new RegExp(`Connected to: ${service.url}`) }).waitFor()
  await go('Keys')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByText('No keys yet.').waitFor()
  await page.getByLabel('Description').fill('web servers')
  await page.getByRole('textbox', { name: 'Tags' }).fill('tag:web, tag:db')
  await page.getByLabel('Expires after (days)').fill('7')
  await page.getByLabel('reusable').check()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Copy this key now').waitFor()
  const secret = await page.locator('.secret code').innerText()
  assert.match(secret, /^tskey-auth-/)
  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByText('Copied.').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret)
  assert.match(await row('web servers').innerText(), /auth\s+(Expires\s+)?in 7 days[\s\S]*reusable[\s\S]*tag:web[\s\S]*tag:db/)
  assert.ok(!(await row('web servers').innerText()).includes(secret))
  await page.getByRole('button', { name: 'Done' }).click()
  assert.equal(await page.locator('.secret').count(), 0)
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }) + location.href)
  assert.ok(!kept.includes(secret), 'the page keeps no secret')
  await page.getByRole('button', { name: 'Revoke web servers' }).click()
  await dialog().getByRole('button', { name: 'Keep it' }).click()
  assert.equal(await row('web servers').count(), 1)
  await page.getByRole('button', { name: 'Revoke web servers' }).click()
  await dialog().getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No keys yet.').waitFor()
  assert.deepEqual(await service.other.keys.list(), [])
})

test('a secret disappears with the view, and a refusal is shown in its own words', async () => {
  await openView('Keys')
  const { page } = here
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.locator('.secret').waitFor()
  await go('Settings')
  await page.locator('.secret').waitFor({ state: 'detached' })
  await page.goBack()
  await row('auth').waitFor()
  assert.equal(await page.locator('.secret').count(), 0)
  await page.getByRole('textbox', { name: 'Tags' }).fill('tag:nobody')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page
    .getByRole('alert')
    .getByText(/tag:nobody.*\(400\)/)
    .waitFor()
})

test('users are found, get a role, are suspended and restored, and leave with their devices', async () => {
  await openView('Users')
  const { page } = here
  await page.getByText('5 of 5 users').waitFor()
  assert.match(await row('alice').innerText(), /alice@example\.com[\s\S]*2 devices[\s\S]*connected[\s\S]*owner/)
  assert.equal(await row('alice').getByRole('button').count(), 0, 'the owner hands over elsewhere')
  assert.match(await row('erin').innerText(), /shared/)
  await page.getByLabel('Filter users').fill('CAROL')
  await page.getByText('1 of 5 users').waitFor()
  await page.getByLabel('Role of carol@example.com').selectOption('auditor')
  await page.getByRole('button', { name: 'Suspend carol@example.com' }).click()
  await row('carol').getByText('suspended').waitFor()
  assert.equal(await focused(), 'Restore carol@example.com')
  await page.reload()
  await row('carol').getByText('suspended').waitFor()
  assert.equal(await page.getByLabel('Role of carol@example.com').inputValue(), 'auditor')
  await page.getByRole('button', { name: 'Restore carol@example.com' }).click()
  await row('carol').getByText('suspended').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete carol@example.com' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No user matches.').waitFor()
  assert.equal(await focused(), 'Filter users')
  await go('Devices')
  await page.getByRole('rowheader', { name: 'alice-laptop' }).waitFor()
  assert.equal(await page.getByText('carol@example.com').count(), 0)
  await go('Policy')
  await settled()
})

test('a setting is sent as soon as it is changed, and shows what the service has', async () => {
  await openView('Settings')
  const { page } = here
  const devices = page.getByRole('region', { name: 'Devices', exact: true })
  await devices.getByLabel('New devices wait for approval').click()
  await devices.getByText('Saved.').waitFor()
  const days = devices.getByLabel(/^Key expiry in days/)
  await days.fill('500')
  await days.press('Tab')
  await devices
    .getByRole('alert')
    .getByText(/500.*\(400\)/)
    .waitFor()
  assert.equal(await days.inputValue(), '180')
  await page.getByLabel('Who may join other tailnets').selectOption('admin')
  await page.getByRole('region', { name: 'Users' }).getByText('Saved.').waitFor()
  await page.reload()
  await devices.waitFor()
  assert.equal(await devices.getByLabel('New devices wait for approval').isChecked(), true)
  assert.equal(await page.getByLabel('Who may join other tailnets').inputValue(), 'admin')
})
