// `<tailnet-share>` in a page. Must not live here: what a link is made of (`link.cases.mjs`).

import { all, findings, one, place, shown, status, until } from './page-tools.mjs'
import { BEFORE, CONTEXT, WITHOUT_BOB } from './policy.mjs'
import { equal, ok } from '/cases/assert.mjs'
import { fromFile, fromFragment } from '/node_modules/tailnet-kit/elements/link.js'
import '/node_modules/tailnet-kit/elements/share.js'

const change = { base: BEFORE, value: WITHOUT_BOB, context: CONTEXT }

/** An element, and what it copies or saves when one of its buttons is pressed. */
function sharing(properties) {
  const element = Object.assign(document.createElement('tailnet-share'), properties)
  place.append(element)
  return async (words) => {
    const given = new Promise((resolve) => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => resolve(text) } })
      const { createObjectURL } = URL
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = createObjectURL
        blob.text().then(resolve)
        return createObjectURL(blob)
      }
    })
    all(element, 'summary')[0].click()
    one(element, 'button', words).click()
    const found = await given
    await until(() => status(element), 'words about it')
    return { element, found }
  }
}

export const cases = {
  async 'a link has the change, and says what it holds'() {
    const { element, found } = await sharing({ ...change, fragment: 'view=review' })('Copy link')
    equal(new URL(found).pathname, location.pathname)
    ok(found.includes('#view=review&'), found)
    equal(await fromFragment(new URL(found).hash), change)
    equal(status(element), 'Copied. The link holds the policy, the one it is compared with, the network; nothing is uploaded.')
    ok(!all(element, 'details')[0].open, 'a choice closes the menu')
  },
  async 'a page may leave out of a link what its reader has'() {
    const { element, found } = await sharing({ ...change, shown: () => ({ value: WITHOUT_BOB }) })('Copy link')
    equal(await fromFragment(new URL(found).hash), { value: WITHOUT_BOB })
    equal(status(element), 'Copied. The link holds the policy; nothing is uploaded.')
  },
  async 'what is too large for a link is a file in its place'() {
    const noise = Array.from({ length: 900 }, (_, index) => `"h${Math.sin(index)}": "10.${index % 250}.${index >> 8}.7"`)
    const value = `{"hosts": {${noise}}}`
    const { element, found } = await sharing({ base: BEFORE, value })('Copy link')
    equal(fromFile(found), { value, base: BEFORE, context: undefined })
    equal(fromFile(BEFORE), undefined)
    ok(status(element).startsWith('Too large for a link'), status(element))
  },
  async 'the change is copied as Markdown, and the picture is that of another element'() {
    const access = await shown('tailnet-access', change)
    const { element, found } = await sharing({ ...change, access })('Copy as Markdown')
    ok(found.includes('`bob@example.com`'), found)
    ok(!one(element, 'button', 'Picture as SVG').hidden, 'there is a picture')
    element.access = undefined
    await until(() => one(element, 'button', 'Picture as SVG').hidden, 'no picture')
    equal(await findings(), [])
  },
}
