// The page with a Headscale: the example in the page, and a server behind its gateway. Must not live here: what its policies mean.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changes, eventually, go, here, judge, lines, open, settled, write } from './page.mjs'
import { connect, headscaleBehindGateway } from './services.mjs'

const save = () => here.page.getByRole('button', { name: 'Save', exact: true })
const row = (view, words) => here.page.locator(`tailnet-${view} tr.item`, { hasText: words })
const EXAMPLE = '#example=headscale'

/** A policy for the same users. */
const policy = (more = '') => `{
  // Who pushes.
  "groups": {"group:dev": ["ben@", "cleo@"]},
  "tagOwners": {"tag:git": ["group:dev"]},
  "acls": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:git:22"]},${more}
  ],
}
`

async function connected(service, key) {
  const { page } = here
  await open()
  if (key) {
    await page.getByRole('button', { name: /^Connected to/ }).click()
    await page.getByRole('radio', { name: 'A Headscale' }).check()
    await page.getByLabel('Address of the headscale').fill(service.url)
    await page.getByLabel('API key (never stored)').fill(key)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
  } else await connect('A Headscale', service.url)
  await page.getByRole('button', { name: `Connected to: ${service.url} · Headscale` }).waitFor()
  await page.locator('.cm-line', { hasText: 'A small team behind its own Headscale server' }).waitFor()
  await settled()
}

test('the example is a Headscale: its nodes with their routes, its users, its keys, and no view of what it does not have', async () => {
  await open(EXAMPLE)
  const { page } = here
  assert.deepEqual(await page.getByRole('navigation').getByRole('link').allInnerTexts(), ['Policy', 'Review', 'Devices', 'Users', 'Keys'])
  await go('Devices')
  await page.getByRole('rowheader', { name: 'ann-laptop' }).waitFor()
  assert.deepEqual(
    (await lines('tailnet-devices tr.item')).map((words) => words.split(/\s+/).slice(0, 3).join(' ')),
    [
      'ann-laptop ann 100.64.0.1',
      'backup-1 tag:backup 100.64.0.6',
      'ben-laptop ben 100.64.0.2',
      'build-1 tag:build 100.64.0.5',
      'cleo-laptop cleo 100.64.0.3',
      'git-1 tag:git 100.64.0.4',
    ],
  )
  await judge('Devices of a Headscale')
  await page.getByRole('button', { name: 'Routes of cleo-laptop: 2 pending' }).click()
  await page.getByLabel('0.0.0.0/0').check()
  await page.getByLabel('::/0').check()
  await page.getByRole('button', { name: 'Save routes' }).click()
  await page.getByRole('button', { name: 'Routes of cleo-laptop: exit node' }).waitFor()
  await go('Users')
  assert.match(await row('users', 'Cleo').innerText(), /cleo\s+1 device/)
  await page.getByRole('button', { name: 'Delete cleo' }).click()
  await page.getByText('Only a user without devices can be deleted.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await judge('Users of a Headscale')
  await go('Keys')
  await page.getByRole('textbox', { name: 'User', exact: true }).fill('ben')
  await page.getByLabel('reusable').check()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Copy this key now').waitFor()
  assert.match(await page.locator('.secret code').innerText(), /^hskey-auth-/)
  assert.match(await row('keys', 'ben').innerText(), /auth\s+in 90 days[\s\S]*reusable/)
  await judge('Keys of a Headscale')
  await page.getByRole('button', { name: 'Revoke ben' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No keys yet.').waitFor()
})

test('a policy is judged and saved as Headscale does, and is still stored after a reload', async () => {
  await open(EXAMPLE)
  const { page } = here
  await write(policy('\n    {"action": "accept", "src": ["autogroup:admin"], "dst": ["tag:git:443"]},'))
  await page.getByText(/^Would be refused: .*autogroup:admin/).waitFor()
  await write(policy())
  await page.getByText(/^Would be accepted/).waitFor()
  await eventually(async () => assert.match(await changes(), /ann@ loses tag:backup/))
  await save().click()
  await page.getByText('Saved.').waitFor()
  await page.reload()
  await page.locator('.cm-line', { hasText: 'Who pushes.' }).waitFor()
  await page.getByText('Edit the policy, or press').waitFor()
  await page.locator('summary', { hasText: 'File' }).click()
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.locator('.cm-line', { hasText: 'A small team' }).waitFor()
})

test('a Headscale behind its gateway is shown and written, without a key, and a save that meets that of somebody else asks', async () => {
  const service = await headscaleBehindGateway()
  const { page } = here
  const keys = []
  page.on('request', (request) => keys.push(request.headers().authorization))
  await connected(service)
  await write(policy())
  await save().click()
  await page.getByText('Saved.').waitFor()
  assert.equal((await service.other.policy.get()).text, policy())
  await service.other.policy.set(policy().replace('Who pushes', 'Who pushed first'))
  await write(policy('\n    {"action": "accept", "src": ["ann@"], "dst": ["tag:git:443"]},'))
  await save().click()
  await page.getByRole('dialog', { name: 'Somebody else saved another text meanwhile' }).waitFor()
  await page.getByRole('button', { name: 'Merge and save' }).click()
  await page.getByText('Saved.').waitFor()
  const { text } = await service.other.policy.get()
  assert.match(text, /Who pushed first/)
  assert.match(text, /"ann@"/)
  assert.deepEqual(keys.filter(Boolean), [])
})

test('a Headscale is reached by its address and key, which the page forgets', async () => {
  const service = await headscaleBehindGateway({ isOpen: true })
  await connected(service, service.apiKey)
  await go('Users')
  await row('users', 'ann').waitFor()
  const kept = await here.page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }) + location.href)
  assert.ok(!kept.includes(service.apiKey))
  here.expected.push('401')
  await here.page.reload()
  await here.page.getByRole('alert').waitFor()
})
