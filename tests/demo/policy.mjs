// The policy workbench as a person would try it. Must not live here: saving (save.mjs), the page as a whole (frame.mjs).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardOf, changes, cursorLine, eventually, here, lines, open, question, small, write } from './page.mjs'

const subject = () => here.page.getByRole('textbox', { name: 'Rules that apply to' })

test('it opens on a policy with comments, the picture and the tests', async () => {
  await open()
  const { page } = here
  assert.match(await page.locator('.cm-content').innerText(), /\/\//)
  await cardOf('Who reaches what').getByRole('gridcell', { name: 'alice@example.com → tag:db' }).waitFor()
  await cardOf('Tests').scrollIntoViewIfNeeded()
  await cardOf('Tests').getByText('3 of 3 pass').waitFor()
  assert.deepEqual(await lines('[aria-label=Tests] .outcome'), ['passed', 'passed', 'passed'])
})

test('an issue is underlined, listed, and a click leads to its line', async () => {
  await open()
  const { page } = here
  await write(small.replace('group:ops"], "Ports', 'group:nobody"], "Ports'))
  await page.getByText('Would be refused').waitFor()
  const issue = page.locator('tailnet-policy .findings > .error').first()
  assert.match(await issue.innerText(), /group:nobody/)
  await page.locator('.cm-lintRange-error').first().waitFor()
  await issue.getByRole('button').click()
  await eventually(async () => assert.match(await cursorLine(), /group:nobody/))
})

test('text that is not HuJSON is reported with its line, and the answers wait', async () => {
  await open()
  const { page } = here
  await write('{\n  // a comment\n  "ACLs": [\n    nonsense\n  ]\n}\n')
  await page
    .getByText(/hujson: line 4/)
    .first()
    .waitFor()
  await page.locator('tailnet-access [part=outdated]').waitFor()
  await page.locator('tailnet-policy .findings button').first().click()
  await eventually(async () => assert.equal(await cursorLine(), '    nonsense'))
  await subject().fill('tag:db')
  await page.waitForFunction(
    () => [...document.querySelector('tailnet-preview').shadowRoot.querySelectorAll('.row .line')].map((e) => e.textContent).join() === '25,28,31',
  )
})

test('the text is formatted, and that is undone', async () => {
  await open()
  const { page } = here
  await write('{"acls":[{"action":"accept","src":["*"],"dst":["*:*"]}]}')
  await page.getByRole('button', { name: 'Format' }).click()
  await page.locator('.cm-line', { hasText: '{"acls": [{"action": "accept"' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.cm-line', { hasText: '{"acls":[{' }).waitFor()
})

test('the rules of a user, a tag, a host and an ip:port are found and highlighted', async () => {
  await open()
  const { page } = here
  const cases = { 'bob@example.com': ['28', '34', '44'], 'tag:db': ['25', '28', '31'], printer: ['25', '41'], '192.168.10.9:631': ['25', '41'] }
  for (const [name, expected] of Object.entries(cases)) {
    await subject().fill(name)
    await page.waitForFunction(
      (wanted) => [...document.querySelector('tailnet-preview').shadowRoot.querySelectorAll('.row .line')].map((e) => e.textContent).join() === wanted,
      expected.join(),
    )
  }
  await subject().fill('bob@example.com')
  await page.locator('[aria-label="Rules that apply to"] .row', { hasText: 'autogroup:self' }).click()
  await page.locator('.cm-line.marked', { hasText: 'autogroup:self' }).first().waitFor()
  await subject().fill('tag:nowhere')
  await cardOf('Rules that apply to').getByText('tag:nowhere is no name').waitFor()
})

test('the names of the policy are offered in the fields for a name', async () => {
  await open()
  await question()
  const offered = (label) => here.page.getByLabel(label, { exact: true }).evaluate((field) => [...(field.list?.options ?? [])].map(({ value }) => value))
  await eventually(async () => assert.ok((await offered('From')).includes('tag:web')))
})

test('the answers follow the typing', async () => {
  await open()
  const { page } = here
  await write(small)
  await subject().fill('carol@example.com')
  await page.getByText('No rule applies to carol@example.com.').waitFor()
  await write(small.replace('bob@', 'carol@'))
  await page.waitForFunction(() => document.querySelector('tailnet-preview').shadowRoot.querySelector('.row .line')?.textContent === '8')
})

test('one flow is allowed or denied, and the page says why', async () => {
  await open()
  const flow = await question()
  await flow.getByLabel('From', { exact: true }).fill('bob@example.com')
  await flow.getByLabel('To', { exact: true }).fill('tag:db:5432')
  await flow.getByText('Allowed: bob@example.com → tag:db:5432').waitFor()
  await flow.getByRole('button', { name: 'line 28' }).click()
  await eventually(async () => assert.match(await cursorLine(), /tag:db:5432/))
  await flow.getByLabel('To', { exact: true }).fill('tag:db:22')
  await flow.getByText('Denied').waitFor()
  await flow.getByText('Closest rules').waitFor()
  await flow.getByRole('button', { name: 'Use this edit' }).first().click()
  await flow.getByText('Allowed: bob@example.com → tag:db:22').waitFor()
  await cardOf('What changes').locator('.gain', { hasText: 'tag:db tcp:22' }).first().waitFor()
  await flow.getByLabel('To', { exact: true }).fill('tag:db')
  await flow.getByRole('alert').waitFor()
})

test('it shows who gains and who loses compared with the stored text', async () => {
  await open()
  const card = cardOf('What changes')
  await card.getByText('Edit the policy, or press').waitFor()
  await write('{"acls": [{"action": "accept", "src": ["dave@example.com"], "dst": ["tag:db:22"]}], "tagOwners": {"tag:db": []}}')
  await card.locator('.gain', { hasText: 'tag:db 22' }).waitFor()
  assert.match(await changes(), /dave@example\.com gains tag:db 22/, 'by login and tag, as all their devices change alike')
  assert.ok((await card.locator('.loss').count()) > 0)
})

test('a failing test of the policy is shown with its error', async () => {
  await open()
  const { page } = here
  await write(small.replace('  "ACLs"', '  "Tests": [{"User": "bob@example.com", "Deny": ["10.0.0.1:80"]}],\n  "ACLs"'))
  await cardOf('Tests').scrollIntoViewIfNeeded()
  const failed = cardOf('Tests').locator('.failed')
  await failed.waitFor()
  assert.match(await failed.innerText(), /want: Drop, got: Accept/)
  await page.getByText('Would be refused: 1 of 1 test fails').waitFor()
})

test('100,000 nested brackets are an error and the page lives on', async () => {
  await open()
  const { page } = here
  await write('['.repeat(100_000))
  await page.getByText('Would be refused').waitFor()
  await write(small)
  await page.getByText(/^Would be accepted/).waitFor()
})

test('no key is dropped while a policy of 100 KB is checked, and no policy is checked on the thread of the keys', async (t) => {
  const { page } = here
  await page.addInitScript(watch)
  await open()
  const hosts = Array.from({ length: 1000 }, (_, i) => `"host-${i}": "10.${i % 250}.${i >> 8}.1"`).join(',\n')
  const acls = Array.from({ length: 1000 }, (_, i) => `{"action": "accept", "src": ["user${i % 90}@example.com"], "dst": ["host-${i}:22,443"]}`).join(',\n')
  const text = `// \n{"hosts": {\n${hosts}\n},\n"acls": [\n${acls}\n]}\n`
  assert.ok(text.length > 100_000)
  await write(text)
  await page.getByText(/1,\d{3} destinations/).waitFor({ timeout: 40_000 })
  await page.locator('.cm-content').press('Control+Home')
  await page.keyboard.press('End')
  await page.evaluate(() => globalThis.watched.begin())
  const typed = 'every one of these letters arrives, and each within a frame or two'
  await page.keyboard.type(typed, { delay: 15 })
  await eventually(async () => assert.equal((await cursorLine()).trim(), `// ${typed}`))
  await page.locator('footer', { hasText: 'policy.' }).waitFor()
  const { calls, ...measured } = await page.evaluate((count) => globalThis.watched.end(count), typed.length)
  t.diagnostic(`while ${typed.length} keys were typed at 15 ms each: ${JSON.stringify(measured)}`)
  assert.deepEqual(
    calls.filter((name) => /^policy|^hujson|^language/.test(name)),
    [],
    'policies are judged beside the page',
  )
  await page.reload()
  await page.locator('.cm-line', { hasText: typed }).waitFor()
})

/** Runs in the page: records which functions of the wasm are called on its main thread, and how long frames, tasks and keys take. */
function watch() {
  const calls = []
  const { Instance } = WebAssembly
  WebAssembly.Instance = function (...args) {
    const noted = ([name, value]) => [name, typeof value === 'function' ? (...given) => (calls.push(name), value(...given)) : value]
    return { exports: Object.fromEntries(Object.entries(new Instance(...args).exports).map(noted)) }
  }
  const [tasks, keys, frames] = [[], [], []]
  let last
  const frame = (now) => {
    if (last !== undefined) frames.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  const worst = (list) => Math.round(Math.max(0, ...list))
  globalThis.watched = {
    begin() {
      calls.length = 0
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
      const take = (list) =>
        keys.push(
          ...list
            .getEntries()
            .filter(({ name }) => name === 'keydown')
            .map(({ duration }) => duration),
        )
      new PerformanceObserver(take).observe({ type: 'event', durationThreshold: 16 })
      requestAnimationFrame(frame)
    },
    end: (typed = 1) => ({
      calls: [...calls],
      framesAbove50ms: frames.filter((gap) => gap > 50).length,
      ofFrames: frames.length,
      longestFrameMs: worst(frames),
      longTasks: tasks.length,
      longestTaskMs: worst(tasks),
      slowestKeyMs: worst(keys),
      // A browser does not report keys that took less than 16 ms.
      p95KeyMs: [...Array(typed).fill(16), ...keys].slice(-typed).sort((a, b) => a - b)[Math.floor(typed * 0.95)],
    }),
  }
}
