// The page with a processor that is six times slower: nothing it says is false, nothing flickers, no key is lost; also typing before the editor is there.
// Must not live here: what moves while the first view comes (still.mjs), how fast it is (lighthouse.mjs).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answered, cardOf, eventually, here, lines, open, settled, slow } from './page.mjs'

/** Notes, at every frame, what the page says at the time about the text at the time. */
function watch() {
  globalThis.said = []
  const words = (selector, css) => document.querySelector(selector)?.shadowRoot?.querySelector(css)?.textContent ?? ''
  const look = () => {
    const policy = document.querySelector('tailnet-policy')
    const place = policy?.shadowRoot?.querySelector('.place')
    const now = {
      value: policy?.value,
      verdict: words('tailnet-policy', '.status'),
      isPast: policy?.matches(':state(past)'),
      changes: words('tailnet-changes', '.status'),
      fault: words('tailnet-changes', '.fault:not([hidden])'),
      top: place?.getBoundingClientRect().top,
    }
    const text = JSON.stringify(now)
    if (globalThis.said.at(-1) !== text) globalThis.said.push(text)
    requestAnimationFrame(look)
  }
  globalThis.watched = () => requestAnimationFrame(look)
}

const said = async () => (await here.page.evaluate(() => globalThis.said)).map((text) => JSON.parse(text))

test('while somebody types with a slow processor, no key is lost, nothing moves, and nothing false is said', { timeout: 180_000 }, async (t) => {
  const { page } = here
  await page.addInitScript(watch)
  await open()
  await slow(6)
  await page.locator('.cm-content').press('Control+Home')
  await page.evaluate(() => globalThis.watched())
  const typed = '// one remark after the other, as somebody types who is in a hurry'
  await page.keyboard.type(`${typed}\n`, { delay: 60 })
  await settled()
  await answered()
  assert.equal((await lines('.cm-line'))[0], typed)
  const all = await said()
  assert.deepEqual([...new Set(all.map(({ verdict }) => verdict))], ['Would be accepted'], 'the verdict stays')
  assert.deepEqual([...new Set(all.map(({ top }) => top))].length, 1, 'the editor stays where it is')
  for (const { changes } of all) assert.doesNotMatch(changes, /loses|gain|Danger/, 'a remark changes no access')
  t.diagnostic(`${all.length} frames differ`)
})

test('an edit with a slow processor goes from one true sentence to the next', { timeout: 180_000 }, async () => {
  const { page } = here
  await page.addInitScript(watch)
  await open()
  await slow(6)
  await page.evaluate(() => globalThis.watched())
  await page.getByRole('button', { name: 'Take bob out of group:dev' }).click()
  await cardOf('What changes').getByText('bob@example.com loses').waitFor()
  await page.getByText('Would be refused: 1 of 3 tests fails').waitFor()
  await page.getByRole('button', { name: 'Open everything to everyone' }).click()
  await page.locator('tailnet-changes li.danger').first().waitFor()
  await settled()
  const all = await said()
  const verdicts = {}
  for (const { isPast, value, verdict } of all) if (!isPast) (verdicts[value] ??= new Set()).add(verdict)
  for (const told of Object.values(verdicts)) assert.equal(told.size, 1, `one verdict for a text: ${[...told]}`)
  const sentences = all.map(({ changes }) => changes)
  const order = sentences.filter((words, index) => words !== sentences[index - 1])
  assert.equal(new Set(order).size, order.length, `no sentence comes back: ${JSON.stringify(order)}`)
})

test('what is typed before the scripts of the editor have come is in the text, and one goes on typing there', { timeout: 120_000 }, async () => {
  const { page } = here
  let release
  const released = new Promise((resolve) => (release = resolve))
  await page.route('**/assets/{editor,dist}-*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${here.origin}#example=office`)
  await page.locator('tailnet-policy').getByRole('textbox', { name: 'Tailnet policy' }).click()
  await page.keyboard.type('// early')
  await page.keyboard.press('Enter')
  await settled()
  assert.match(await page.locator('tailnet-policy .status:not([hidden])').innerText(), /Would be accepted/)
  release()
  await page.locator('.cm-content').waitFor()
  await page.keyboard.type('// late ')
  await eventually(async () =>
    assert.deepEqual(
      (await lines('.cm-line')).slice(0, 2).map((text) => text.slice(0, 18)),
      ['// early', '// late // The pol'],
    ),
  )
  assert.match(await page.locator('tailnet-policy').evaluate(({ value }) => value), /^\/\/ early\n\/\/ late \/\/ The policy/)
})
