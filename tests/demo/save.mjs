// Saving the policy, conflicts, and the services a page may connect to. Must not live here: answers about a text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorLine, eventually, focused, go, here, judge, lines, open, question, ruled, settled, small, write } from './page.mjs'
import { connect, gateway, hold, sandboxOverHTTP, sandboxWithoutETag } from './services.mjs'

const save = () => here.page.getByRole('button', { name: 'Save', exact: true })

async function connected(service) {
  await open()
  await connect('A sandbox over HTTP', service.url)
  await here.page.getByRole('button', { name: new RegExp(`Connected to: ${service.url}`) }).waitFor()
  await here.page.locator('.cm-content').waitFor()
  await settled()
}

test("a policy is saved in the page's sandbox, and is still stored after a reload", async () => {
  await open()
  const { page } = here
  assert.equal(await save().isDisabled(), true)
  await write(small)
  await save().click()
  await page.getByText('Saved.').waitFor()
  await page.getByText('Edit the policy, or press').waitFor()
  await page.reload()
  await page.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor()
  await settled()
  assert.equal(await save().isDisabled(), true)
})

/** Saves by keyboard, and types on before there is an answer; the returned function lets the answer come. */
async function typeWhileSaving(service) {
  const { page } = here
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  const answer = await hold(service)
  await write(small)
  await page.keyboard.press('Control+s')
  await asked
  await page.keyboard.type('// typed meanwhile')
  return answer
}

test('saving again before there is an answer saves what was typed meanwhile, without a conflict', async () => {
  const service = await sandboxOverHTTP()
  await connected(service)
  const answer = await typeWhileSaving(service)
  await here.page.keyboard.press('Enter')
  await here.page.keyboard.press('Control+s')
  answer()
  await here.page.waitForFunction(() => {
    const { shadowRoot } = document.querySelector('tailnet-save')
    return shadowRoot.querySelector('button').ariaDisabled === 'true' && shadowRoot.querySelector('.good')
  })
  assert.equal((await service.other.acl.get()).text, `${small}// typed meanwhile\n`)
})

test('Ctrl+S saves, and what is typed while the answer is under way stays', async () => {
  const service = await sandboxOverHTTP()
  await connected(service)
  const { page } = here
  const answer = await typeWhileSaving(service)
  answer()
  await page.getByText('Saved.').waitFor()
  assert.equal((await service.other.acl.get()).text, small)
  assert.equal(await cursorLine(), '// typed meanwhile')
  assert.equal(await save().isEnabled(), true)
})

test('what is typed is still there after a reload, with what it changes', async () => {
  await open()
  const { page } = here
  await write(small)
  await (await ruled()).fill('bob@example.com')
  await (await question()).getByLabel('To', { exact: true }).fill('10.0.0.1:22')
  await page.keyboard.press('Tab')
  await page.waitForFunction(() => location.hash.includes('for=bob'))
  await page.reload()
  await page.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor()
  await page.locator('.gain, .loss').first().waitFor()
  assert.equal(await (await ruled()).inputValue(), 'bob@example.com')
  assert.equal(await (await question()).getByLabel('To', { exact: true }).inputValue(), '10.0.0.1:22')
})

test('what is typed for one service is kept apart from what is typed for another, and neither is lost', async () => {
  const service = await sandboxOverHTTP()
  await open()
  const { page } = here
  const line = (text) => page.locator('.cm-line', { hasText: text }).waitFor()
  const from = (await question()).getByLabel('From')
  await write(small.replace('Who may reach what', 'Typed for the page'))
  await from.fill('bob@example.com')
  await connect('A sandbox over HTTP', service.url)
  await line('The policy of example.com')
  assert.equal(await from.inputValue(), '')
  await write(small.replace('Who may reach what', 'Typed for the other'))
  await line('Typed for the other')
  await page.reload()
  await line('Typed for the other')
  await connect('The sandbox in this page')
  await line('Typed for the page')
  await question()
  assert.equal(await from.inputValue(), 'bob@example.com')
  await connect('A sandbox over HTTP', service.url)
  await line('Typed for the other')
})

test('an answer that comes when another service is in use is kept for the one that was asked', async () => {
  const service = await sandboxOverHTTP()
  await open()
  const { page } = here
  await (await question()).getByLabel('From').fill('bob@example.com')
  const asked = await page.locator('tailnet-flow').elementHandle()
  let release
  const released = new Promise((resolve) => (release = resolve))
  await page.route(`${service.url}/**/devices*`, async (route) => route.continue(await released))
  await connect('A sandbox over HTTP', service.url)
  await page.getByText('Reading the policy …').waitFor()
  await asked.evaluate((flow) => flow.dispatchEvent(new CustomEvent('answer')))
  release()
  await page.locator('.cm-line', { hasText: 'The policy of example.com' }).waitFor()
  assert.equal(await (await question()).getByLabel('From').inputValue(), '')
})

