// CodeMirror with the extension, in Chromium, by keyboard and pointer, under a strict policy of content. Must not live here: what the
// service answers.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { FAULTY, POLICY } from './policy.mjs'
import { opened, until } from './tools.mjs'

const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'nonce-n0nce'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"

let page, close
before(async () => ({ page, close } = await opened('codemirror-page.mjs', STRICT, '<!doctype html><title>CodeMirror</title><script type="module" src="page.js"></script>')))
beforeEach(() => page.evaluate(() => edit()))
after(async () => assert.deepEqual(await close(), []))

const text = () => page.evaluate(() => view.state.doc.toString())
const selected = () => page.evaluate(() => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to))
const count = (selector) => page.locator(selector).count()
const announced = () => page.locator('.cm-announced').textContent()
/** Puts the cursor into the words, that many characters in. */
const cursor = (words, into = 1) => page.evaluate(([words, into]) => view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf(words) + into } }), [words, into])

test('words have the colours of what they are', async () => {
  await until(() => count('.tailnet-group'))
  const colours = await page.evaluate(() => ['group', 'comment', 'punctuation'].map((type) => getComputedStyle(document.querySelector(`.tailnet-${type}`)).color))
  assert.equal(new Set(colours).size, 3)
  await cursor('group:dev', 9)
  await page.keyboard.type('s')
  await until(async () => (await page.locator('.tailnet-group').first().textContent()) === 'group:devs')
})

test('what may stand somewhere is offered while it is written, in a list that a screen reader knows', async () => {
  await cursor('"group:dev"], "dst"', 11)
  await page.keyboard.type(', "ta')
  const list = page.getByRole('listbox')
  await list.waitFor()
  assert.match(await list.getByRole('option').first().textContent(), /^tag:db/)
  assert.equal(await page.getByRole('textbox', { name: 'Tailnet policy' }).getAttribute('aria-autocomplete'), 'list')
  await page.waitForTimeout(100)
  await page.keyboard.press('Enter')
  assert.match(await text(), /"src": \["group:dev", "tag:db"?\]/)
})

test('a word says what it means, under the pointer and by keys, as plain text', async () => {
  await until(() => count('.tailnet-group'))
  await page.locator('.tailnet-group').last().hover()
  const tip = page.locator('.tailnet-hover')
  await until(() => tip.count())
  assert.match(await tip.textContent(), /group:dev.*ann@example\.com/s)
  assert.equal(await tip.locator('strong').first().textContent(), 'group:dev')
  await page.mouse.move(1, 1)
  await until(() => tip.count(), (shown) => shown === 0)
  await cursor('group:dev"], "dst"', 3)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+i')
  await until(() => tip.count())
  await until(announced, (said) => said.includes('ann@example.com'))
  await page.keyboard.press('Escape')
  await until(() => tip.count(), (shown) => shown === 0)
})

test('nothing that a policy says becomes HTML', async () => {
  const markup = '<img src=x onerror="violations.push(1)"> **bold** `<b>` [site](javascript:alert(1))'
  await page.evaluate((markdown) => edit('{}', { lint: false, service: new Proxy({}, { get: (_, verb) => async () => (verb === 'hover' ? { from: 0, to: 2, markdown } : []) }) }), markup)
  await page.locator('.cm-line').hover({ position: { x: 8, y: 8 } })
  const tip = page.locator('.tailnet-hover')
  await until(() => tip.count())
  assert.equal(await tip.textContent(), '<img src=x onerror="violations.push(1)"> bold <b> [site](javascript:alert(1))')
  assert.deepEqual([await tip.locator('img').count(), await tip.locator('b').count(), await tip.locator('a').count()], [0, 0, 0])
})

