// Monaco with the providers, in Chromium. Must not live here: what the service answers.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { FAULTY, POLICY } from './policy.mjs'
import { opened, until } from './tools.mjs'

// Monaco's own styles need `unsafe-inline`; scripts are as strict as for CodeMirror.
const POLICY_OF_CONTENT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src data:; connect-src 'self'"
const HTML = '<!doctype html><title>Monaco</title><link rel="stylesheet" href="page.css"><body><script type="module" src="page.js"></script>'

let page, close
before(async () => {
  ;({ page, close } = await opened('monaco-page.mjs', POLICY_OF_CONTENT, HTML, { worker: 'monaco-editor/editor/editor.worker.js' }))
  await page.evaluate(() => {
    globalThis.registration = registered()
  })
})
beforeEach(() => page.evaluate(() => edit()))
after(async () => assert.deepEqual(await close(), []))

const text = () => page.evaluate(() => editor.getModel().getValue())
const selected = () => page.evaluate(() => editor.getModel().getValueInRange(editor.getSelection()))
const run = (action) => page.evaluate((action) => void editor.trigger('test', action), action)
const markers = () =>
  page.evaluate(() =>
    monaco.editor.getModelMarkers({ resource: editor.getModel().uri }).map(({ message, code, startLineNumber }) => ({ message, code, startLineNumber })),
  )
/** Puts the cursor into the words, after this many characters. */
const cursor = (words, into = 1) =>
  page.evaluate(
    ([words, into]) => {
      const model = editor.getModel()
      editor.setPosition(model.getPositionAt(model.getValue().indexOf(words) + into))
    },
    [words, into],
  )

test('words have the colours of their tokens', async () => {
  const colours = () =>
    page.evaluate(() =>
      ['group:dev', '// Who', '"groups"'].map((words) => {
        const spans = [...document.querySelectorAll('.view-line span span')].find((span) =>
          span.textContent.replaceAll('\u00a0', ' ').trimStart().startsWith(words),
        )
        return spans && getComputedStyle(spans).color
      }),
    )
  await until(colours, (found) => new Set(found).size === 3 && !found.includes(undefined))
})

test('completions are offered while somebody writes', async () => {
  await cursor('"group:dev"], "dst"', 11)
  await page.keyboard.type(', "ta')
  const first = page.locator('.suggest-widget .monaco-list-row').first()
  await first.waitFor()
  assert.match(await first.textContent(), /tag:db/)
  await page.keyboard.press('Enter')
  await until(text, (now) => now.includes('"src": ["group:dev", "tag:db"]'))
})

test('the line breaks after a comma, and nothing else is written', async () => {
  await cursor('"group:dev"], "dst"', 11)
  await page.keyboard.type(',')
  // Long enough for an offer that nobody asked for.
  await page.waitForTimeout(1_000)
  await page.keyboard.press('Enter')
  assert.equal((await text()).replaceAll(/\s/g, ''), POLICY.replace('"group:dev"],', '"group:dev",],').replaceAll(/\s/g, ''))
})

test('a word says what it means', async () => {
  await cursor('group:dev"], "dst"', 3)
  await run('editor.action.showHover')
  await until(
    () => page.locator('.monaco-hover:not(.hidden)').allTextContents(),
    (shown) => shown.some((each) => each.includes('ann@example.com')),
  )
})

test('issues are marked, and the first action removes one', async () => {
  await page.evaluate((faulty) => edit(faulty), FAULTY)
  const [marker] = await until(markers, (found) => found.length > 0)
  assert.equal(marker.code, 'unknown_tag')
  await cursor('tag:dv', 2)
  await page.keyboard.press('Control+.')
  await until(() => page.locator('.action-widget .monaco-list-row.action.focused').count())
  await page.keyboard.press('Enter')
  await until(markers, (found) => !found.some(({ code }) => code === 'unknown_tag'))
  assert.notEqual(await text(), FAULTY)
  assert.ok((await page.evaluate(() => checked.length)) > 0)
})

test('a name is renamed wherever it is used', async () => {
  await cursor('tag:db:22', 2)
  await page.keyboard.press('F2')
  const box = page.locator('.rename-box input')
  await until(
    () => box.inputValue().catch(() => ''),
    (value) => value === 'tag:db',
  )
  await box.fill('tag:store')
  await page.keyboard.press('Enter')
  await until(text, (now) => now === POLICY.replaceAll('tag:db', 'tag:store'))
})

test('keys lead to the definition, select more, and format', async () => {
  await cursor('group:dev"], "dst"', 3)
  await page.keyboard.press('F12')
  await until(
    () => page.evaluate(() => editor.getModel().getOffsetAt(editor.getPosition())),
    (offset) => offset === POLICY.indexOf('group:dev'),
  )
  await cursor('group:dev"], "dst"', 3)
  await run('editor.action.smartSelect.expand')
  await until(selected, (words) => words === 'group:dev')
  await page.evaluate(() => edit('{"groups": {}, // so\n}'))
  await run('editor.action.formatDocument')
  await until(text, (now) => now === '{\n\t"groups": {}, // so\n}\n')
})

test('a section folds, and remarks are shown between the words', async () => {
  const shown = async () => (await page.locator('.view-lines').textContent()).replaceAll('\u00a0', ' ')
  await until(shown, (lines) => lines.includes('1 device'))
  await cursor('"acls"')
  await until(
    async () => (await page.evaluate(() => editor.getAction('editor.fold').run()), shown()),
    (lines) => !lines.includes('accept'),
  )
  assert.equal(await text(), POLICY)
})

test('the places of a name and the outline are there', async () => {
  const [places, outline] = await page.evaluate(async () => {
    const model = editor.getModel()
    const position = model.getPositionAt(model.getValue().indexOf('tag:db:22') + 2)
    const references = (includeDeclaration) => providers.registerReferenceProvider.provideReferences(model, position, { includeDeclaration })
    const symbols = await providers.registerDocumentSymbolProvider.provideDocumentSymbols(model)
    return [
      [await references(true), await references(false)].map((found) => found.map(({ range }) => model.getValueInRange(range))),
      symbols.map(({ name }) => name),
    ]
  })
  assert.deepEqual(places, [['tag:db', 'tag:db'], ['tag:db']])
  assert.deepEqual(outline, ['groups', 'tagOwners', 'acls'])
})

test('a text with line breaks of two characters has its issues at the right place', async () => {
  await page.evaluate((faulty) => edit(faulty), FAULTY.replaceAll('\n', '\r\n'))
  const [marker] = await until(markers, (found) => found.length > 0)
  assert.equal(marker.startLineNumber, FAULTY.slice(0, FAULTY.indexOf('tag:dv')).split('\n').length)
})

test('other languages are left alone, and disposed providers are gone', async () => {
  await page.evaluate((faulty) => edit(faulty, 'plaintext'), FAULTY)
  await page.waitForTimeout(500)
  assert.deepEqual(await markers(), [])
  await page.evaluate((faulty) => edit(faulty), FAULTY)
  await until(markers, (found) => found.length > 0)
  await page.evaluate(() => {
    registration.dispose()
    registration.dispose()
  })
  assert.deepEqual(await markers(), [])
  await page.evaluate(() => editor.getModel().setValue('{'))
  await page.waitForTimeout(500)
  assert.deepEqual(await markers(), [])
  const code = await page.evaluate(() => {
    try {
      registered({ hovers: true })
    } catch (error) {
      return error.code
    }
  })
  assert.equal(code, 'invalid_argument')
})
