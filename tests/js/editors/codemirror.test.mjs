// CodeMirror with the extension, in Chromium, by keyboard and pointer, under a strict Content-Security-Policy. Must not live here:
// what the service answers.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { FAULTY, POLICY } from './policy.mjs'
import { opened, until } from './tools.mjs'

const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'nonce-n0nce'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"

let page, close
before(
  async () =>
    ({ page, close } = await opened('codemirror-page.mjs', STRICT, '<!doctype html><title>CodeMirror</title><script type="module" src="page.js"></script>')),
)
beforeEach(() => page.evaluate(() => edit()))
after(async () => assert.deepEqual(await close(), []))

const text = () => page.evaluate(() => view.state.doc.toString())
const selected = () => page.evaluate(() => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to))
const count = (selector) => page.locator(selector).count()
const said = () => page.evaluate(() => said.join('\n'))
const attribute = (name) => page.getByRole('textbox', { name: 'Tailnet policy' }).getAttribute(name)
/** Puts the cursor into the words, after this many characters. */
const cursor = (words, into = 1) =>
  page.evaluate(([words, into]) => view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf(words) + into } }), [words, into])

test('words have the colours of their tokens', async () => {
  await until(() => count('.tailnet-group'))
  const colours = await page.evaluate(() =>
    ['group', 'comment', 'punctuation'].map((type) => getComputedStyle(document.querySelector(`.tailnet-${type}`)).color),
  )
  assert.equal(new Set(colours).size, 3)
  await cursor('group:dev', 9)
  await page.keyboard.type('s')
  await until(async () => (await page.locator('.tailnet-group').first().textContent()) === 'group:devs')
})

/** Waits for the list of completions, and until it takes keys, which it does only after a moment. */
async function offered() {
  const list = page.getByRole('listbox', { name: 'Completions' })
  await list.waitFor()
  await page.waitForTimeout(150)
  return list.getByRole('option').allTextContents()
}

for (const key of ['Enter', 'Tab']) {
  test(`completions are offered while somebody writes, and taken by ${key}`, async () => {
    await cursor('"group:dev"], "dst"', 11)
    await page.keyboard.type(', "ta')
    const [first] = await offered()
    assert.match(first, /^tag:db/)
    await page.keyboard.press(key)
    assert.match(await text(), /"src": \["group:dev", "tag:db"?\]/)
  })
}

test('screen readers read out the list of completions, the entry, its meaning, and that the list is closed', async () => {
  await cursor('"group:dev"], "dst"', 11)
  assert.equal(await attribute('aria-autocomplete'), 'list')
  await page.keyboard.type(', "')
  const [first, second] = await offered()
  assert.equal(await attribute('aria-haspopup'), 'listbox')
  assert.equal(await attribute('aria-controls'), await page.getByRole('listbox').getAttribute('id'))
  const active = async () => {
    const option = page.locator(`[role=option][aria-selected=true]#${await attribute('aria-activedescendant')}`)
    return option.textContent()
  }
  assert.equal(await active(), first)
  await page.keyboard.press('ArrowDown')
  await until(active, (words) => words === second)
  await page.keyboard.press('Escape')
  await until(
    () => attribute('aria-activedescendant'),
    (id) => id === null,
  )
  assert.equal(await page.getByRole('listbox').count(), 0)
  await page.keyboard.press('Control+Space')
  await offered()
})

test('a snippet begins at its first place to fill in, and Tab leads to the next', async () => {
  await page.evaluate(() => edit('{"tagOwners": {"tag:db": []}, }'))
  await page.evaluate(() => view.dispatch({ selection: { anchor: view.state.doc.length - 1 } }))
  await page.keyboard.type('gra')
  await offered()
  await page.keyboard.press('Enter')
  await offered()
  await page.keyboard.press('Enter')
  await until(selected, (words) => words === 'group:NAME')
  await page.keyboard.type('ann')
  await offered()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await until(selected, (words) => words === 'tag:NAME')
  await page.keyboard.type('t')
  await offered()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await until(selected, (words) => words === '*')
  assert.match(await text(), /"grants": \[\n\t\{"src": \["ann@example\.com"\], "dst": \["tag:db"\], "ip": \["\*"\]\},\n\]/)
})

