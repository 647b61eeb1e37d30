// How the page looks: axe finds nothing, light, dark and in forced colours; the page fits every screen; pictures of all views.
// Must not live here: what a view answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { go, here, judge, open, question, screenshots, search, write } from './page.mjs'

/** Takes a picture for people to look at; the README shows others. */
const shot = async (name, options = {}) => {
  if (!process.env.BLESS) await here.page.screenshot({ path: `${screenshots}${name}.png`, ...options })
}

/** Makes an edit by which somebody gains access, with the pointer on that cell. */
async function gain() {
  const { page } = here
  await page.getByRole('button', { name: 'Give developers the router' }).click()
  await page.locator('tailnet-access .cell.gained').first().click()
}

/** Makes a key. */
async function key() {
  await here.page.getByLabel('Description').fill('web servers')
  await here.page.getByRole('textbox', { name: 'Tags' }).fill('tag:web')
  await here.page.getByLabel('reusable').check()
  await here.page.getByRole('button', { name: 'Create key' }).click()
  await here.page.locator('tr.item', { hasText: 'web servers' }).waitFor()
}

/** For each view, what is there once it has loaded, and what is done in it before axe looks at it. */
const views = {
  Users: { ready: () => here.page.getByText('5 of 5 users').waitFor() },
  Keys: { ready: () => here.page.getByRole('button', { name: 'Create key' }).waitFor(), begin: key },
  Settings: { ready: () => here.page.getByLabel('Devices update themselves').waitFor() },
}