test('undo leads from a text in the address back to the one that was being edited', async () => {
  await open()
  const { page } = here
  await write(small.replace('Who may reach what', 'A text to share'))
  await page.waitForFunction(() => location.hash.includes('text='))
  const hash = await page.evaluate(() => location.hash)
  await write(small.replace('Who may reach what', 'A text under way'))
  await page.waitForFunction((old) => location.hash.includes('text=') && location.hash !== old, hash)
  await page.evaluate((shared) => (location.hash = shared), hash)
  await page.locator('.cm-line', { hasText: 'A text to share' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.cm-line', { hasText: 'A text under way' }).waitFor()
})

test("a refused policy stays in the editor, with the service's own words", async () => {
  await open()
  const { page } = here
  await write(small.replace('accept', 'drop'))
  await save().click()
  const alert = page.locator('tailnet-save').getByRole('alert')
  assert.match(await alert.innerText(), /action="drop" is not supported \(400\)/)
  await page.locator('.cm-line', { hasText: 'drop' }).waitFor()
})

test('a save that fails a test says so, and Save is not the first thing to press on such a text', async () => {
  await open()
  const { page } = here
  await page.getByRole('button', { name: 'Take bob out of group:dev' }).click()
  await page.getByText('Would be refused: 1 of 3 tests fails').waitFor()
  assert.equal(await page.locator('tailnet-save .primary').count(), 0)
  await save().click()
  await page.locator('tailnet-save').getByRole('alert').getByText('Not saved: the service refused it, as 1 test fails.').waitFor()
})

test('a conflict shows both changes, writes nothing, and is merged', async () => {
  const service = await sandboxOverHTTP()
  await connected(service)
  here.expected.push('412')
  const { page } = here
  const { text, etag } = await service.other.acl.get()
  await service.other.acl.set(
    text.replace('"dst": ["tag:web:22,80,443", "tag:db:5432"]', '"dst": ["tag:web:22,80,443"]').replace('"tag:web:22", "tag:db:5432"', '"tag:web:22"'),
    { ifMatch: etag },
  )
  await write(text.replace('"printer":    "192.168.10.9"', '"printer":    "192.168.10.10"'))
  await save().click()
  await page.getByText('Somebody else saved').waitFor()
  await eventually(async () => {
    const [mine, theirs] = await lines('.sides > div')
    assert.match(mine, /\/hosts\/printer changed[\s\S]*192\.168\.10\.10/)
    assert.match(theirs, /\/acls/)
  })
  assert.match((await service.other.acl.get()).text, /192\.168\.10\.9"/, 'nothing was written')
  await page.getByRole('button', { name: 'Merge and save' }).click()
  await page.getByText('Saved.').waitFor()
  const merged = (await service.other.acl.get()).text
  assert.match(merged, /192\.168\.10\.10/)
  assert.doesNotMatch(merged, /"tag:web:22,80,443", "tag:db:5432"/)
})

test('two changes of the same lines are not merged', async () => {
  const service = await sandboxOverHTTP()
  await connected(service)
  here.expected.push('412')
  const { page } = here
  const { text, etag } = await service.other.acl.get()
  await service.other.acl.set(text.replace('192.168.10.9', '192.168.10.77'), { ifMatch: etag })
  await write(text.replace('192.168.10.9', '192.168.10.88'))
  await save().click()
  await page.getByText('Both changed the same lines.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Merge and save' }).count(), 0)
  await page.getByRole('button', { name: 'Keep my text, over theirs' }).click()
  await save().click()
  await page.getByText('Saved.').waitFor()
  assert.match((await service.other.acl.get()).text, /192\.168\.10\.88/)
})

test('without an ETag nothing is written, the page says why, and what was typed stays', async () => {
  const service = await sandboxWithoutETag()
  await connected(service)
  const { page } = here
  const { text } = await service.other.acl.get()
  await write(text.replace('192.168.10.9', '192.168.10.77'))
  await save().click()
  await page.locator('tailnet-save').getByRole('alert').getByText('shows no ETag').waitFor()
  await page.locator('.cm-line', { hasText: '"printer": "192.168.10.77"' }).waitFor()
  assert.equal(await save().isEnabled(), true)
  assert.equal((await service.other.acl.get()).text, text, 'nothing was written')
})

test('a conflict shows the added and removed entries of a long list', async () => {
  const service = await sandboxOverHTTP()
  const { etag } = await service.other.acl.get()
  const people = Array.from({ length: 40 }, (_, i) => `"person${i}@example.com"`)
  const policy = (members, ip) => `{"groups": {\n"group:all": [${members}]\n},\n"hosts": {"h": "${ip}"}, "acls": []}`
  const { etag: next } = await service.other.acl.set(policy(people, '10.0.0.1'), { ifMatch: etag })
  await connected(service)
  here.expected.push('412')
  const { page } = here
  await service.other.acl.set(policy([...people.slice(1), '"new@example.com"'], '10.0.0.1'), { ifMatch: next })
  await write(policy(people, '10.0.0.2'))
  await save().click()
  await page.getByRole('dialog', { name: /Somebody else saved/ }).waitFor()
  await eventually(async () => assert.match((await lines('.sides > div'))[1], /group:all changed \["person0@example.com"\] \["new@example.com"\]/))
})

/** Presses the Tab key, forwards or backwards, until a button has the focus, and then presses the button. */
async function press(name, key = 'Tab') {
  for (let i = 0; i < 12 && (await focused()) !== name; i++) await here.page.keyboard.press(key)
  assert.equal(await focused(), name)
  await here.page.keyboard.press('Enter')
}

for (const colorScheme of ['light', 'dark']) {
  test(`a conflict is answered by keyboard alone, and axe finds nothing in it, ${colorScheme}`, async () => {
    const { page } = here
    await page.emulateMedia({ colorScheme })
    const service = await sandboxOverHTTP()
    await connected(service)
    here.expected.push('412')
    const { text, etag } = await service.other.acl.get()
    await service.other.acl.set(text.replace('192.168.10.9', '192.168.10.66'), { ifMatch: etag })
    await write(text.replace('tag:web:22,80,443', 'tag:web:22'))
    const asked = page.getByRole('dialog', { name: /Somebody else saved/ })
    await page.keyboard.press('Control+s')
    await asked.waitFor()
    await judge('conflict')
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'detached' })
    await eventually(async () => assert.equal(await focused(), 'Tailnet policy', 'whoever was typing goes on typing'))
    await press('Save', 'Shift+Tab')
    await asked.waitFor()
    await press('Merge and save')
    await page.getByText('Saved.').waitFor()
    await asked.waitFor({ state: 'detached' })
    await eventually(async () => assert.equal(await focused(), 'Save', 'the keyboard is where it was'))
  })
}

