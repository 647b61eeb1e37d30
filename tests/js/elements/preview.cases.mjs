// `<tailnet-preview>`, and elements joined, in a page. Must not live here: what holds for every element.

import '/node_modules/tailnet-kit/elements/preview.js'
import { together } from '/node_modules/tailnet-kit/elements/together.js'
import { all, changed, next, one, place, shown, texts } from './page-tools.mjs'
import { BEFORE, CONTEXT, WITHOUT_BOB } from './policy.mjs'
import { equal, ok } from '/cases/assert.mjs'

const show = (subject) => shown('tailnet-preview', { value: BEFORE, context: CONTEXT, subject })

/** What stands for an editor, which needs a bundler. */
function editor() {
  const policy = new EventTarget()
  return Object.assign(policy, {
    value: BEFORE,
    base: BEFORE,
    context: CONTEXT,
    did: [],
    reveal: (line) => policy.did.push(['reveal', line]),
    mark: (lines) => policy.did.push(['mark', ...lines]),
    answers: (check) => policy.dispatchEvent(new CustomEvent('answer', { detail: { check } })),
  })
}
const ACCEPTED = { accepted: true, issues: [] }

export const cases = {
  async 'the rules of a name lead to their lines'() {
    const element = await show('bob@example.com')
    ok(texts(element, '.row').length > 0, 'there are rules')
    const rule = next(document.body, 'rule')
    one(element, '.row', 'tag:db').click()
    equal(await rule, { line: 12, text: 'value' })
  },
  async 'a name that is none is told, and the next is answered'() {
    const element = await show('tag:nowhere')
    ok(texts(element, '.warning')[0].startsWith('tag:nowhere is no name of this policy or its network.'), texts(element, '.warning')[0])
    await changed(element, { subject: '10.0.0.0/99' })
    ok(all(element, '[role=alert].problem').length === 1, 'it is said')
    await changed(element, { subject: '' })
    equal(texts(element, 'li'), ['Enter a name to see its rules.'])
  },
  async 'joined elements show the text of the editor, and lead to it'() {
    const policy = editor()
    const changes = document.createElement('tailnet-changes')
    const preview = document.createElement('tailnet-preview')
    place.append(changes, preview)
    const joined = together({ policy, changes, preview })
    policy.value = WITHOUT_BOB
    const answer = next(changes, 'answer')
    policy.answers(ACCEPTED)
    await answer
    equal([changes.base, preview.value, joined.answered], [BEFORE, WITHOUT_BOB, WITHOUT_BOB])
    preview.dispatchEvent(new CustomEvent('rule', { detail: { line: 12, text: 'value' } }))
    // Two lines more stand above it by now.
    policy.value = `// One\n// Two\n${WITHOUT_BOB}`
    joined.goTo(12)
    equal(policy.did, [
      ['reveal', 12],
      ['reveal', 14],
    ])
    policy.value = '{ "acls": 1 }'
    policy.answers({ accepted: false, issues: [{ severity: 'error', code: 'wrong_type' }] })
    equal([preview.value, changes.value], [WITHOUT_BOB, '{ "acls": 1 }'])
    joined.end()
    policy.value = BEFORE
    policy.answers(ACCEPTED)
    equal(joined.answered, WITHOUT_BOB)
  },
}
