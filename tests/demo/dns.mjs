// The DNS settings as a person would try them. Must not live here: devices, the policy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { go, here, open } from './page.mjs'
import { connect, hold, sandboxOverHTTP } from './services.mjs'

test('emptying the nameservers warns, turns MagicDNS off, and the refusal to turn it on is shown as it came', async () => {
  await open()
  await go('DNS')
  const { page } = here
  const servers = page.getByRole('region', { name: 'Nameservers' })
  await servers.getByRole('textbox').fill('')
  await servers.getByText('MagicDNS goes off').waitFor()
  await servers.getByRole('button', { name: 'Save' }).click()
  await servers.getByText('Saved.').waitFor()
  const magic = page.getByRole('region', { name: 'MagicDNS' })
  assert.equal(await magic.getByRole('checkbox').isChecked(), false)
  await magic.getByRole('checkbox').click()
  const refusal = await magic.getByRole('alert').innerText()
  assert.match(refusal, /nameserver/)
  assert.match(refusal, /\(4\d\d\)/)
  assert.equal(await magic.getByRole('checkbox').isChecked(), false)
})

test('entries are checked while typing, and what is typed survives a reload', async () => {
  await open()
  await go('DNS')
  const { page } = here
  const servers = page.getByRole('region', { name: 'Nameservers' })
  await servers.getByRole('textbox').fill('1.1.1.1\n1.1.1.256')
  await servers.getByText('1.1.1.256: a number of an IPv4 address is at most 255').waitFor()
  const paths = page.getByRole('region', { name: 'Search paths' })
  await paths.getByRole('textbox').fill('corp.example.com')
  await paths.getByRole('button', { name: 'Save' }).click()
  await paths.getByText('Saved.').waitFor()
  await page.reload()
  await servers.getByRole('textbox').waitFor()
  assert.equal(await servers.getByRole('textbox').inputValue(), '1.1.1.1\n1.1.1.256')
  assert.equal(await paths.getByRole('textbox').inputValue(), 'corp.example.com')
})

test('what is typed while the answer to a save is under way stays', async () => {
  const service = await sandboxOverHTTP()
  await open()
  await connect('A sandbox over HTTP', service.url)
  await go('DNS')
  const { page } = here
  const answer = await hold(service)
  const paths = page.getByRole('region', { name: 'Search paths' })
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await paths.getByRole('textbox').fill('a.example.com')
  await paths.getByRole('button', { name: 'Save' }).click()
  await asked
  await paths.getByRole('textbox').fill('a.example.com\nb.example.com')
  answer()
  await paths.getByText('Saved.').waitFor()
  assert.equal(await paths.getByRole('textbox').inputValue(), 'a.example.com\nb.example.com')
  assert.deepEqual(await service.other.dns.searchPaths.get(), { searchPaths: ['a.example.com'] })
  assert.equal(await paths.getByRole('button', { name: 'Save' }).isEnabled(), true)
})

test('a finding is at its line, an entry that is there twice is reported, and boxes have names', async () => {
  await open()
  await go('DNS')
  const { page } = here
  const box = page.getByRole('textbox', { name: 'Addresses, one per line' })
  await box.fill('1.1.1.1\n\n8.8.8.888\nfd7a::1\nFD7A:0::1')
  const servers = page.getByRole('region', { name: 'Nameservers' })
  await servers.getByText('Line 3: 8.8.8.888').waitFor()
  await servers.getByText('Line 5: the same stands on line 4').waitFor()
  assert.deepEqual(await servers.locator('.numbers li').evaluateAll((all) => all.map(({ className }) => className)), ['', '', 'error', '', 'warning'])
  assert.equal(await box.getAttribute('aria-invalid'), 'true')
  const [number, first] = await Promise.all(['.numbers li:nth-child(3)', '.numbers li:first-child'].map((css) => servers.locator(css).boundingBox()))
  const line = await box.evaluate((element) => parseFloat(getComputedStyle(element).lineHeight))
  assert.ok(Math.abs(number.y - first.y - 2 * line) < 1, 'the numbers are as far apart as the lines')
  await servers.getByRole('button', { name: 'Line 3' }).click()
  assert.equal(await box.evaluate(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd)), '8.8.8.888')
  const paths = page.getByRole('textbox', { name: 'Domains, one per line' })
  await paths.fill('corp.example.com\nCorp.example.com.')
  await page.getByRole('region', { name: 'Search paths' }).getByText('the same stands on line 1').waitFor()
})

test('nameservers of single domains are checked, saved and taken away', async () => {
  await open()
  await go('DNS')
  const { page } = here
  const split = page.getByRole('region', { name: 'Split DNS' })
  const box = split.getByRole('textbox', { name: 'A domain and its nameservers, one per line' })
  await box.fill('corp.example.com')
  await split.getByText('Line 1: no nameserver stands behind corp.example.com').waitFor()
  await box.fill('corp.example.com 10.0.0.53, 10.0.0.54\nlab.example.com 10.0.0.999')
  await split.getByText('Line 2: 10.0.0.999').waitFor()
  await split.getByRole('button', { name: 'Save' }).click()
  await split
    .getByRole('alert')
    .getByText(/10\.0\.0\.999.*\(400\)/)
    .waitFor()
  await box.fill('corp.example.com 10.0.0.53, 10.0.0.54')
  await split.getByRole('button', { name: 'Save' }).click()
  await split.getByText('Saved.').waitFor()
  await page.reload()
  await box.waitFor()
  assert.equal(await box.inputValue(), 'corp.example.com 10.0.0.53 10.0.0.54')
  await box.fill('')
  await split.getByText('Without an entry every name is asked').waitFor()
  await split.getByRole('button', { name: 'Save' }).click()
  await split.getByText('Saved.').waitFor()
  assert.equal(await split.getByRole('button', { name: 'Save' }).isDisabled(), true)
})
