// How texts come into the page and out of it: files, links, copies, two texts to compare; also Back, and keys. Must not live here: saving to a service.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { cardOf, cell, changes, cursorLine, eventually, focused, go, here, open, settled, small, write } from './page.mjs'
import { connect, sandboxOverHTTP } from './services.mjs'

const line = (text) => here.page.locator('.cm-line', { hasText: text })
const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
async function menu(item) {
  await here.page.locator('summary', { hasText: 'File' }).click()
  return here.page.locator('.menu').getByText(item, { exact: true })
}
const copied = () => here.page.evaluate(() => navigator.clipboard.readText())
const titled = (view) => here.page.waitForFunction((title) => document.title === title, `${view} · Small office · tailnet-kit`)
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
  // The verdict on the text from before the undo arrives after the warning, and leaves it there.
  await settled()
  assert.equal(await page.getByRole('alert').getByText('picture.png is no text').isVisible(), true)
})

test('a file that is dropped is opened, not inserted', async () => {
  await open()
  await here.page.evaluate((text) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([text], 'dropped.hujson'))
    const content = document.querySelector('tailnet-policy').shadowRoot.querySelector('.cm-content')
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
  await page.locator('summary', { hasText: 'Share' }).click()
  await page.locator('.menu').getByText('Copy link', { exact: true }).click()
  await page.getByText('Copied. The link holds the policy; nothing is uploaded.').waitFor()
  const link = await copied()
  await (await menu('Copy as JSON')).click()
  await eventually(async () => assert.match(await copied(), /^\{/))
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
  await page.locator('summary', { hasText: 'File' }).click()
  await page.getByRole('link', { name: 'Review what I changed' }).click()
  await titled('Review')
  const said = (element) => element.evaluate(({ shadowRoot }) => shadowRoot.textContent)
  const review = page.locator('#review')
  const list = review.locator('tailnet-changes')
  await list.locator('.danger', { hasText: 'Opens port 22 of tag:db to everyone in the tailnet.' }).waitFor()
  assert.match(await said(list), /dave@example\.com[\s\S]*tag:db 22/)
  assert.match(await said(list), /loses?[^.]*tag:web ssh as/)
  await review.locator('.cm-deletedChunk').first().waitFor()
  await review.locator('summary', { hasText: 'Share' }).click()
  await review.getByRole('button', { name: 'Copy as Markdown' }).click()
  await page.getByText('Copied.').waitFor()
  assert.match(await copied(), /`dave@example\.com`/)
  await page.waitForFunction(() => ['view=review', 'text=', 'before='].every((part) => location.hash.includes(part)))
  const link = page.url()
  const other = await page.context().browser().newPage()
  await other.goto(link)
  await other.locator('.danger', { hasText: 'Opens port 22 of tag:db' }).waitFor()
  await other.close()
  await write('{"acls": nonsense}', review.getByRole('region', { name: 'After' }).locator('.cm-content'))
  await list
    .getByRole('alert')
    .getByText(/line 1/)
    .waitFor()
})

test('a review begins with what is typed, and with a change of the example where nothing is', async () => {
  await open()
  const { page } = here
  const list = page.locator('#review tailnet-changes')
  await go('Review')
  await list.getByText('bob@example.com loses').waitFor()
  await go('Policy')
  await page.getByRole('button', { name: 'Give developers the router' }).click()
  await page.locator('#policy tailnet-changes').getByText('gain tag:router 443').waitFor()
  await go('Review')
  await list.getByText('gain tag:router 443').waitFor()
  assert.equal(await list.getByText('bob@example.com loses').count(), 0)
})

test("a policy of one's own is compared from there on, without the devices of the example, and a link carries that", async () => {
  await open()
  await mayCopy()
  const { page } = here
  const own = `{
  "tagOwners": {"tag:prod": [], "tag:stage": []},
  "groups": {"group:sre": ["zoe@corp.example"], "group:eng": ["yan@corp.example"]},
  "acls": [
    {"action": "accept", "src": ["group:sre"], "dst": ["tag:prod:22,443"]},
    {"action": "accept", "src": ["group:eng"], "dst": ["tag:stage:*"]},
  ],
}
`
  await write(own)
  await page.getByText('This looks like your own policy.').waitFor()
  await page.getByRole('button', { name: 'Compare from here' }).click()
  await cardOf('What changes').getByText('Edit the policy, or press').waitFor()
  await page.waitForFunction(() => location.hash.includes('before='))
  await cardOf('What changes').getByText('compared with the text that you chose').waitFor()
  await write(own.replace('["group:eng"], "dst": ["tag:stage:*"]', '["group:eng"], "dst": ["tag:prod:*"]').replace('tag:prod:22,443', 'tag:prod:443'))
  await page.locator('tailnet-changes .loss').first().waitFor()
  const told = await changes()
  assert.match(told, /zoe@corp\.example loses tag:prod 22/, 'what no device has yet is judged as the picture judges it')
  assert.match(told, /yan@corp\.example[\s\S]*tag:prod all ports/)
  await cell('zoe@corp.example → tag:prod').waitFor()
  await page.locator('summary', { hasText: 'Share' }).click()
  await page.locator('.menu').getByText('Copy link', { exact: true }).click()
  await page.getByText('the policy, the one it is compared with, the network').waitFor()
  const other = await page.context().newPage()
  await other.goto(await copied())
  await other.locator('tailnet-changes .loss', { hasText: 'zoe@corp.example' }).waitFor()
  assert.equal(await other.getByText('This looks like your own policy.').isVisible(), false)
  await other.close()
  await page.getByRole('button', { name: 'Compare with the saved policy' }).click()
  await page.locator('tailnet-changes .loss', { hasText: 'alice@example.com loses' }).waitFor()
})

test('what is too large for a link is a file in its place, which is opened again', async () => {
  await open()
  const { page } = here
  const noise = Array.from({ length: 900 }, (_, index) => `"h${Math.sin(index)}": "10.${index % 250}.${index >> 8}.7"`)
  await write(`{"hosts": {\n${noise.join(',\n')}\n}, "acls": []}`)
  await settled()
  await page.locator('summary', { hasText: 'Share' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('.menu').getByText('Copy link', { exact: true }).click()])
  assert.equal(download.suggestedFilename(), 'policy-change.json')
  await page.getByRole('button', { name: 'Revert' }).click()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), (await menu('Open a file …')).click()])
  await chooser.setFiles(await download.path())
  await page.waitForFunction(() => document.querySelector('tailnet-policy').value.includes('"h0": "10.0.0.7"'))
})

