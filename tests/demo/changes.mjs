// What an edit does, where it is seen, and what stays still while somebody types. Must not live here: the verdict's words, the picture's cells.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answered, cell, changes, cursorLine, eventually, focused, here, lines, open, settled, write } from './page.mjs'

const press = (name) => here.page.getByRole('button', { name, exact: true }).click()
/** Whether a part of the page ends where the foot begins, or above. */
async function isAboveFoot(part) {
  const [{ y, height }, foot] = await Promise.all([part.boundingBox(), here.page.locator('footer').boundingBox()])
  return y + height <= foot.y
}
const item = (words) => here.page.locator('tailnet-changes li', { hasText: words }).first()

test('an edit is brought into view and its lines are marked, and the next edit starts from the saved text', async () => {
  await open()
  const { page } = here
  await press('Give developers the router')
  await page.locator('.cm-line.marked', { hasText: '"tag:router:443"' }).waitFor()
  await page.locator('.difference.added').waitFor()
  await press('Take bob out of group:dev')
  await page.locator('.difference.changed').waitFor()
  await item('bob@example.com loses').waitFor()
  assert.doesNotMatch(await changes(), /tag:router/)
  assert.equal(await page.getByRole('button', { name: 'Give developers the router' }).getAttribute('aria-pressed'), 'false')
})

test('what changes leads to its line and to its cell', async () => {
  await open()
  await press('Take bob out of group:dev')
  await item('because line 6 changed').getByRole('button', { name: 'line 6' }).click()
  await eventually(async () => assert.match(await cursorLine(), /"group:dev"/))
  await item('loses').getByRole('button', { name: 'tag:db 5432' }).click()
  await eventually(async () => assert.match(await focused(), /bob@example\.com → tag:db: nothing any more; lost: 5432/))
  await here.page.locator('.cm-content').press('Control+Home')
  await here.page.locator('.cm-line', { hasText: '"group:dev":' }).click()
  await here.page.locator('tailnet-changes li.marked', { hasText: 'bob@example.com loses' }).waitFor()
})

test('a cell leads to its rules, and a rule to its cells', async () => {
  await open()
  const { page } = here
  await cell('bob@example.com → tag:db: 5432').click()
  await page.locator('.cm-line.marked', { hasText: 'tag:db:5432' }).waitFor()
  await page.locator('.cm-line.marked', { hasText: 'tag:db:5432' }).click()
  await page.locator('tailnet-access .cell.marked', { hasText: 'bob@example.com → tag:db: 5432' }).waitFor()
})

test('a bare address opens on a change: who loses what and why, its line marked and its cells outlined', async () => {
  await open('')
  const { page } = here
  await item('bob@example.com loses tag:db 5432, tag:web 22, tag:web ssh as autogroup:nonroot, because line 6 changed.').waitFor()
  await page.locator('.cm-line.marked', { hasText: '"group:dev"' }).waitFor()
  await page.locator('.difference.changed').waitFor()
  const lost = cell('bob@example.com → tag:db: nothing any more; lost: 5432')
  assert.equal(await lost.evaluate((element) => getComputedStyle(element).borderStyle), 'solid')
  for (const shown of [lost, item('because line 6'), page.locator('.cm-line.marked')]) {
    await eventually(async () => assert.ok(await isAboveFoot(shown), 'in the first view'))
  }
  assert.equal(await page.getByRole('button', { name: 'Take bob out of group:dev' }).getAttribute('aria-pressed'), 'true')
  await press('Take bob out of group:dev')
  await page.getByText('Edit the policy, or press').waitFor()
})

test('what is open to everyone is loud and first', async () => {
  await open()
  await press('Open everything to everyone')
  await here.page.locator('tailnet-changes li.danger').first().waitFor()
  assert.match(await changes(), /Danger: Opens every port of every machine to everyone/)
  assert.match((await changes()).split('\n')[1], /^Danger: /)
})

test('what refuses a text is listed before its warnings', async () => {
  await open()
  await press('Open everything to everyone')
  await here.page.getByText('Would be refused').waitFor()
  await settled()
  const kinds = await here.page.locator('tailnet-policy .findings > li').evaluateAll((all) => all.map(({ className }) => className))
  assert.ok(kinds.includes('error') && kinds.includes('warning'), String(kinds))
  assert.ok(kinds.lastIndexOf('error') < kinds.indexOf('warning'), String(kinds))
})

test('while somebody types a comment the head stays as it is, and nothing is read out', async () => {
  await open()
  const { page } = here
  await page.evaluate(() => {
    globalThis.seen = []
    const { shadowRoot } = document.querySelector('tailnet-policy')
    const [status, editor] = [shadowRoot.querySelector('.status'), shadowRoot.querySelector('.place')]
    new MutationObserver(() => globalThis.seen.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true })
    const top = editor.getBoundingClientRect().top
    new ResizeObserver(() => editor.getBoundingClientRect().top !== top && globalThis.seen.push('the editor moved')).observe(editor)
  })
  await page.locator('.cm-content').press('Control+Home')
  await page.keyboard.type('// harmless\n', { delay: 40 })
  await settled()
  await answered()
  assert.deepEqual(await page.evaluate(() => globalThis.seen), [])
})

test('before the first edit can be read, nothing is said about access', async () => {
  await open()
  const { page } = here
  await page.locator('.cm-content').press('Control+Home')
  await page.keyboard.insertText('{"a')
  await page.getByText('Would be refused').waitFor()
  await page.locator('tailnet-changes [role=alert]', { hasText: 'line 1' }).waitFor()
  assert.doesNotMatch(await changes(), /No change|nobody|Nobody/)
})

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
  [1920, 1080],
  [1024, 768],
]) {
  test(`at ${width} × ${height} the line that is typed is above the foot`, async () => {
    const { page } = here
    await page.setViewportSize({ width, height })
    await open()
    await write(Array.from({ length: 90 }, (_, index) => `// line ${index}`).join('\n'))
    await page.locator('.cm-content').press('Control+Home')
    for (let line = 0; line < 70; line++) await page.keyboard.press('ArrowDown')
    await page.keyboard.insertText('here')
    await eventually(async () => {
      assert.match(await cursorLine(), /here/)
      assert.ok(await isAboveFoot(page.locator('.cm-activeLine').last()))
    })
  })
}

test('the answers are those of one engine, whose files are fetched once', async () => {
  await open()
  await press('Take bob out of group:dev')
  await item('loses').waitFor()
  await answered()
  const files = here.requests.filter((url) => url.endsWith('.wasm')).map((url) => url.replace(/.*\//, '').replace(/-.*/, ''))
  assert.deepEqual([...new Set(files)].sort(), ['dialect_bg', 'policy_bg', 'text_bg'])
  assert.ok((await lines('tailnet-changes li')).length > 0)
})