test('a failed call to a service that is gone is shown in its place, and nothing typed is lost', async () => {
  const service = await sandboxOverHTTP()
  await connected(service)
  const { page } = here
  await write(small)
  await page.getByText(/^Would be accepted/).waitFor()
  await service.close()
  here.expected.push('net::ERR')
  await save().click()
  await page.locator('tailnet-save').getByRole('alert').waitFor()
  await go('Devices')
  await page.locator('#devices').getByRole('alert').waitFor()
  await page.locator('#devices').getByRole('button', { name: 'Try again' }).waitFor()
  await page.locator('#connection.unreachable').waitFor()
  await go('Policy')
  await page.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor()
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])), /tskey/)
})

test('after a reload without the service, the draft goes on in the sandbox of the page', async () => {
  const service = await sandboxOverHTTP()
  await connected(service)
  const { page } = here
  await write(small)
  await page.getByText(/^Would be accepted/).waitFor()
  await service.close()
  here.expected.push('net::ERR')
  await page.reload()
  await page.getByRole('link', { name: 'Use the sandbox in this page' }).click()
  await page.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor()
  await page.getByRole('button', { name: 'Connected to: Sandbox in this page' }).waitFor()
})

test('a service behind a gateway is read without a key, and its refusal to write is shown', async () => {
  const service = await gateway()
  await open()
  const { page } = here
  const keys = []
  page.on('request', (request) => keys.push(request.headers().authorization))
  await connect('Your own service behind its gateway', service.url)
  await page.getByRole('button', { name: new RegExp(`Connected to: ${service.url}`) }).waitFor()
  await page.locator('.cm-content').waitFor()
  here.expected.push('403')
  await write(small)
  await save().click()
  assert.match(await page.locator('tailnet-save').getByRole('alert').innerText(), /\(403\)/)
  assert.deepEqual(keys.filter(Boolean), [])
})

test('a service that does not answer is not connected to, and the dialog says so', async () => {
  const service = await sandboxOverHTTP()
  await service.close()
  await open()
  here.expected.push('net::ERR')
  await connect('A sandbox over HTTP', service.url)
  await here.page.getByRole('dialog').getByRole('alert').waitFor()
  here.expected.push('404')
  await here.page.keyboard.press('Escape')
  await connect('A sandbox over HTTP', 'https://api.example.com')
  await here.page.getByText('This page can call a path on this site, or a localhost address.').waitFor()
  await here.page.keyboard.press('Escape')
  await connect('Your own service behind its gateway', '/nowhere')
  const refusal = await here.page.getByRole('dialog').getByRole('alert').innerText()
  assert.equal(refusal.match(/404/g).length, 1, refusal)
  await here.page.keyboard.press('Escape')
  await here.page.getByRole('button', { name: /Connected to: Sandbox in this page/ }).waitFor()
})
