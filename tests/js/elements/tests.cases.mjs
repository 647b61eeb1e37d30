// `<tailnet-tests>` in a page. Must not live here: what holds for every element, how tests are run.

import { all, changed, findings, next, one, shown, status, texts } from './page-tools.mjs'
import { BEFORE, CONTEXT } from './policy.mjs'
import { equal, ok } from '/cases/assert.mjs'
import '/node_modules/tailnet-kit/elements/tests.js'

const TESTED = BEFORE.replace(
  '  "ssh": [',
  `  "tests": [
    {"src": "bob@example.com", "accept": ["tag:web:80"]},
    {"src": "ann@example.com", "accept": ["tag:web:22"]},
  ],
  "sshTests": [{"src": "carol@example.com", "dst": ["tag:web"], "accept": ["ubuntu"]}],
  "ssh": [`,
)
const show = (value) => shown('tailnet-tests', { value, context: CONTEXT })

export const cases = {
  async 'each test says whether it passes, and leads to its line'() {
    const element = await show(TESTED)
    equal([status(element), texts(element, '.outcome')], ['2 of 3 pass', ['passed', 'failed', 'passed']])
    ok(one(element, '.row', 'carol@example.com over ssh'), texts(element, '.row').join('\n'))
    const failed = one(element, '.row.failed', 'ann@example.com must reach tag:web:22, but does not')
    equal(failed.querySelector('small').textContent, 'The service says: address "tag:web:22": want: Accept, got: Drop')
    const rule = next(document.body, 'rule')
    one(element, '.row', 'bob@example.com').click()
    equal(await rule, { line: TESTED.split('\n').findIndex((line) => line.includes('"src": "bob@example.com"')) + 1, text: 'value' })
    equal(await findings(), [])
  },
  async 'a policy without tests says so, and one that is no HuJSON keeps the last answer'() {
    const element = await show(TESTED)
    const fault = next(element, 'fault')
    element.value = `${TESTED} nonsense`
    await fault
    equal(all(element, '.past li').length, 3)
    await changed(element, { value: BEFORE })
    equal([status(element), all(element, 'li').length], ['The policy has no tests.', 0])
  },
}