test('a word says what it means, under the pointer and by keys, as plain text', async () => {
  await until(() => count('.tailnet-group'))
  await page.locator('.tailnet-group').last().hover()
  const tip = page.locator('.tailnet-hover')
  await until(() => tip.count())
  assert.match(await tip.textContent(), /group:dev.*ann@example\.com/s)
  assert.equal(await tip.locator('strong').first().textContent(), 'group:dev')
  await page.mouse.move(1, 1)
  await until(
    () => tip.count(),
    (shown) => shown === 0,
  )
  await cursor('group:dev"], "dst"', 3)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+i')
  await until(() => tip.count())
  await page.keyboard.press('Escape')
  await until(
    () => tip.count(),
    (shown) => shown === 0,
  )
})

test('nothing that a policy says becomes HTML', async () => {
  const markup = '<img src=x onerror="violations.push(1)"> **bold** `<b>` [site](javascript:alert(1))'
  await page.evaluate(
    (markdown) => edit('{}', { lint: false, service: new Proxy({}, { get: (_, verb) => async () => (verb === 'hover' ? { from: 0, to: 2, markdown } : []) }) }),
    markup,
  )
  await page.locator('.cm-line').hover({ position: { x: 8, y: 8 } })
  const tip = page.locator('.tailnet-hover')
  await until(() => tip.count())
  assert.equal(await tip.textContent(), '<img src=x onerror="violations.push(1)"> bold <b> [site](javascript:alert(1))')
  assert.deepEqual([await tip.locator('img').count(), await tip.locator('b').count(), await tip.locator('a').count()], [0, 0, 0])
})

test('an issue is underlined, and its fix removes it', async () => {
  await page.evaluate((faulty) => edit(faulty), FAULTY)
  await until(() => count('.cm-lintRange-error'))
  await page.keyboard.press('Control+Shift+M')
  const panel = page.locator('.cm-panel-lint')
  await until(() => panel.count())
  assert.match(await panel.textContent(), /tag:dv/)
  await panel.getByRole('button').first().click()
  await until(
    () => count('.cm-lintRange-error'),
    (shown) => shown === 0,
  )
  assert.notEqual(await text(), FAULTY)
  assert.equal(await page.evaluate(() => checked.at(-1)), 0)
})

