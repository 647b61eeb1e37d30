// What the page's editor does while somebody writes, which all comes from the kit's extension and its worker.
// Must not live here: what the extension does by itself (tests/js/editors), the cards beside the editor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorLine, eventually, here, lines, open, search, small, write } from './page.mjs'

const line = (text) => here.page.locator('.cm-line', { hasText: text })
const fetched = (part) => here.requests.some((url) => url.includes(part))

/** Waits until a place has not changed for a while. */
async function rest(place) {
  const html = () => here.page.locator(place).innerHTML()
  let before
  do {
    before = await html()
    await here.page.waitForTimeout(300)
  } while (before !== (await html()))
}

/** Presses these keys and counts them; `take` is Enter, once the list of completions has that entry first. */
async function typed(...keys) {
  const { page } = here
  for (const key of keys) {
    if (key.offered === undefined) await page.keyboard.press(key)
    else {
      await page.locator('.cm-tooltip-autocomplete [aria-selected]', { hasText: key.offered }).waitFor()
      await rest('.cm-tooltip-autocomplete') // A list that has just opened ignores Enter for a moment.
      await page.keyboard.press('Enter')
    }
  }
  return keys.length
}
const take = (offered) => ({ offered })

test('the text has its colours, remarks and folds before the language service is fetched', async () => {
  await open('')
  const { page } = here
  await page.locator('.tailnet-comment').first().waitFor()
  await page
    .locator('.tailnet-inlay', { hasText: /device/ })
    .first()
    .waitFor()
  await page.locator('.cm-foldGutter [title="Fold line"]').first().waitFor()
  assert.equal(fetched('language'), false)
  await page.locator('.cm-content').press('Control+Home')
  await page.keyboard.insertText('/* mine */ ')
  await page.locator('.tailnet-comment', { hasText: '/* mine */' }).waitFor()
  assert.ok(fetched('language.worker'), 'a worker answers what was typed')
})

test('a rule is written with fewer keys than its names have letters', async (t) => {
  await open()
  const { page } = here
  await search() // By then brackets are closed too.
  await page.keyboard.press('Escape')
  await page.locator('.cm-content').press('Control+a')
  await page.keyboard.press('Delete')
  await page.locator('.cm-content').and(page.locator(':focus')).waitFor()
  let keys = await typed('{', 'g', 'r', 'a', take('grants'), take('grant'))
  keys += await typed('a', take('alice@example.com'), 'Tab', 't', take('tag:web'), 'Tab', '2', '2')
  // The tag is not declared yet: a fix is offered at its place.
  await page.getByText('Would be refused: dst="tag:web"').waitFor()
  // F8 leads from one of these to the next.
  await eventually(async () => assert.deepEqual(await lines('.cm-lintRange'), ['{', '"tag:web"']))
  keys += await typed('F8', 'Control+.')
  await page.getByRole('group', { name: 'Quick fixes' }).waitFor()
  keys += await typed('Enter')
  await page.getByText(/^Would be accepted/).waitFor()
  keys += await typed('Shift+Alt+f')
  await page.waitForFunction(() => !document.querySelector('tailnet-policy').shadowRoot.textContent.includes('],}'))
  const names = ['alice@example.com', 'tag:web', '22']
  const letters = names.join('').length
  t.diagnostic(`${keys} keys; ${names.join(', ')} have ${letters} letters`)
  assert.ok(keys <= letters, `${keys} keys for ${letters} letters`)
  const rule = (await line('"src"').innerText()).replace(/\d+ devices?/g, '').trim()
  assert.equal(rule, '{"src": ["alice@example.com"], "dst": ["tag:web"], "ip": ["22"]},')
})

test('a name is renamed by F2, a name that cannot be is reported, and nothing else changes', async () => {
  await open()
  const { page } = here
  await write(small)
  await line('"Groups"').click()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: /New name for group:ops/ }).fill('tag:crew')
  await page.keyboard.press('Enter')
  const again = page.getByRole('textbox', { name: /\. New name for group:ops/ })
  await again.waitFor()
  await again.fill('group:crew')
  await page.keyboard.press('Enter')
  await line('"Users": ["group:crew"').waitFor()
  assert.equal(await page.locator('.cm-line', { hasText: 'group:ops' }).count(), 0)
})

test('an issue is read out when the cursor comes to it, and its fix is offered', async () => {
  await open()
  const { page } = here
  await write(`{
  "groups": {"group:ops": ["alice@example.com"]},
  "acls": [{"action": "accept", "src": ["group:opps"], "dst": ["*:22"]}],
}
`)
  await page.locator('.cm-lintRange-error').first().waitFor()
  await page.locator('.cm-announced').evaluate((place) => {
    globalThis.announced = []
    new MutationObserver(() => globalThis.announced.push(place.textContent)).observe(place, { childList: true })
  })
  // Advice on the devices of the example may stand before it.
  const isRead = () => page.evaluate(() => globalThis.announced.some((words) => /^error: .*group:opps/.test(words)))
  for (let issue = 0; issue < 8 && !(await isRead()); issue++) await page.getByRole('button', { name: 'Next issue' }).click()
  assert.ok(await isRead(), JSON.stringify(await page.evaluate(() => globalThis.announced)))
  await page.keyboard.press('Control+.')
  await page.getByRole('group', { name: 'Quick fixes' }).getByRole('button', { name: 'Write group:ops', exact: true }).click()
  await page.getByText(/^Would be accepted/).waitFor()
  assert.match(await cursorLine(), /"group:ops"/)
})

test('what is said of an issue does not cover the button that leads to the next one', async () => {
  await open()
  const { page } = here
  await write('{"acls": [\n{"action": "accept", "src": ["group:a"], "dst": ["*:22"]},\n{"action": "accept", "src": ["group:b"], "dst": ["*:80"]}]}')
  await page.locator('.cm-lintRange-error').nth(1).waitFor()
  await page.locator('.cm-content').press('Control+Home')
  const button = page.getByRole('button', { name: 'Next issue' })
  for (const group of ['group:a', 'group:b']) {
    for (let issue = 0; issue < 8 && !(await cursorLine()).includes(group); issue++) await page.keyboard.press('F8')
    const said = page.locator('.cm-tooltip-lint', { hasText: group })
    await eventually(async () => {
      const [{ y, height }, under] = await Promise.all([said.boundingBox(), button.boundingBox()])
      assert.ok(y >= under.y + under.height || y + height <= under.y, `from ${y} to ${y + height}`)
    })
  }
})

test('the list of completions is drawn above the cards beside the editor', async () => {
  await open()
  const { page } = here
  await write('{"acls": [{"action": "accept", "src": ["*"], "dst": ["*:22"], "proto": ""}]}')
  await page.locator('.cm-content').press('End')
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Control+Space')
  const list = page.locator('.cm-tooltip-autocomplete')
  await list.waitFor()
  const inSight = () =>
    list.evaluate((element) => {
      const { left, right, top, height } = element.getBoundingClientRect()
      const root = element.getRootNode()
      return [left + 4, right - 4].every((x) => element.contains(root.elementFromPoint(x, top + height / 2)))
    })
  await eventually(async () => assert.equal(await inSight(), true))
})

test('the editor goes dark with the rest of the page', async () => {
  await open()
  const { page } = here
  const colour = () =>
    page
      .locator('.tailnet-key')
      .first()
      .evaluate((element) => getComputedStyle(element).color)
  const light = await colour()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(
    (before) => getComputedStyle(document.querySelector('tailnet-policy').shadowRoot.querySelector('.tailnet-key')).color !== before,
    light,
  )
})
