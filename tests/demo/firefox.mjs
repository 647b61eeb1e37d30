// The main path in Firefox, driven by WebDriver. Must not live here: the details, which are tested in Chromium.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startFirefox } from '../js/lib/firefox.mjs'
import { here, serve } from './page.mjs'

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const CONTROL = '\uE009'

let firefox

const command = (...given) => firefox.command(...given)
const run = (script, ...args) => command('POST', '/execute/sync', { script, args })
/** Queries inside an element, which is a shadow root. */
const IN_EDITOR = `const inside = (name, css) => [...(document.querySelector("tailnet-" + name)?.shadowRoot?.querySelectorAll(css) ?? [])];
const inEditor = (css) => inside("policy", css);`
const find = async (css) => (await command('POST', '/element', { using: 'css selector', value: css }))[ELEMENT]
const click = async (css) => command('POST', `/element/${await find(css)}/click`, {})

/** Presses keys where the focus is. */
const press = (actions) => command('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
const keys = (text) =>
  [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])

/** Waits, inside the page, until the script returns something true. */
const until = (script, ...args) =>
  command('POST', '/execute/async', {
    script: `${IN_EDITOR} const done = arguments[arguments.length - 1]; const found = () => { ${script} };
      const look = () => { const value = found(); value ? done(value) : requestAnimationFrame(look); }; look();`,
    args,
  })

describe('Firefox', () => {
  before(async () => {
    await serve()
    firefox = await startFirefox({ script: 60_000, implicit: 30_000 })
  })

  after(() => firefox?.stop())

  test('the policy is read, changed, judged, saved, a key is made, and the other views are shown', { timeout: 300_000 }, async () => {
    await command('POST', '/url', { url: here.origin })
    await until('return inEditor(".cm-line").length > 20 && document.querySelector("tailnet-changes")?.shadowRoot?.querySelector(".loss")')
    const lost = 'return document.querySelector("tailnet-access").shadowRoot?.querySelectorAll(".cell.lost").length'
    await until(`${lost} === 2`)

    assert.equal(await run(`${IN_EDITOR} return getComputedStyle(inEditor(".cm-gutters")[0]).display`), 'flex', 'the editor has its styles')

    await run('document.querySelector("tailnet-preview").scrollIntoView()')
    await until('const [field] = inside("preview", "input"); field?.focus(); return field')
    await press(keys('bob@example.com'))
    await until('return inside("preview", ".row .line").map((e) => e.textContent).join().startsWith("34,44")')

    await run(`${IN_EDITOR} inEditor(".cm-content")[0].focus()`)
    await press([{ type: 'keyDown', value: CONTROL }, ...keys('a'), { type: 'keyUp', value: CONTROL }])
    await press(keys('{"acls": [{"action": "accept", "src": ["bob@example.com"], "dst": ["10.0.0.1:22"]}]}'))
    await until('return document.querySelector("tailnet-changes").shadowRoot?.querySelector(".loss")')
    await until('const [save] = inside("save", ".primary[aria-disabled=false]"); save?.click(); return save')
    await until('return inside("save", ".good")[0]?.textContent === "Saved."')

    await click('#to-devices')
    await until('return inside("devices", "tr.item").length === 12')
    await click('#to-users')
    await until('return inside("users", "tr.item").length === 5')
    await click('#to-keys')
    await until('const [make] = inside("keys", ".primary"); make?.click(); return make')
    await until('return inside("keys", ".secret code")[0]?.textContent.startsWith("tskey-auth-")')
    await click('#to-settings')
    await until('return inside("settings", "input").length > 8')
    await click('#to-dns')
    await until('return inside("dns", "textarea")[0]?.value.includes("1.1.1.1")')
    await command('POST', '/refresh', {})
    await until('return inside("dns", "textarea")[0]?.value.includes("1.1.1.1")')
    await click('#to-policy')
    await until('return inEditor(".cm-line")[0]?.textContent.includes("10.0.0.1:22")')
  })
})
