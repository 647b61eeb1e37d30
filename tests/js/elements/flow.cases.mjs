// `<tailnet-flow>` in a page. Must not live here: what holds for every element.

import { all, changed, findings, next, one, shown, status, texts, until } from './page-tools.mjs'
import { BEFORE, CONTEXT } from './policy.mjs'
import { equal, ok } from '/cases/assert.mjs'

const show = (more) => shown('tailnet-flow', { value: BEFORE, context: CONTEXT, ...more })
/** Waits for the edits, which come after the answer. */
async function edits(element) {
  await until(() => all(element, '[part=use]').length > 0, 'edits')
  return texts(element, '[part=edits] > ol > li')
}
const write = (element, label, words) => {
  const input = one(element, 'label', label).querySelector('input, select')
  input.value = words
  input.dispatchEvent(new Event('change'))
}

export const cases = {
  async 'what is allowed is said with its rule'() {
    const element = await show({ from: 'bob@example.com', to: 'tag:db:5432' })
    equal(status(element), 'Allowed: bob@example.com → tag:db:5432 over tcp')
    const rule = next(document.body, 'rule')
    one(element, '[part=rule]', 'line 12').click()
    equal(await rule, { section: 'acls', index: 0, line: 12, text: 'value' })
  },
  async 'what is denied is said with the closest rules and the smallest edits'() {
    const element = await show({ from: 'bob@example.com', to: 'tag:db:22' })
    equal(status(element), 'Denied: bob@example.com → tag:db:22 over tcp')
    ok(texts(element, 'li')[0].startsWith('line 12: wrong port: the rule opens port 5432, not 22'), texts(element, 'li')[0])
    const found = await edits(element)
    ok(found[0].endsWith('Opens nothing else.'), found[0])
    ok(
      found.some((words) => /line 12.*Also opens:ann@example.com → tag:db 22bob@example.com → tag:db udp:22$/.test(words)),
      found.join('\n'),
    )
    const edit = next(document.body, 'edit')
    all(element, '[part=use]')[0].click()
    const { text } = await edit
    await changed(element, { value: text })
    equal(status(element), 'Allowed: bob@example.com → tag:db:22 over tcp')
  },
  async 'a login is asked for by its account'() {
    const element = await show({ from: 'carol@example.com', to: 'tag:web', user: 'ubuntu' })
    equal(status(element), 'Allowed: ssh carol@example.com → tag:web as ubuntu')
    await changed(element, { user: 'root' })
    equal(status(element), 'Denied: ssh carol@example.com → tag:web as root')
    ok((await edits(element)).length > 0, 'there are edits')
  },
  async 'the question is written in fields, which suggest names'() {
    const element = await show()
    equal(status(element), '')
    ok(
      all(element, 'option').some(({ value }) => value === 'tag:web'),
      'names are suggested',
    )
    write(element, 'From', 'carol@example.com')
    const answer = next(element, 'answer')
    write(element, 'To', 'tag:db:53')
    await answer
    equal([element.from, status(element)], ['carol@example.com', 'Allowed: carol@example.com → tag:db:53 over tcp'])
    const udp = next(element, 'answer')
    write(element, 'Over', 'udp')
    await udp
    equal([element.proto, status(element)], ['udp', 'Allowed: carol@example.com → tag:db:53 over udp'])
  },
  async 'an unknown name is called unknown'() {
    const element = await show({ from: 'nobody@example.com', to: 'tag:nothing:22' })
    ok(
      texts(element, '[part=fact]').some((words) => words === 'tag:nothing is no name of this policy or its network.'),
      texts(element, 'p').join('\n'),
    )
  },
  async 'a malformed question is a fault with its words'() {
    const element = await show({ from: 'bob@example.com', to: 'tag:db:22' })
    const fault = next(element, 'fault')
    element.to = 'tag:db'
    equal((await fault).code, 'invalid_argument')
    ok(!all(element, '[role=alert]')[0].hidden, 'it is shown')
  },
  async 'axe finds nothing, light and dark'() {
    const element = await show({ from: 'bob@example.com', to: 'tag:db:22' })
    await edits(element)
    const found = {}
    for (const scheme of ['light', 'dark']) {
      document.documentElement.style.colorScheme = scheme
      found[scheme] = await findings()
    }
    document.documentElement.style.colorScheme = ''
    equal(found, { light: [], dark: [] })
  },
}