test('an issue is underlined, and its fix removes it, by keys alone', async () => {
  await page.evaluate((faulty) => edit(faulty), FAULTY)
  await until(() => count('.cm-lintRange-error'))
  await page.keyboard.press('Control+Shift+M')
  const panel = page.locator('.cm-panel-lint')
  await until(() => panel.count())
  assert.match(await panel.textContent(), /tag:dv/)
  await panel.getByRole('button').first().click()
  await until(() => count('.cm-lintRange-error'), (shown) => shown === 0)
  assert.notEqual(await text(), FAULTY)
  assert.equal(await page.evaluate(() => checked.at(-1)), 0)
})

test('what can be done at the cursor is offered by Mod-.', async () => {
  await page.evaluate((faulty) => edit(faulty), FAULTY)
  await cursor('tag:dv', 2)
  await page.keyboard.press('Control+.')
  const offered = page.getByRole('group', { name: 'What can be done here' }).getByRole('button')
  await until(() => offered.count())
  await page.keyboard.press('Enter')
  await until(text, (now) => now !== FAULTY)
  assert.equal(await page.evaluate(() => view.hasFocus), true)
})

test('a name is renamed wherever it stands; one that cannot be is told, and asked again', async () => {
  await cursor('tag:db:22', 2)
  await page.keyboard.press('F2')
  const box = page.getByRole('textbox', { name: /New name for tag:db/ })
  await box.fill('tag:1')
  await page.keyboard.press('Enter')
  await page.getByText(/no tag.*New name for tag:db/).first().waitFor()
  await until(() => page.getByRole('textbox', { name: /no tag/ }).inputValue(), (value) => value === 'tag:1')
  await page.getByRole('textbox', { name: /no tag/ }).fill('tag:store')
  await page.keyboard.press('Enter')
  await until(text, (now) => now === POLICY.replaceAll('tag:db', 'tag:store'))
  await page.keyboard.press('Control+z')
  assert.equal(await text(), POLICY)
})

test('a section folds by keys and in one column', async () => {
  await until(() => page.locator('.cm-foldGutter:visible').getByTitle('Fold line', { exact: true }).count(), (shown) => shown > 0)
  assert.equal(await page.locator('.cm-foldGutter:visible').count(), 1)
  await cursor('"acls"')
  await page.keyboard.press('Control+Shift+BracketLeft')
  await until(() => count('.cm-foldPlaceholder'))
  assert.ok(!(await page.locator('.cm-content').textContent()).includes('accept'))
})

test('remarks stand between the words and are none of them', async () => {
  const note = page.getByRole('note').first()
  await note.waitFor()
  assert.match(await page.locator('.cm-content').textContent(), /"tag:db:22"1 device/)
  assert.equal(await text(), POLICY)
})

test('keys lead to the definition, select more, and format', async () => {
  await cursor('group:dev"], "dst"', 3)
  await page.keyboard.press('F12')
  await until(selected, (words) => words === 'group:dev')
  assert.equal(await page.evaluate(() => view.state.selection.main.from), POLICY.indexOf('group:dev'))
  await page.keyboard.press('Control+i')
  await until(selected, (words) => words.length > 'group:dev'.length)
  await page.evaluate(() => edit('{"groups": {}, // so\n}'))
  await page.keyboard.press('Shift+Alt+f')
  await until(text, (now) => now === '{\n\t"groups": {}, // so\n}\n')
})

test('what is switched off is not there, and a misspelt option is told', async () => {
  await page.evaluate((faulty) => edit(faulty, { highlight: false, lint: false, inlay: false, rename: false, folding: false, hover: false, completion: false }), FAULTY)
  await page.waitForTimeout(600)
  assert.deepEqual([await count('[class*=tailnet-]'), await count('.cm-lintRange-error')], [0, 0])
  const code = await page.evaluate(() => { try { tailnetPolicy({ highlights: true }) } catch (error) { return error.code } })
  assert.equal(code, 'invalid_argument')
})

test('an editor that is gone while it was asked stays silent, and nothing broke the policy of content', async () => {
  await page.evaluate(() => { edit(); view.destroy() })
  await page.waitForTimeout(500)
  assert.deepEqual(await page.evaluate(() => violations), [])
})
