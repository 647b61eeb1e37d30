// How texts come into the page and out of it: files, links, copies, two texts to compare; also Back, and keys. Must not live here: saving to a service.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { cursorLine, enter, focused, go, here, lines, open, settled, small, write } from './page.mjs'
import { connect, sandboxOverHTTP } from './services.mjs'

const line = (text) => here.page.locator('.cm-line', { hasText: text })
const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
async function menu(item) {
  await here.page.locator('summary', { hasText: 'File' }).click()
  return here.page.locator('.menu').getByText(item, { exact: true })
}
const copied = () => here.page.evaluate(() => navigator.clipboard.readText())
const titled = (view) => here.page.waitForFunction((title) => document.title === title, `${view} · tailnet-kit`)
const mayCopy = () => here.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])

test('a file is opened, and that is undone', async () => {
  await open()
  const { page } = here
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), (await menu('Open a file …')).click()])
  await chooser.setFiles(file('mine.hujson', small))
  await page.getByText('This is mine.hujson now').waitFor()
  await line('// Who may reach what.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await line('The policy of example.com').waitFor()
  const [again] = await Promise.all([page.waitForEvent('filechooser'), (await menu('Open a file …')).click()])
  await again.setFiles(file('picture.png', 'a\0b'))
  await page.getByRole('alert').getByText('picture.png is no text').waitFor()
})

test('a file that is dropped is opened, not inserted', async () => {
  await open()
  await here.page.evaluate((text) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([text], 'dropped.hujson'))
    const content = document.querySelector('.editor').shadowRoot.querySelector('.cm-content')
    for (const type of ['dragover', 'drop']) content.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, composed: true, cancelable: true }))
  }, small)
  await here.page.getByText('This is dropped.hujson now').waitFor()
  await line('// Who may reach what.').waitFor()
  assert.equal(await line('The policy of example.com').count(), 0)
})

test('the link and the JSON are copied, the text is downloaded', async () => {
  await open()
  await mayCopy()
  const { page } = here
  await write(small)
  await (await menu('Copy link')).click()
  await page.getByText('Copied.').waitFor()
  const link = await copied()
  await (await menu('Copy as JSON')).click()
  while (!(await copied()).startsWith('{')) await page.waitForTimeout(50)
  const { groups, acls } = JSON.parse(await copied())
  assert.deepEqual([groups, acls[0].users, acls[0].ports], [{ 'group:ops': ['alice@example.com'] }, ['group:ops'], ['10.0.0.1:22']])
  const [download] = await Promise.all([page.waitForEvent('download'), (await menu('Download')).click()])
  assert.equal(download.suggestedFilename(), 'policy.hujson')
  assert.equal(await readFile(await download.path(), 'utf8'), small)
  const other = await page.context().browser().newPage()
  await other.goto(link)
  await other.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor()
  await other.close()
})

test('two texts are reviewed, at an address that has both', async () => {
  await open()
  await mayCopy()
  const { page } = here
  await write('{"acls": [{"action": "accept", "src": ["*"], "dst": ["tag:db:22"]}], "tagOwners": {"tag:db": []}}')
  await page.locator('.gain').first().waitFor()
  await (await menu('Review what I changed')).click()
  await titled('Review')
  const part = (name) => page.getByRole('region', { name, exact: true })
  await part('Open to many').getByText('tag:db is open to everybody here now').waitFor()
  assert.match(await part('Who gains and who loses').innerText(), /dave@example\.com[\s\S]*gains\s+tag:db 22/)
  assert.match(await part('Logins').innerText(), /loses\s+ssh/)
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await page.getByText('Copied.').waitFor()
  assert.match(await copied(), /`dave@example\.com`/)
  const link = page.url()
  assert.match(link, /view=review/)
  await page.getByRole('textbox', { name: 'Text after' }).fill(await page.getByRole('textbox', { name: 'Text before' }).inputValue())
  await page.getByText('No effective change: only comments or layout differ.').waitFor()
  const other = await page.context().browser().newPage()
  await other.goto(link)
  await other.getByText('tag:db is open to everybody here now').waitFor()
  await other.close()
  await page.getByRole('textbox', { name: 'Text after' }).fill('{"acls": nonsense}')
  await page
    .locator('#review')
    .getByRole('alert')
    .getByText(/line 1/)
    .waitFor()
})

test('views are links with titles of their own, and Back works without losing what was typed', async () => {
  await open()
  const { page } = here
  await write(small)
  await page.waitForFunction(() => location.hash.includes('text='))
  for (const view of ['Users', 'Keys', 'Settings', 'Devices', 'DNS']) {
    await go(view)
    await titled(view)
    assert.equal(await page.getByRole('navigation').getByRole('link', { name: view }).getAttribute('aria-current'), 'page')
  }
  await page.goBack()
  await titled('Devices')
  await go('Policy')
  await write(small.replace('Who may', 'Later: who may'))
  for (const view of ['Devices', 'Settings', 'Keys', 'Users', 'Policy']) {
    await page.goBack()
    await titled(view)
  }
  await line('Later: who may').waitFor()
})

