// What holds for every element. Must not live here: what a single element shows.

import { all, changed, findings, next, place, shown, status } from './page-tools.mjs'
import { BEFORE, CONTEXT, OPEN, WITHOUT_BOB } from './policy.mjs'
import { equal, ok } from '/cases/assert.mjs'

const before = { base: BEFORE, value: WITHOUT_BOB, context: CONTEXT }

export const cases = {
  async 'properties that were set before the page knew the element count'() {
    const element = document.createElement('tailnet-later')
    Object.assign(element, before)
    place.append(element)
    const { TailnetChanges } = await import('/node_modules/tailnet-kit/elements/changes.js')
    const answer = next(element, 'answer')
    customElements.define('tailnet-later', class extends TailnetChanges {})
    equal((await answer).review.unchanged, false)
  },
  async 'a text may be an attribute'() {
    const element = document.createElement('tailnet-changes')
    element.setAttribute('base', BEFORE)
    const answer = next(element, 'answer')
    element.setAttribute('value', WITHOUT_BOB)
    place.append(element)
    await answer
    equal(element.value, WITHOUT_BOB)
    element.removeAttribute('value')
    equal(element.value, '')
  },
  async 'many changes in one task are one question'() {
    const element = await shown('tailnet-changes', before)
    let answers = 0
    element.addEventListener('answer', () => answers++)
    const answer = next(element, 'answer')
    for (const text of ['{', '{}', BEFORE]) element.value = text
    await answer
    equal(status(element), 'No change yet.')
    await changed(element, { value: OPEN }) // One answer more to the first question would have come before this one.
    equal(answers, 2)
  },
  async 'an error shows its words, and keeps the last answer as one of an earlier text'() {
    const element = await shown('tailnet-changes', before)
    const fault = next(element, 'fault')
    element.value = WITHOUT_BOB.replace('"tagOwners"', 'tagOwners')
    equal((await fault).code, 'hujson_syntax')
    const [alert] = all(element, '[role=alert]')
    ok(/line 9/.test(alert.textContent), alert.textContent)
    ok(!alert.hidden && all(element, '.past li').length > 0, 'the last answer is there')
    await changed(element, { value: WITHOUT_BOB })
    ok(alert.hidden && all(element, '.past').length === 0, 'the error is gone')
  },
  async 'an answer to an earlier text says so, as long as the page wants'() {
    const element = await shown('tailnet-changes', before)
    const [words] = all(element, '[part=outdated]')
    element.outdated = 'From before the error in line 4'
    equal([words.hidden, words.textContent, all(element, '.body.past').length], [false, 'From before the error in line 4', 1])
    element.outdated = ''
    equal([words.hidden, all(element, '.body.past').length], [true, 0])
  },
  async 'proxies of a framework are taken as what they stand for'() {
    const deep = (value) => new Proxy(value, { get: (of, key) => (typeof of[key] === 'object' && of[key] !== null ? deep(of[key]) : of[key]) })
    const element = await shown('tailnet-changes', { ...before, context: deep(CONTEXT) })
    equal(status(element), '1 loses access, nobody gains.')
  },
  async 'all elements of a page share one worker, a file of the package'() {
    await shown('tailnet-changes', before)
    await shown('tailnet-changes', before)
    equal([globalThis.workers.map((url) => url.replace(/.*\//, '')), globalThis.begun], [['judge.worker.js'], 0])
  },
  async 'light or dark follows the page'() {
    const element = await shown('tailnet-changes', before)
    const colours = ['light', 'dark'].map((scheme) => {
      document.documentElement.style.colorScheme = scheme
      return getComputedStyle(element).backgroundColor
    })
    document.documentElement.style.colorScheme = ''
    equal(colours, ['rgb(255, 255, 255)', 'rgb(21, 24, 30)'])
  },
  async 'axe finds nothing, light and dark'() {
    await shown('tailnet-changes', before)
    await shown('tailnet-changes', { ...before, value: OPEN })
    const found = {}
    for (const scheme of ['light', 'dark']) {
      document.documentElement.style.colorScheme = scheme
      found[scheme] = await findings()
    }
    document.documentElement.style.colorScheme = ''
    equal(found, { light: [], dark: [] })
  },
}