/** The views of the tailnet under axe. */
async function tailnet() {
  for (const [view, { ready, begin }] of Object.entries(views)) {
    await go(view)
    await ready()
    await begin?.()
    await judge(view)
  }
}

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing in any view, ${colorScheme}`, async () => {
    const { page } = here
    await page.emulateMedia({ colorScheme })
    await open('')
    if (colorScheme === 'light') await page.screenshot({ path: `${screenshots}light.png` })
    else await shot('dark')
    await judge('the first view')
    await open()
    await gain()
    await judge('gains and losses')
    await page.getByRole('button', { name: 'Take bob out of group:dev' }).click()
    await page.locator('tailnet-changes .loss').first().waitFor()
    await page.locator('tailnet-access .cell.lost').first().waitFor()
    await judge('a loss')
    await page.getByRole('button', { name: 'Revert' }).click()
    const flow = await question()
    await flow.getByLabel('From').fill('bob@example.com')
    await flow.getByLabel('To', { exact: true }).fill('tag:db:22')
    await flow.getByText('Denied').waitFor()
    await flow.getByText('Smallest edits').waitFor()
    await judge('flow')
    await page.locator('.cm-content').press('Control+Home')
    await page.keyboard.type('nonsense ')
    await page.getByText('Would be refused').waitFor()
    await page.locator('.cm-lintRange-error').first().waitFor()
    await judge('policy')
    await search()
    await page.keyboard.type('tag')
    const plain = ({ color, backgroundImage }) => backgroundImage === 'none' && color
    const [button, ink] = await page.evaluate(() =>
      [document.querySelector('tailnet-policy').shadowRoot.querySelector('.cm-search button'), document.body].map((element) => {
        const { color, backgroundImage } = getComputedStyle(element)
        return { color, backgroundImage }
      }),
    )
    assert.equal(plain(button), plain(ink), 'the buttons of the search are drawn as all others are')
    await judge('search')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.locator('.cm-selectionMatch').first().waitFor()
    await judge('the same words elsewhere')
    await page.locator('summary', { hasText: 'File' }).click()
    await judge('file menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keyboard' }).click()
    await judge('keyboard')
    await shot(`keyboard-${colorScheme}`)
    await page.keyboard.press('Escape')
    await go('Review')
    await page.locator('#review tailnet-changes').getByRole('alert').waitFor()
    await write('{"acls": [{"action": "accept", "src": ["*"], "dst": ["*:22"]}]}', page.getByRole('region', { name: 'After' }).locator('.cm-content'))
    await page.locator('#review .danger').first().waitFor()
    await page.locator('#review .cm-deletedChunk').first().waitFor()
    await page.locator('#review [aria-label=After] tailnet-policy:not(:state(past))').getByText('Would be accepted').waitFor()
    await judge('review')
    await go('Devices')
    await page.getByRole('button', { name: '1 active' }).click()
    await page.getByLabel('Approve another route').fill('10.9.8.7/16')
    await page.getByRole('button', { name: 'Use 10.9.0.0/16' }).waitFor()
    await judge('devices')
    await page.getByRole('button', { name: 'Delete build-box' }).click()
    await judge('dialog')
    await page.keyboard.press('Escape')
    await go('DNS')
    await page.getByRole('region', { name: 'Nameservers' }).waitFor()
    await page.getByRole('region', { name: 'Nameservers' }).getByRole('textbox').fill('1.1.1.256')
    await page.getByRole('region', { name: 'Search paths' }).getByRole('textbox').fill('')
    await page.getByText('Without a search path').waitFor()
    await page.getByRole('textbox', { name: 'A domain and its nameservers' }).fill('corp.example.com\ncorp.example.com 10.0.0.53')
    await page.getByText('the same stands on line 1').waitFor()
    await judge('dns')
    await tailnet()
    await page.getByRole('button', { name: /^Connected to/ }).click()
    for (const kind of ['The sandbox in this page', 'A sandbox over HTTP', 'Your own service']) {
      await page.getByRole('radio', { name: kind }).check()
      await judge(kind)
    }
    here.expected.push('404')
    await page.getByLabel('Address of the gateway').fill('/nowhere')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await judge('a refused connection')
  })
}

test('axe finds nothing in forced colours', async () => {
  const { page } = here
  await page.emulateMedia({ forcedColors: 'active' })
  await open()
  await gain()
  await judge('gains and losses')
  await shot('forced')
  await go('Devices')
  await page.getByRole('rowheader', { name: 'alice-laptop' }).waitFor()
  await judge('devices')
  await go('DNS')
  await page.getByRole('textbox', { name: 'Addresses' }).fill('1.1.1.256')
  await judge('dns')
  await tailnet()
})

for (const width of [360, 768, 1024, 1440]) {
  test(`it fits a screen of ${width} pixels`, async () => {
    await here.page.setViewportSize({ width, height: 800 })
    await open()
    const overflow = () => here.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    const picture = async (view) => {
      await here.page.evaluate(() => scrollTo(0, 0))
      // On wider screens head and foot stay on the screen.
      await shot(`${view}-${width}`, { fullPage: width <= 900 })
    }
    assert.equal(await overflow(), 0)
    await here.page.getByRole('button', { name: 'Take bob out of group:dev' }).click()
    await here.page.locator('tailnet-access .cell.lost').first().waitFor()
    assert.equal(await overflow(), 0)
    if (width === 360) {
      await here.page.evaluate(() => scrollTo(0, 0))
      await here.page.screenshot({ path: `${screenshots}narrow.png` })
    }
    await picture('policy')
    await go('Review')
    await here.page.locator('#review .cm-content').nth(1).waitFor()
    assert.equal(await overflow(), 0)
    await picture('review')
    await go('Devices')
    await here.page.getByRole('rowheader', { name: 'alice-laptop' }).waitFor()
    assert.equal(await overflow(), 0)
    await here.page.getByRole('button', { name: '1 active' }).click()
    assert.equal(await overflow(), 0)
    const beyond = await here.page
      .locator('.unfold')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().right - button.parentElement.getBoundingClientRect().right))
    assert.ok(
      beyond.every((pixels) => pixels <= 0.5),
      `no button is wider than its place: ${beyond}`,
    )
    await picture('devices')
    const [table, place] = await Promise.all(['tailnet-devices table', 'tailnet-devices .scroll'].map((css) => here.page.locator(css).boundingBox()))
    assert.ok(table.width <= place.width, `the table is whole: ${table.width} in ${place.width}`)
    await go('DNS')
    await here.page.getByRole('textbox', { name: 'Addresses' }).fill('1.1.1.1\n8.8.8.888\n1.1.1.1')
    await here.page.getByRole('region', { name: 'Split DNS' }).waitFor()
    assert.equal(await overflow(), 0)
    await picture('dns')
    for (const [view, { ready, begin }] of Object.entries(views)) {
      await go(view)
      await ready()
      await begin?.()
      assert.equal(await overflow(), 0, view)
      await picture(view.toLowerCase())
    }
  })
}

test('the table of devices is complete at every width of a tablet', async () => {
  const { page } = here
  await open()
  await go('Devices')
  await page.getByRole('rowheader', { name: 'alice-laptop' }).waitFor()
  for (let width = 901; width <= 1260; width += 20) {
    await page.setViewportSize({ width, height: 800 })
    const [table, card] = await Promise.all(
      ['tailnet-devices table', 'tailnet-devices .scroll'].map((css) => page.locator(css).evaluate((element) => element.scrollWidth)),
    )
    assert.ok(table <= card, `${table} in ${card} at ${width}`)
    const last = await page.getByRole('button', { name: 'Delete alice-laptop' }).boundingBox()
    assert.ok(last.x + last.width <= width, `its last button ends at ${last.x + last.width} of ${width}`)
  }
})