test('the change is shared as Markdown and as a picture', async () => {
  await open('')
  await mayCopy()
  const { page } = here
  const share = async (item) => {
    await page.locator('summary', { hasText: 'Share' }).click()
    return page.locator('.menu').getByText(item, { exact: true })
  }
  await (await share('Copy as Markdown')).click()
  await page.getByText('Copied.').waitFor()
  assert.match(await copied(), /bob@example\.com/)
  const [download] = await Promise.all([page.waitForEvent('download'), (await share('Picture as SVG')).click()])
  assert.match(await readFile(await download.path(), 'utf8'), /^<svg[\s\S]*bob@example\.com[\s\S]*−5432/)
})

test('each card has the lines that make it', async () => {
  await open()
  for (const [title, code] of [
    ['What changes', "import 'tailnet-kit/elements/changes'"],
    ['Who reaches what', "import 'tailnet-kit/elements/access'"],
    ['Rules that apply to', 'tailnet-preview'],
    ['Can A reach B?', "import 'tailnet-kit/elements/flow'"],
    ['Tests', "import 'tailnet-kit/elements/tests'"],
  ]) {
    await cardOf(title).getByTitle('The code of this card').click()
    await cardOf(title).locator('pre', { hasText: code }).waitFor()
  }
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

test('the view is that of the last address, however long an earlier one takes to read', async () => {
  await open()
  const { page } = here
  await write(small)
  await page.waitForFunction(() => location.hash.includes('text='))
  const packed = await page.evaluate(() => location.hash)
  await go('Devices')
  await titled('Devices')
  await page.evaluate((hash) => {
    location.hash = hash
    location.hash = '#view=users'
  }, packed)
  await page.getByText('5 of 5 users').waitFor()
  await titled('Users')
})

test('what is typed is written into no address that somebody went to since', async () => {
  await open()
  const { page } = here
  await page.evaluate(() => {
    const { arrayBuffer } = Response.prototype
    const released = new Promise((resolve) => (globalThis.release = resolve))
    Response.prototype.arrayBuffer = async function () {
      globalThis.isPacking = true
      await released
      return arrayBuffer.call(this)
    }
  })
  await write(small)
  await page.waitForFunction(() => globalThis.isPacking)
  await write(small.replace('Who may', 'Later: who may'))
  // The page has a timer of this length for each change, which ends before this one.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 250)))
  await go('Devices')
  await titled('Devices')
  await page.evaluate(() => globalThis.release())
  await go('Policy')
  await page.waitForFunction(() => location.hash.includes('text='))
  await page.goBack()
  await titled('Devices')
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
  await open('')
  const outline = await page.locator('#to-policy').evaluate((link) => getComputedStyle(link).outlineStyle)
  assert.equal(outline, 'solid')
  const mark = await page
    .locator('.cm-line.marked')
    .first()
    .evaluate((element) => getComputedStyle(element).borderInlineStartStyle)
  assert.equal(mark, 'solid')
  await settled()
  const lost = await cell('bob@example.com → tag:db').evaluate((element) => getComputedStyle(element).borderStyle)
  assert.equal(lost, 'dotted', 'a lost cell has another border than a gained one')
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
  await settled()
  await write('{"acls": nonsense }}}') // An offer for the text before would come before the verdict on this one.
  await settled()
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
  await here.page.locator('.cm-content').focus()
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
  await here.page.locator('.cm-content').focus()
  await page.locator('.cm-line').nth(1).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('x')
  assert.equal(await cursorLine(), '\tx')
})
