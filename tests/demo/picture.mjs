// The picture of who reaches what: what is drawn, grouped, filtered, compared, paged and saved. Must not live here: other cards.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { cursorLine, focused, here, lines, open, write } from './page.mjs'

const card = () => here.page.getByRole('region', { name: 'Who reaches what', exact: true })
const cell = (name) => card().getByRole('button', { name })
const heads = (scope) => here.page.locator(`.matrix th[scope=${scope}] button`).evaluateAll((all) => all.map(({ title }) => title))
const who = () => card().getByLabel('Filter sources')
const what = () => card().getByLabel('Filter destinations')

test('it is complete, and marks what comes via a broader rule', async () => {
  await open()
  const wide = cell('alice@example.com reaches tag:db at all through *')
  await wide.hover()
  assert.match(await here.page.locator('.told').innerText(), /alice@example\.com reaches tag:db at every port[\s\S]*through \*[\s\S]*25/)
  assert.match(await wide.locator('..').getAttribute('class'), /wide/)
  assert.doesNotMatch(await cell('bob@example.com reaches tag:db').locator('..').getAttribute('class'), /wide/)
})

test('equal rows and columns become one, or each is shown alone, by kind and then by name', async () => {
  await open()
  const people = ['alice', 'bob', 'carol', 'dave'].map((name) => `${name}@example.com`)
  assert.deepEqual((await heads('col')).slice(0, 2), [people[0], people.slice(1).join('\n')])
  await card().getByLabel('Group identical').uncheck()
  assert.deepEqual(await heads('col'), [
    ...people,
    'tag:db',
    'tag:exit',
    'tag:router',
    'tag:web',
    'autogroup:internet',
    'autogroup:self',
    'office-lan',
    'printer',
    '*',
  ])
  const order = await heads('row')
  await here.page.getByRole('button', { name: 'Give developers the router' }).click()
  await here.page.locator('td.gained').first().waitFor()
  assert.deepEqual(await heads('row'), order, 'what somebody types changes no order')
})

test('a row of equal names lists its names, and each of them can be chosen as the subject', async () => {
  await open()
  await card().getByRole('button', { name: 'bob@example.com +2', exact: true }).click()
  assert.match(
    await here.page.locator('.told').innerText(),
    /These 3 are reached alike:[\s\S]*bob@example\.com[\s\S]*carol@example\.com[\s\S]*dave@example\.com/,
  )
  await here.page.locator('.told').getByRole('button', { name: 'dave@example.com' }).click()
  assert.equal(await here.page.getByLabel('Rules that apply to').inputValue(), 'dave@example.com')
})

test('either side is filtered, whatever the case', async () => {
  await open()
  await who().fill('BOB')
  await what().fill('Tag:W')
  assert.deepEqual([await heads('row'), await heads('col')], [['bob@example.com'], ['tag:web']])
  await what().fill('nothing of the kind')
  await card().getByText('No name matches.').waitFor()
})

test('gained and lost ports, and no others, are marked in the cells', async () => {
  await open()
  const { page } = here
  await write(
    '{"groups": {"group:dev": ["bob@example.com"]}, "tagOwners": {"tag:web": []}, "acls": [{"action": "accept", "src": ["group:dev"], "dst": ["tag:web:80-90,443"]}]}',
  )
  await page.locator('td.changed').first().waitFor()
  const lines = cell('bob@example.com reaches tag:web').locator('> span:not(.hidden)')
  assert.deepEqual(await lines.evaluateAll((all) => all.map(({ lastChild }) => lastChild.textContent)), ['−22', '+81-90', '80-90', '443'])
  await cell('bob@example.com reaches tag:web').hover()
  assert.match(await page.locator('.told').innerText(), /gained: 81-90; lost: 22/)
  assert.ok((await page.locator('td.lost').count()) > 0)
})

test('a name removed from the text is shown with what a wider rule still opens, on either side', async () => {
  await open()
  const { page } = here
  await page.getByRole('button', { name: 'Take bob out of group:dev' }).click()
  await page.locator('td.lost').first().waitFor()
  const ports = (name) =>
    cell(name)
      .locator('> span:not(.hidden)')
      .evaluateAll((all) => all.map(({ lastChild }) => lastChild.textContent))
  await card().getByLabel('Group identical').uncheck()
  assert.deepEqual(await ports('bob@example.com reaches tag:web'), ['−22', '80', '443'], 'the rule of all members is still there')
  assert.deepEqual(await ports('bob@example.com reaches tag:db'), ['−5432'])
  await cell('bob@example.com reaches tag:web').click()
  assert.match(await page.locator('.told').innerText(), /through autogroup:member; lost: 22[\s\S]*34/)
  await page.getByRole('button', { name: 'Revert' }).click()
  await page.getByText('No change yet.').waitFor()
  await write(
    `{"tagOwners": {"tag:web": []}, "hosts": {"office-lan": "192.168.10.0/24"}, "acls": [{"action": "accept", "src": ["carol@example.com"], "dst": ["office-lan:80,443,9100"]}]}`,
  )
  await cell('carol@example.com reaches printer at lost −631').waitFor()
  assert.deepEqual(await ports('carol@example.com reaches printer'), ['−631', '80', '443', '9100'], 'the host is part of a network that is reached')
})

