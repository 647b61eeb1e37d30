// The first minute: what the page says it is, examples, edits to try, and that no answer is shown for another text.
// Must not live here: what a single card answers (policy.mjs).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardOf, changes, cursorLine, eventually, go, here, lines, open, question, ruled, settled, small, verdict, write } from './page.mjs'

const press = (name) => here.page.getByRole('button', { name, exact: true }).click()

/** Holds back a file of the page until the returned function is called. */
async function hold(pattern) {
  let release
  const released = new Promise((resolve) => (release = resolve))
  await here.page.route(pattern, async (route) => {
    await released
    await route.continue()
  })
  return release
}

test('it says what it is, the verdict is beside Save, and the changes are in sight', async () => {
  await open()
  const { page } = here
  await page.getByText('See who gains and who loses access before you save a tailnet policy.').waitFor()
  assert.equal(await page.title(), 'Policy · Small office · tailnet-kit')
  const [verdict, save] = await Promise.all([
    page.locator('tailnet-policy .status:not([hidden])').boundingBox(),
    page.getByRole('button', { name: 'Save', exact: true }).boundingBox(),
  ])
  assert.ok(save.y > verdict.y && save.y - verdict.y < 90, 'Save is right below the verdict')
  const card = await cardOf('What changes').boundingBox()
  assert.ok(card.y + card.height < 860, 'without scrolling')
  assert.equal(await page.getByRole('link', { name: 'Reference' }).getAttribute('href'), './reference.txt')
})

test('the text can be read before the editor is there', async () => {
  const { page } = here
  const release = await hold('**/editor-*.js')
  await page.goto(`${here.origin}#example=office`)
  await page.locator('pre', { hasText: '"group:admins": ["alice@example.com"]' }).first().waitFor()
  release()
  await page.locator('.cm-content').waitFor()
  await page.locator('tailnet-policy pre').waitFor({ state: 'detached' })
})

test('while there is no answer the verdict of the text before is kept, marked as past', async () => {
  await open('')
  const { page } = here
  const release = await hold('**/policy_bg-*.wasm')
  await write('{"acls": "nonsense"}')
  await page.locator('tailnet-policy:state(past) .status:not([hidden])', { hasText: 'Would be refused: 1 of 3 tests fails' }).waitFor()
  release()
  await settled()
  assert.match(await verdict().innerText(), /Would be refused: json/)
})

test('a text that is no HuJSON is refused while the policy engine is still on its way, in the words that the engine has for it', async () => {
  await open('')
  const shown = async () => [await verdict().innerText(), await lines('tailnet-policy .findings > li')]
  const release = await hold('**/policy_bg-*.wasm')
  await write('{"acls": nonsense}')
  await settled()
  const early = await shown()
  assert.match(early[0], /invalid literal/)
  release()
  await write('{"acls": "nonsense"}')
  await settled()
  await write('{"acls": nonsense}')
  await settled()
  assert.deepEqual(await shown(), early)
})

test('no verdict is ever shown for a text that it is not about, unless marked as past', async () => {
  await open()
  const { page } = here
  await write(small)
  await page.getByText(/^Would be accepted/).waitFor()
  const seen = page.evaluate(async () => {
    const wrong = []
    const content = document.querySelector('tailnet-policy').shadowRoot.querySelector('.cm-content')
    while (!globalThis.isOver) {
      await new Promise(requestAnimationFrame)
      const policy = document.querySelector('tailnet-policy')
      const verdict = policy.matches(':state(past)') ? '' : policy.shadowRoot.querySelector('.status').textContent
      const broken = content.textContent.includes('nonsense')
      if (broken ? verdict.includes('accepted') : verdict.includes('refused')) wrong.push(verdict)
    }
    return wrong
  })
  await page.locator('.cm-content').press('Control+Home')
  for (let i = 0; i < 4; i++) {
    await page.keyboard.insertText('nonsense')
    await page.waitForTimeout(150)
    await press('Undo')
    await page.waitForTimeout(150)
  }
  await settled()
  await page.evaluate(() => (globalThis.isOver = true))
  assert.deepEqual(await seen, [])
})

