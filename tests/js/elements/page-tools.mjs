// What cases in a page do with elements. Must not live here: cases.

import '/node_modules/tailnet-kit/elements/index.js'

/** Where cases put their elements. */
export const place = document.getElementById('place')

/** An element with these properties, in the page, once it has answered. */
export async function shown(name, properties) {
  const element = document.createElement(name)
  const answer = next(element, 'answer')
  Object.assign(element, properties)
  place.append(element)
  await answer
  return element
}

/** The detail of the next event of this type. */
export const next = (element, type) =>
  new Promise((resolve, reject) => {
    element.addEventListener(type, ({ detail }) => resolve(detail), { once: true })
    if (type !== 'fault') element.addEventListener('fault', ({ detail }) => reject(detail), { once: true })
    setTimeout(() => reject(new Error(`there was no event ${type}`)), 60_000)
  })

/** Waits until `find` finds something, however busy the machine is; resolves with it. */
export async function until(find, what = find) {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((done) => setTimeout(done, 25))) {
    const found = find()
    if (found) return found
  }
  throw new Error(`there was not: ${what}`)
}

/** Sets properties, and waits for the answer. */
export async function changed(element, properties) {
  const answer = next(element, 'answer')
  Object.assign(element, properties)
  await answer
}

export const all = (element, selector) => [...element.shadowRoot.querySelectorAll(selector)]
export const texts = (element, selector) => all(element, selector).map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').trim())
export const one = (element, selector, words) => all(element, selector).find(({ textContent }) => textContent.includes(words))
export const status = (element) => element.shadowRoot.querySelector('[role=status]').textContent

/** What axe finds, rule by rule; nothing if all is well. */
export async function findings() {
  const { violations, incomplete } = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
  const told = ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${JSON.stringify(target)} ${failureSummary}`).join('; ')}`
  return [...violations, ...incomplete.filter(({ id }) => id !== 'color-contrast')].filter(({ id }) => id !== 'page-has-heading-one').map(told)
}
