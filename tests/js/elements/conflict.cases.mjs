// `<tailnet-conflict>` in a page, and what it merges. Must not live here: saving (tests/demo).

import { findings, next, shown, status, texts } from './page-tools.mjs'
import { BEFORE, WITHOUT_BOB } from './policy.mjs'
import { equal, ok } from '/cases/assert.mjs'
import { merge } from '/node_modules/tailnet-kit/elements/conflict.js'

const NAMED = BEFORE.replace('"users": ["ubuntu"]', '"users": ["root"]')

export const cases = {
  async 'it shows what each side changed, and the text that has both'() {
    const element = await shown('tailnet-conflict', { base: BEFORE, mine: WITHOUT_BOB, theirs: NAMED })
    ok(/\/groups\/group:dev changed \["bob@example\.com"\]/.test(texts(element, '[part=mine] li')[0]), texts(element, 'li').join('\n'))
    ok(/\/ssh\/0.*"ubuntu".*"root"/.test(texts(element, '[part=theirs]')[0]), texts(element, 'li').join('\n'))
    equal(status(element), '')
    const answer = next(element, 'answer')
    element.theirs = BEFORE.replace('// Who may.', '// Who may, by team.')
    equal((await answer).merged, WITHOUT_BOB.replace('// Who may.', '// Who may, by team.'))
    equal(texts(element, '[part=theirs] li'), ['Nothing but layout and comments.'])
    equal(await findings(), [])
  },
  async 'two changes of the same lines are said to be that'() {
    const element = await shown('tailnet-conflict', { base: BEFORE, mine: WITHOUT_BOB, theirs: BEFORE.replace('bob@', 'bert@') })
    ok(status(element).startsWith('Both changed the same lines.'), status(element))
  },
  async 'changes of different lines are merged, equal ones once, and others not'() {
    const merged = (...texts) => merge(...texts.map((text) => [...text].join('\n'))).then((text) => text?.replaceAll('\n', ''))
    equal(await merged('abcdef', 'aBcdef', 'abcdxf'), 'aBcdxf')
    equal(await merged('abcdef', 'abdef', 'abcdefg'), 'abdefg')
    equal(await merged('abcdef', 'aXbcdef', 'abcdef'), 'aXbcdef')
    equal(await merged('abcdef', 'aXcdef', 'aXcdYf'), 'aXcdYf')
    equal(await merged('abcdef', 'aXcdef', 'aYcdef'), undefined)
    equal(await merged('abcdef', 'aXcdef', 'abYdef'), undefined)
    equal(await merged('abcdef', 'aXbcdef', 'aYbcdef'), undefined)
  },
}