test('Format keeps the cursor where it is, and F8 leads from issue to issue', async () => {
  await open()
  const { page } = here
  await write('{"acls":[\n{"action":"accept","src":["*"],"dst":["*:22"]},\n{"action":"accept","src":["*"],"dst":["*:80"]}]}')
  await page.getByText(/^Would be accepted/).waitFor()
  await page.locator('.cm-content').press('ArrowUp')
  assert.match(await cursorLine(), /\*:22/)
  await page.getByRole('button', { name: 'Format' }).click()
  await line('"dst": ["*:22"]').waitFor()
  assert.match(await cursorLine(), /\*:22/)
  await write('{"acls": [\n{"action": "accept", "src": ["group:a"], "dst": ["*:22"]},\n{"action": "accept", "src": ["group:b"], "dst": ["*:80"]}]}')
  await page.locator('.cm-lintRange-error').nth(1).waitFor()
  await page.locator('.cm-content').press('Control+Home')
  // Advice on the devices of the example has its place in the round, too.
  const visited = []
  for (let issue = 0; issue < 8; issue++) {
    await page.keyboard.press('F8')
    visited.push(await cursorLine())
  }
  const first = visited.findIndex((text) => text.includes('group:a'))
  assert.ok(first >= 0, visited.join('; '))
  assert.match(visited[first + 1] ?? '', /group:b/)
  const isAtFirst = async () => (await cursorLine()).includes('group:a')
  await page.getByRole('button', { name: 'Next issue' }).click()
  for (let issue = 1; issue < 8 && !(await isAtFirst()); issue++) await page.getByRole('button', { name: 'Next issue' }).click()
  assert.ok(await isAtFirst(), 'group:a again')
})

test('a service that was only tried leaves no red dot on the one that works', async () => {
  const service = await sandboxOverHTTP()
  await service.close()
  await open()
  await go('Devices')
  await here.page.getByRole('rowheader', { name: 'alice-laptop' }).waitFor()
  here.expected.push('net::ERR')
  await connect('A sandbox over HTTP', service.url)
  await here.page.getByRole('dialog').getByRole('alert').waitFor()
  assert.equal(await here.page.locator('#connection.unreachable').count(), 0)
})

test('each button of a device says whose routes it shows', async () => {
  await open()
  await go('Devices')
  await here.page.getByRole('button', { name: 'Routes of bob-laptop: none' }).click()
  assert.equal(await focused(), 'Routes of bob-laptop: none')
})

test('the current view and the marks can be told apart in forced colours', async () => {
  const { page } = here
  await page.emulateMedia({ forcedColors: 'active' })
  await open()
  const outline = await page.locator('#to-policy').evaluate((link) => getComputedStyle(link).outlineStyle)
  assert.equal(outline, 'solid')
  const mark = await page
    .locator('.cm-marked')
    .first()
    .evaluate((element) => getComputedStyle(element).borderLeftStyle)
  assert.equal(mark, 'solid')
  await settled()
  assert.ok((await lines('.matrix tbody td')).length > 0)
})

test('JSON5 that is pasted or opened is offered as HuJSON', async () => {
  await open()
  await mayCopy()
  const { page } = here
  await page.evaluate((text) => navigator.clipboard.writeText(text), "// mine\n{acls: [{action: 'accept', src: ['*'], dst: ['*:22'],},],}")
  await page.locator('.cm-content').press('Control+a')
  await page.keyboard.press('Control+v')
  await page.getByText('This is JSON5').waitFor()
  await page.getByText('Would be refused').waitFor()
  await page.getByRole('button', { name: 'Turn it into HuJSON' }).click()
  await page.getByText('This is HuJSON now').waitFor()
  await page.getByText(/^Would be accepted/).waitFor()
  await line('"dst": ["*:22"]').waitFor()
  await line('// mine').waitFor()
  assert.equal(await page.getByText('This is JSON5').count(), 0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await line("action: 'accept'").waitFor()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), (await menu('Open a file …')).click()])
  await chooser.setFiles(file('mine.json5', '{acls: []}'))
  await page.getByText('This is JSON5').waitFor()
  await page.getByText('This is mine.json5 now').waitFor()
  await write('{"acls": nonsense, }}')
  await page.getByText('Would be refused').waitFor()
  assert.equal(await page.getByText('This is JSON5').count(), 0, 'nonsense is no JSON5')
})

test('the keys are listed by their button and by ?, but not while somebody types', async () => {
  await open()
  const { page } = here
  const list = page.getByRole('dialog', { name: 'Keyboard' })
  await page.locator('.cm-content').press('?')
  assert.equal(await list.count(), 0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.keyboard.press('?')
  await list.getByText('Next issue').waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Keyboard' }).click()
  await list.getByText('Redo').waitFor()
  await list.getByRole('button', { name: 'Close' }).click()
  await list.waitFor({ state: 'detached' })
})

test('keys do what is listed: lines are moved, undone and redone', async () => {
  await open()
  const { page } = here
  await enter()
  await page.keyboard.press('Control+Home')
  const first = () => page.locator('.cm-line').first().innerText()
  await page.keyboard.press('Alt+ArrowDown')
  assert.equal(await first(), '{')
  await page.keyboard.press('Control+z')
  assert.match(await first(), /^\/\/ The policy/)
  await page.keyboard.press('Control+y')
  assert.equal(await first(), '{')
  await page.keyboard.press('Tab')
  assert.doesNotMatch((await focused()) ?? '', /Tailnet policy/)
})

test('on a narrow screen lines wrap, and Enter indents as the text does', async () => {
  const { page } = here
  await page.setViewportSize({ width: 360, height: 740 })
  await open()
  assert.equal(await page.locator('.cm-content').evaluate((element) => getComputedStyle(element).whiteSpaceCollapse ?? ''), 'break-spaces')
  await enter()
  await page.locator('.cm-line').nth(1).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('x')
  assert.equal(await cursorLine(), '\tx')
})