for (const [title, edit, said] of [
  [
    'Small office',
    'Give developers the router',
    /Nobody loses access, 2 gain\.[\s\S]*bob@example\.com, carol@example\.com gain tag:router 443, because line \d+ is new/,
  ],
  [
    'Small office',
    'Take bob out of group:dev',
    /1 loses access, nobody gains[\s\S]*bob@example\.com loses[\s\S]*tag:db 5432[\s\S]*tag:web 22[\s\S]*tag:web ssh as autogroup:nonroot[\s\S]*because line \d+ changed/,
  ],
  ['Grants and tests', 'Move pete to finance', /1 loses access, 1 gains[\s\S]*pete@example\.com loses tag:shop[\s\S]*pete@example\.com gains tag:ledger/],
  ['Headscale', 'Take ben out of group:dev', /1 loses access, nobody gains[\s\S]*ben@ loses[\s\S]*tag:git 22, 443[\s\S]*because line 5 changed/],
  ['Large: 1,000 devices', 'Dissolve team 007', /3 lose access, nobody gains[\s\S]*tag:app007 22, 443/],
]) {
  test(`${title}: "${edit}" shows who gains and who loses`, async () => {
    await open()
    const { page } = here
    await page.getByRole('link', { name: title }).click()
    await page.locator('.pick[aria-current]', { hasText: title }).waitFor()
    await page.locator('.cm-content').waitFor()
    await settled()
    await press(edit)
    await cardOf('What changes').locator('.gain, .loss').first().waitFor()
    assert.match(await changes(), said)
    assert.equal(await page.getByRole('button', { name: edit, exact: true }).getAttribute('aria-pressed'), 'true')
    await page.locator('tailnet-access .cell:is(.gained, .lost)').first().waitFor()
    await press(edit)
    await cardOf('What changes').getByText('Edit the policy, or press').waitFor()
    assert.equal(await page.getByRole('button', { name: edit, exact: true }).getAttribute('aria-pressed'), 'false')
  })
}

test('an example is a link, keeps what was typed for it, and Back leads to the one before', async () => {
  await open()
  const { page } = here
  await write(small)
  await page.getByRole('link', { name: 'Grants and tests' }).click()
  await page.locator('.cm-line', { hasText: 'Grants: who may reach what' }).waitFor()
  await go('Devices')
  await page.getByRole('rowheader', { name: 'mia-laptop' }).waitFor()
  await page.goBack()
  await page.locator('.cm-line', { hasText: 'Grants: who may reach what' }).waitFor()
  await page.getByRole('link', { name: 'Small office' }).click()
  await page.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor()
})

test('while the text is refused, each card says which text it is about, and its links follow the edits', async () => {
  await open()
  const { page } = here
  assert.deepEqual((await lines('[part=outdated]')).join(''), '')
  await (await ruled()).fill('alice@example.com')
  await cardOf('Rules that apply to').locator('.row', { hasText: 'group:admins' }).waitFor()
  await page.locator('.cm-content').press('Control+Home')
  await page.keyboard.insertText('// one\n// two\n// three\nnonsense\n')
  await page.getByText('Would be refused').waitFor()
  assert.deepEqual(new Set((await lines('[part=outdated]')).filter(Boolean)), new Set(['From before the error in line 4']))
  await cardOf('Rules that apply to').locator('.row', { hasText: 'group:admins' }).click()
  await eventually(async () => assert.match(await cursorLine(), /"src": \["group:admins"\]/))
  await page.locator('.cm-line.marked', { hasText: 'group:admins' }).waitFor()
  assert.equal(await page.locator('.cm-line.marked', { hasText: 'tagOwners' }).count(), 0)
})

test('what was typed can be undone after a reload, and redone', async () => {
  await open()
  const { page } = here
  await write(small)
  await page.locator('.cm-content').press('Control+Home')
  await page.keyboard.insertText('// later\n')
  await page.reload()
  await page.locator('.cm-line', { hasText: '// later' }).waitFor()
  await press('Undo')
  await page.locator('.cm-line', { hasText: '// later' }).waitFor({ state: 'detached' })
  await press('Undo')
  await page.locator('.cm-line', { hasText: 'The policy of example.com' }).waitFor()
  await press('Redo')
  await page.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor()
})

test('the sandbox starts over, after a question', async () => {
  await open()
  const { page } = here
  await write(small)
  await press('Save')
  await page.getByText('Saved.').waitFor()
  await page.locator('summary', { hasText: 'File' }).click()
  await press('Start over')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await page.locator('.cm-line', { hasText: 'The policy of example.com' }).waitFor()
  await settled()
  await page.reload()
  await page.locator('.cm-line', { hasText: 'The policy of example.com' }).waitFor()
})

test('nonsense is reported where it was typed, and devices are names too', async () => {
  await open()
  const subject = await ruled()
  await subject.fill('10.0.0.0/99')
  await cardOf('Rules that apply to').getByRole('alert').getByText('at most 32').waitFor()
  await subject.fill('???')
  await cardOf('Rules that apply to').getByText('??? is no name of this policy or its network.').waitFor()
  await write('{"acls": [{"action": "accept", "src": ["*"], "dst": ["tag:web:80"]}], "tagOwners": {"tag:web": []}}')
  await cardOf('What changes').locator('.loss').first().waitFor()
  await subject.fill('web-1')
  await cardOf('Rules that apply to').locator('.row', { hasText: 'tag:web:80' }).waitFor()
  const flow = await question()
  await eventually(async () => {
    const offered = await flow.getByLabel('From', { exact: true }).evaluate((field) => [...field.list.options].map(({ value }) => value))
    assert.ok(offered.includes('web-1') && offered.includes('office-router'), `${offered}`)
  })
})
