// The table of devices and their routes as a person would try them. Must not live here: the policy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changes, eventually, focused, go, here, lines, open, question, settled, write } from './page.mjs'
import { connect, hold, sandboxOverHTTP } from './services.mjs'

const row = (name) => here.page.locator('tr', { has: here.page.getByRole('rowheader', { name }) })

async function openDevices() {
  await open()
  await go('Devices')
  await row('alice-laptop').waitFor()
}

test('devices are listed, filtered and sorted', async () => {
  await openDevices()
  const { page } = here
  assert.match(await row('office-router').innerText(), /tag:router[\s\S]*online[\s\S]*never[\s\S]*1 active, 1 pending/)
  assert.match(await row('bob-laptop').innerText(), /update available[\s\S]*9 days ago/)
  await page.getByLabel('Filter devices').fill('tag:web linux')
  assert.deepEqual(await lines('tailnet-devices tbody th'), ['web-1', 'web-2'])
  await page.getByLabel('Filter devices').fill('bob@')
  await page.getByRole('button', { name: 'Seen' }).click()
  assert.deepEqual(
    (await lines('tailnet-devices tbody th')).map((name) => name.split('\n')[0].split(/update/)[0]),
    ['bob-workstation', 'bob-laptop'],
  )
  await page.getByRole('button', { name: 'Seen' }).click()
  assert.match((await lines('tailnet-devices tbody th'))[0], /bob-laptop/)
  assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Seen')
})

test('a device that waits is authorized, and the focus stays in its row', async () => {
  const service = await sandboxOverHTTP()
  await open()
  await connect('A sandbox over HTTP', service.url)
  await go('Devices')
  const { page } = here
  await row('dave-desktop').getByText('not authorized').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Authorize/ }).count(), 1)
  await page.getByRole('button', { name: 'Authorize dave-desktop' }).press('Enter')
  await page.getByText('not authorized').waitFor({ state: 'detached' })
  assert.equal(await focused(), 'Delete dave-desktop')
  const devices = await service.other.devices.list()
  assert.equal(devices.find(({ hostname }) => hostname === 'dave-desktop').authorized, true)
})

test('routes are checked while typing, masked by a click, saved, and still there after a reload', async () => {
  await openDevices()
  const { page } = here
  await row('office-router').getByRole('button', { name: 'active' }).click()
  await eventually(async () =>
    assert.deepEqual(
      (await lines('.routes li')).map((line) => line.replace('\n', ' ')),
      ['192.168.10.0/24 active', '192.168.20.0/24 pending', '10.20.0.0/16 approved, not advertised'],
    ),
  )
  await page.getByLabel('192.168.20.0/24').check()
  const field = page.getByLabel('Approve another route')
  await field.fill('10.9.8.7/16')
  await page.locator('.routing .problem').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled(), true)
  await page.getByRole('button', { name: 'Use 10.9.0.0/16' }).click()
  assert.equal(await field.inputValue(), '10.9.0.0/16')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Save routes' }).click()
  await page.getByText('Saved.').waitFor()
  assert.match(await row('office-router').innerText(), /2 active/)
  await page.reload()
  await row('office-router').getByRole('button', { name: '2 active' }).click()
  assert.equal(await page.getByLabel('10.9.0.0/16').isChecked(), true)
})

test('a route is turned on by keyboard, and keeps its place until that is saved', async () => {
  await openDevices()
  const { page } = here
  await row('office-router').getByRole('button', { name: 'active' }).press('Enter')
  const box = page.getByLabel('10.20.0.0/16', { exact: false }).first()
  await box.focus()
  await page.keyboard.press('Space')
  assert.equal(await page.evaluate(() => document.activeElement.shadowRoot.activeElement.parentElement.textContent), '10.20.0.0/16approved, not advertised')
  await page.keyboard.press('Space')
  assert.equal(await page.getByRole('button', { name: 'Save routes' }).isDisabled(), true)
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Save routes' }).click()
  await page.getByText('Saved.').waitFor()
  assert.deepEqual(await lines('.routes li code'), ['192.168.10.0/24', '192.168.20.0/24'])
})

test('a route that is turned on while a save is under way stays on', async () => {
  const service = await sandboxOverHTTP()
  await open()
  await connect('A sandbox over HTTP', service.url)
  await go('Devices')
  const { page } = here
  await row('office-router').getByRole('button', { name: 'active' }).click()
  const answer = await hold(service)
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByLabel('192.168.20.0/24').check()
  await page.getByRole('button', { name: 'Save routes' }).click()
  await asked
  await page.getByLabel('10.20.0.0/16').uncheck()
  answer()
  await page.getByText('Saved.').waitFor()
  assert.equal(await page.getByLabel('10.20.0.0/16').isChecked(), false)
  assert.equal(await page.getByRole('button', { name: 'Save routes' }).isEnabled(), true)
})

test('a late answer of a service that was left is not shown, and answers nothing', async () => {
  const service = await sandboxOverHTTP()
  const [{ id, hostname, addresses }] = await service.other.devices.list()
  await service.other.devices.delete(id)
  await open()
  await connect('A sandbox over HTTP', service.url)
  const { page } = here
  await page.getByRole('button', { name: new RegExp(`Connected to: ${service.url}`) }).waitFor()
  await page.locator('.cm-content').waitFor()
  const answer = await hold(service, ['GET'])
  await go('Devices')
  await page.getByText('Asking for the devices').waitFor()
  await connect('The sandbox in this page')
  await row(hostname).waitFor()
  await go('Policy')
  await settled()
  await page.evaluate(() => (document.getElementById('answered').textContent = ''))
  answer()
  await page.locator('#answered', { hasText: 'policy.routes' }).waitFor()
  const flow = await question()
  await flow.getByLabel('From', { exact: true }).fill(addresses[0])
  await flow.getByLabel('To', { exact: true }).fill('tag:web:443')
  await flow.getByText(/^(Allowed|Denied|Undecided): /).waitFor()
  await flow.getByText(/^Allowed: /).waitFor() // The device is known still.
  await go('Devices')
  await row(hostname).waitFor() // It is one, or the locator is refused.
})

test('deleting asks first; for an external device the page says why it stays', async () => {
  await openDevices()
  const { page } = here
  await page.getByRole('button', { name: 'Delete bob-laptop' }).click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  assert.equal(await row('bob-laptop').count(), 1)
  await page.getByRole('button', { name: 'Delete bob-laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await row('bob-laptop').waitFor({ state: 'detached' })
  assert.equal(await focused(), 'Filter devices', 'the keyboard is still in the view')
  await go('Policy')
  await write('{"acls": []}')
  await page.locator('tailnet-changes li', { hasText: 'bob@example.com loses' }).waitFor()
  assert.doesNotMatch(await changes(), /bob-laptop/, 'who is gone loses nothing')
  await go('Devices')
  await page.getByRole('button', { name: 'Delete build-box' }).click()
  const dialog = page.getByRole('dialog')
  assert.match(await dialog.innerText(), /cannot be deleted here[\s\S]*erin@partner\.example/)
  assert.equal(await dialog.getByRole('button', { name: 'Delete', exact: true }).count(), 0)
})
