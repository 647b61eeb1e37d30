// The page as a whole: address, keyboard, what it loads, how strict it is. Must not live here: what a view answers; how it looks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { plainHost } from './host.mjs'
import { cardOf, cursorLine, eventually, focused, go, here, open, question, ruled, settled, small, write } from './page.mjs'

test('the address has what a link shares', async () => {
  await open()
  const { page } = here
  await write(small)
  await page.getByRole('textbox', { name: 'Rules that apply to' }).fill('bob@example.com')
  await page.waitForFunction(() => /for=bob.*text=|text=.*for=bob/.test(location.hash))
  const other = await page.context().browser().newPage()
  await other.goto(page.url())
  await other.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor()
  await other.getByRole('region', { name: 'Rules that apply to' }).locator('.row .line', { hasText: '8' }).waitFor()
  await other.close()
  await go('DNS')
  await page.getByRole('region', { name: 'Nameservers' }).waitFor()
  assert.match(page.url(), /view=dns/)
  await page.reload()
  await page.getByRole('region', { name: 'Nameservers' }).waitFor()
})

test('a text that was refused from the start is in the address too', async () => {
  await open()
  const { page } = here
  await write('{"acls": nonsense}')
  await page.waitForFunction(() => location.hash.includes('text='))
  await page.evaluate(() => history.replaceState(null, '', '#'))
  await page.reload()
  await page.getByText('Would be refused').waitFor()
  await page.waitForFunction(() => location.hash.includes('text='))
})

test('a browser of two and a half years ago shares and opens a text, and closes a dialog', async () => {
  const { page } = here
  await page.addInitScript(() => {
    // What browsers got later: page and package work without it.
    const later = [
      [Uint8Array.prototype, 'toBase64', 'setFromBase64', 'toHex'],
      [Uint8Array, 'fromBase64', 'fromHex'],
      [Response.prototype, 'bytes'],
      [HTMLButtonElement.prototype, 'command', 'commandForElement'],
      [Promise, 'try'],
      [Array, 'fromAsync'],
      [Math, 'sumPrecise'],
      [RegExp, 'escape'],
      [Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom', 'symmetricDifference'],
      [Iterator.prototype, 'map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find'],
      [Map.prototype, 'getOrInsert'],
      [Error, 'isError'],
      [URL, 'parse'],
    ]
    for (const [owner, ...names] of later) for (const name of names) delete owner[name]
    addEventListener('command', (event) => event.preventDefault(), true)
  })
  await open()
  await write(small)
  await page.waitForFunction(() => location.hash.includes('text='))
  const link = page.url()
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('about:blank')
  await page.goto(link)
  await page.locator('.cm-line', { hasText: '// Who may reach what.' }).waitFor()
  await page.getByRole('button', { name: /^Connected to/ }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await go('Devices')
  await page.getByRole('rowheader', { name: 'alice-laptop' }).waitFor()
})

test('the foot says how long the last answer took', async () => {
  await open()
  await (await ruled()).fill('bob@example.com')
  await here.page
    .locator('footer')
    .getByText(/answered in \d/)
    .waitFor()
})

test('the first view takes less than 192 KiB over the wire with the editor and the elements, and needs no wasm', async (t) => {
  await open('')
  const sizes = await here.page.evaluate(() =>
    ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).map(({ name, transferSize }) => [name.split('/').at(-1), transferSize]),
  )
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  assert.deepEqual(
    sizes.filter(([name]) => name.endsWith('.wasm')),
    [],
    'no wasm is fetched before it is needed',
  )
  for (const later of ['sandbox', 'language', 'complete', 'verbs', 'judge']) {
    assert.ok(!sizes.some(([name]) => name.startsWith(later)), `${later} is not fetched before it is needed`)
  }
  t.diagnostic(`${Math.round(total / 1024)} KiB`)
  assert.ok(total < 192 * 1024, `${Math.round(total / 1024)} KiB: ${JSON.stringify(sizes)}`)
})

test('the first wasm is the one for texts, which weighs what the package allows for it', async (t) => {
  await open('')
  await here.page.keyboard.press('Tab')
  await write(small)
  await settled()
  const address = here.requests.find((url) => url.endsWith('.wasm'))
  assert.match(address, /text_bg/)
  const file = Buffer.from(await (await fetch(address)).arrayBuffer())
  const weight = brotliCompressSync(file).length / 1024
  t.diagnostic(`${weight.toFixed(1)} KiB`)
  assert.ok(weight <= 95, `${weight.toFixed(1)} KiB`)
})

test('everything is reached by keyboard, and nothing traps the focus', async () => {
  await open()
  // It loads when it comes near the view.
  await (await question()).getByLabel('From', { exact: true }).waitFor()
  const names = ['Devices', 'Format', 'Tailnet policy', 'Rules that apply to', 'From', 'Filter sources', 'alice@example.com → alice@example.com: all ports']
  const left = new Set(names)
  for (let i = 0; i < 130 && left.size > 0; i++) {
    await here.page.keyboard.press('Tab')
    const words = await focused()
    for (const name of names) if (words?.startsWith(name)) left.delete(name)
  }
  assert.deepEqual([...left], [])
})

test('on a narrow screen a rule chosen below the editor is shown in the editor', async () => {
  const { page } = here
  await page.setViewportSize({ width: 360, height: 740 })
  await open()
  await cardOf('Tests').scrollIntoViewIfNeeded()
  await cardOf('Tests').locator('.row').last().click()
  const inView = () =>
    page.locator('tailnet-policy').evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
  await eventually(async () => assert.match(await cursorLine(), /"tag:web", "accept"/))
  await eventually(async () => assert.equal(await inView(), true))
})

for (const [host, address] of [
  ['its own server', async () => here.origin],
  ['any static host', async () => (await plainHost()).address],
]) {
  test(`the Content-Security-Policy is strict behind ${host}: styles are files of the page, and the editor has its own`, async () => {
    const { page } = here
    const answer = await page.goto(await address())
    await page.locator('.cm-content').waitFor()
    await settled()
    const policy = answer.headers()['content-security-policy'] ?? (await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content'))
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'(;|$)/)
    assert.match(policy, /style-src 'self'(;|$)/)
    assert.equal((await page.request.get(new URL('elsewhere', page.url()).href)).status(), 404)
    assert.match(await (await page.request.get(new URL('reference.txt', page.url()).href)).text(), /^# tailnet-kit/)
    assert.match(await page.locator('#version').innerText(), /^tailnet-kit \d+\.\d+\.\d+( at [0-9a-f]{7,})?$/)
    const gutters = await page.locator('.cm-gutters').evaluate((element) => getComputedStyle(element).display)
    assert.equal(gutters, 'flex', 'the editor has its styles')
    here.expected.push('style-src', 'inline style')
    const injected = await page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<style>main { display: none }</style><p id="injected" style="display: none"></p>')
      return ['main', '#injected'].map((css) => getComputedStyle(document.querySelector(css)).display)
    })
    assert.deepEqual(injected, ['block', 'block'], 'injected styles are not')
  })
}
