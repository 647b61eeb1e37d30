// The picture of who reaches what, as far as the page has a part in it. Must not live here: what the element does in any page (tests/js/elements).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { cardOf, cell, eventually, focused, here, open, settled, write } from './page.mjs'

const card = () => cardOf('Who reaches what')

test('it is complete, and says what comes via a broader rule', async () => {
  await open()
  await cell('alice@example.com → tag:db').click()
  await card().getByText('alice@example.com → tag:db: all ports; via the broader *').last().waitFor()
  await card().getByRole('button', { name: 'line 25' }).waitFor()
})

test('either side is filtered, whatever the case', async () => {
  await open()
  await card().getByLabel('Filter sources').fill('BOB')
  await card().getByLabel('Filter destinations').fill('Tag:W')
  await card().getByText('1 of 6 sources, 1 of 13 destinations').waitFor()
  await card().getByLabel('Filter destinations').fill('nothing of the kind')
  await card().getByText('No name matches.').waitFor()
})

test('gained and lost ports, and no others, are marked in the cells', async () => {
  await open()
  await write(
    '{"groups": {"group:dev": ["bob@example.com"]}, "tagOwners": {"tag:web": []}, "acls": [{"action": "accept", "src": ["group:dev"], "dst": ["tag:web:80-90,443"]}]}',
  )
  await cell('bob@example.com → tag:web: 80-90, 443; lost: 22; gained: 81-90').waitFor()
})

test('a name removed from the text is shown with what a wider rule still opens', async () => {
  await open()
  await here.page.getByRole('button', { name: 'Take bob out of group:dev' }).click()
  await cell('bob@example.com → tag:web: 80, 443; lost: 22; via the broader autogroup:member').waitFor()
  await cell('bob@example.com → tag:db: nothing any more; lost: 5432').hover()
  await card().getByText('Before the change, line 28').waitFor()
  await cell('bob@example.com → tag:db: nothing any more; lost: 5432').click()
  await here.page.locator('.cm-line.marked', { hasText: 'tag:db:5432' }).waitFor()
  await card().getByRole('button', { name: 'line 28 of the text before' }).click()
  await here.page.locator('tailnet-policy').getByText('Line 28 of the text before:').waitFor()
})

test('SSH logins are a picture of their own, to which the list leads', async () => {
  await open('')
  const login = here.page.locator('tailnet-changes').getByRole('button', { name: 'tag:web ssh as autogroup:nonroot' })
  await login.click()
  await eventually(async () => assert.match(await focused(), /^bob@example\.com → tag:web/))
})

test('it is saved as CSV', async () => {
  await open()
  const [download] = await Promise.all([here.page.waitForEvent('download'), card().getByRole('button', { name: 'CSV', exact: true }).click()])
  assert.equal(download.suggestedFilename(), 'access.csv')
  const rows = (await readFile(await download.path(), 'utf8')).split('\r\n')
  assert.ok(rows.includes('"bob@example.com","tag:web","22 80 443","","","","","28 34"'), rows.join('\n'))
})

test('of 100 groups and 1,000 devices it shows only what changes, and leads to the cell that was pressed', async (t) => {
  await open('#example=large')
  const { page } = here
  await card().locator('[part=overview]').waitFor()
  const begin = Date.now()
  await page.getByRole('button', { name: 'Dissolve team 007' }).click()
  await cell(/person1\.of007@example\.com.* → tag:app007: nothing any more; lost: 22, 443/).waitFor()
  t.diagnostic(`the change after ${Date.now() - begin} ms`)
  await settled()
  await card().getByLabel('Only what changes').uncheck()
  await page.locator('tailnet-changes').getByRole('button', { name: 'tag:app007 22, 443' }).click()
  await eventually(async () => assert.match(await focused(), /of007@example\.com.* → tag:app007/))
})