test('screen readers read out an issue when the cursor comes to it, and in the list of all', async () => {
  await page.evaluate((faulty) => edit(faulty), FAULTY)
  await until(() => count('.cm-lintRange-error'))
  assert.equal(await said(), '')
  await page.keyboard.press('F8')
  await until(said, (words) => /^error: .*tag:dv/.test(words))
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  assert.equal((await said()).match(/error:/g).length, 1, 'once, as long as the cursor stays within it')
  await page.keyboard.press('Control+Shift+M')
  const list = page.getByRole('listbox', { name: 'Diagnostics' })
  await list.waitFor()
  assert.match(await list.locator(`#${await list.getAttribute('aria-activedescendant')}[role=option]`).textContent(), /tag:dv/)
  const fix = list.getByRole('button').first()
  const [, key] = (await fix.getAttribute('aria-label')).match(/access key "(\w)/)
  await page.keyboard.press(key)
  await until(text, (now) => now !== FAULTY)
})

test('screen readers read out what a word means when it is shown by keys', async () => {
  await cursor('group:dev"], "dst"', 3)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+i')
  const tip = page.getByRole('tooltip')
  await tip.waitFor()
  await until(said, (words) => words.includes('ann@example.com'))
  await page.keyboard.press('Escape')
  await until(
    () => tip.count(),
    (shown) => shown === 0,
  )
  assert.equal(await page.evaluate(() => view.hasFocus), true)
})

test('what a word means is shown by keys, also where the editor changes before the answer is there', async () => {
  await page.evaluate((markdown) => {
    const hover = () => new Promise((answer) => (globalThis.answer = () => answer({ from: 0, to: 2, markdown })))
    edit('{}', { lint: false, service: new Proxy({ hover }, { get: (given, verb) => given[verb] ?? (async () => []) }) })
  }, 'a policy')
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+i')
  await until(() => page.evaluate(() => typeof answer === 'function'))
  await page.evaluate(() => view.dispatch({}))
  await page.evaluate(() => answer())
  await page.getByRole('tooltip').waitFor()
  await until(said, (words) => words === 'a policy')
})

test('the actions at the cursor are offered by Mod-.', async () => {
  await page.evaluate((faulty) => edit(faulty), FAULTY)
  await cursor('tag:dv', 2)
  await page.keyboard.press('Control+.')
  const offered = page.getByRole('group', { name: 'Quick fixes' }).getByRole('button')
  await until(() => offered.count())
  await page.keyboard.press('Enter')
  await until(text, (now) => now !== FAULTY)
  assert.equal(await page.evaluate(() => view.hasFocus), true)
})

test('a name is renamed wherever it is used; where that cannot be, the field says why and stays', async () => {
  await cursor('tag:db:22', 2)
  await page.keyboard.press('F2')
  const box = page.getByRole('textbox', { name: /New name for tag:db/ })
  await box.fill('tag:1')
  await page.keyboard.press('Enter')
  await page
    .getByText(/not a valid tag.*New name for tag:db/)
    .first()
    .waitFor()
  await until(
    () => page.getByRole('textbox', { name: /not a valid tag/ }).inputValue(),
    (value) => value === 'tag:1',
  )
  await page.getByRole('textbox', { name: /not a valid tag/ }).fill('tag:store')
  await page.keyboard.press('Enter')
  await until(text, (now) => now === POLICY.replaceAll('tag:db', 'tag:store'))
  await page.keyboard.press('Control+z')
  assert.equal(await text(), POLICY)
})

test('a section folds by keys and in one column', async () => {
  await until(
    () => page.locator('.cm-foldGutter:visible').getByTitle('Fold line', { exact: true }).count(),
    (shown) => shown > 0,
  )
  assert.equal(await page.locator('.cm-foldGutter:visible').count(), 1)
  await cursor('"acls"')
  await page.keyboard.press('Control+Shift+BracketLeft')
  await until(() => count('.cm-foldPlaceholder'))
  assert.ok(!(await page.locator('.cm-content').textContent()).includes('accept'))
})

test('remarks are shown between the words and are not part of the text', async () => {
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

test('formatting is a command too, for which the page may give its own function; cursors stay where they are', async () => {
  await page.evaluate(() => edit('{"groups":{},\n"hosts":{},}'))
  await cursor('"hosts"', 3)
  await page.evaluate(() => {
    formatPolicy(view)
  })
  await until(text, (now) => now === '{\n\t"groups": {},\n\t"hosts":  {},\n}\n')
  assert.equal(await page.evaluate(() => view.state.sliceDoc(view.state.selection.main.head)), 'sts":  {},\n}\n')
  await page.keyboard.press('Control+z')
  await page.evaluate(() => {
    edit('{}', { format: async (text) => `${text} // mine` })
    formatPolicy(view)
  })
  await until(text, (now) => now === '{} // mine')
})

test('a new line is indented as the text is', async () => {
  await page.evaluate(() => edit('{\n   "groups": {},\n   "acls": [\n   ],\n}'))
  await cursor('"acls": [', '"acls": ['.length)
  await page.keyboard.press('Enter')
  await page.keyboard.type('x')
  await until(text, (now) => now.includes('   "acls": [\n      x'))
})

test('a feature that is switched off is not there, and a misspelt option is an error', async () => {
  await page.evaluate(
    (faulty) => edit(faulty, { highlight: false, lint: false, inlay: false, rename: false, folding: false, hover: false, completion: false }),
    FAULTY,
  )
  await page.waitForTimeout(600)
  assert.deepEqual([await count('[class*=tailnet-]'), await count('.cm-lintRange-error')], [0, 0])
  const code = await page.evaluate(() => {
    try {
      tailnetPolicy({ highlights: true })
    } catch (error) {
      return error.code
    }
  })
  assert.equal(code, 'invalid_argument')
})

test('an editor that is removed while a question is open stays silent, and nothing violated the Content-Security-Policy', async () => {
  await page.evaluate(() => {
    edit()
    view.destroy()
  })
  await page.waitForTimeout(500)
  assert.deepEqual(await page.evaluate(() => violations), [])
})