test('a name that is new in the text gains only what no wider rule already gave', async () => {
  await open()
  const { page } = here
  await write('{"tagOwners": {"tag:web": []}, "acls": [{"action": "accept", "src": ["autogroup:member"], "dst": ["tag:web:80"]}]}')
  await page.getByText(/^Would be accepted/).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()
  await write(
    '{"tagOwners": {"tag:web": []}, "acls": [{"action": "accept", "src": ["autogroup:member"], "dst": ["tag:web:80"]}, {"action": "accept", "src": ["bob@example.com"], "dst": ["tag:web:22"]}]}',
  )
  await page.locator('td.gained').first().waitFor()
  const ports = cell('bob@example.com reaches tag:web').locator('> span:not(.hidden)')
  assert.deepEqual(await ports.evaluateAll((all) => all.map(({ lastChild }) => lastChild.textContent)), ['+22', '80'])
})

test('the rules of a cell are listed below the picture and marked, and the cursor stays', async () => {
  await open()
  await cell('bob@example.com reaches tag:db at 5432').click()
  assert.match(await focused(), /^bob@example\.com reaches tag:db/)
  assert.match(await cursorLine(), /^\/\/ The policy/, 'the cursor stands where it stood')
  await here.page.locator('.cm-marked', { hasText: 'tag:db:5432' }).waitFor()
  await card().locator('.told .row').click()
  assert.match(await cursorLine(), /group:dev/, 'whoever wants to go there chooses the rule')
})

test('ports are shown by name on request', async () => {
  await open()
  await card().getByLabel('Port names (ssh, https)').check()
  await cell('bob@example.com reaches tag:web at ssh http https').waitFor()
  await cell('tag:web reaches tag:db at tcp:postgres').waitFor()
})

test('it is saved as SVG, CSV and JSON', async () => {
  await open()
  const { page } = here
  const file = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), card().getByRole('button', { name, exact: true }).click()])
    assert.equal(download.suggestedFilename(), `access.${name.toLowerCase()}`)
    return readFile(await download.path(), 'utf8')
  }
  const rows = (await file('CSV')).split('\r\n')
  assert.equal(rows[0], '"source","destination","ports","gained","lost","through","lines"')
  assert.ok(rows.includes('"bob@example.com","tag:web","22 80 443","","","","28 34"'), rows.join('\n'))
  assert.ok(rows.includes('"carol@example.com","carol@example.com","*","","","autogroup:self","34"'))
  assert.ok(!rows.some((row) => row.startsWith('"carol@example.com","dave@example.com"')), "its own is nobody else's")
  const cells = JSON.parse(await file('JSON'))
  assert.deepEqual(cells.find(({ sources, destinations }) => sources[0] === 'tag:web' && destinations[0] === 'tag:db').ports, ['tcp:5432'])
  const drawn = await page.evaluate(
    (svg) => {
      const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml')
      return [documentElement.tagName, [...documentElement.querySelectorAll('text')].map(({ textContent }) => textContent)]
    },
    await file('SVG'),
  )
  assert.equal(drawn[0], 'svg')
  for (const words of ['bob@example.com', 'bob@example.com +2', 'tag:db', '5432', 'own']) assert.ok(drawn[1].includes(words), words)
})

test('of 100 groups and 1,000 devices it shows a page at a time, and leads from a device to who reaches it, and back', async (t) => {
  await open('#example=large')
  const { page } = here
  await card()
    .getByText(/rows 1–40 of \d+/)
    .waitFor()
  assert.equal(await page.locator('.matrix tbody tr').count(), 40)
  await card().getByRole('button', { name: 'Next rows' }).click()
  await card()
    .getByText(/rows 41–80 of \d+/)
    .waitFor()
  const begin = Date.now()
  await card().getByLabel('Rows and columns').selectOption('device')
  await card()
    .getByText(/of 1000 destinations/)
    .waitFor()
  t.diagnostic(`1,000 devices after ${Date.now() - begin} ms`)
  await card().getByLabel('Group identical').uncheck()
  await card()
    .getByText(/rows \d+–\d+ of 1000/)
    .waitFor()
  await what().fill('APP1-007')
  assert.deepEqual(await heads('row'), ['laptop1-007', 'laptop2-007', 'laptop3-007'])
  await card().getByRole('button', { name: 'laptop2-007', exact: true }).click()
  await card().getByRole('button', { name: 'What it reaches' }).click()
  assert.deepEqual(await heads('row'), ['laptop2-007'])
  assert.ok((await heads('col')).includes('app1-007'))
  await card().getByRole('button', { name: 'app1-007', exact: true }).click()
  await card().getByRole('button', { name: 'Who reaches it' }).click()
  assert.ok((await lines('.matrix th[scope=row]')).includes('laptop1-007'))
})
