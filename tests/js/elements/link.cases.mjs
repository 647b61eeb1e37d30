// What a link to a page of elements carries. Must not live here: elements.

import { LONGEST, fromFragment, toFragment } from '/node_modules/tailnet-kit/elements/link.js'
import { BEFORE, CONTEXT, WITHOUT_BOB } from './policy.mjs'
import { equal, ok } from '/cases/assert.mjs'

const shown = { value: WITHOUT_BOB, base: BEFORE, context: CONTEXT }

export const cases = {
  async 'a link carries text, base and network, and keeps the other parameters'() {
    const fragment = await toFragment(shown, '#view=policy&text=old')
    equal(new URLSearchParams(fragment.slice(1)).get('view'), 'policy')
    equal(await fromFragment(fragment), shown)
    ok(fragment.length < LONGEST && /^#[\w=&-]+$/.test(fragment), fragment)
    equal(await toFragment({}, fragment), '#view=policy')
  },
  async 'what was cut off in transit is left out, and the rest is there'() {
    const whole = await toFragment({ value: '// ü → 日本\n{}', base: BEFORE })
    equal(await fromFragment(whole.slice(0, -30)), { value: '// ü → 日本\n{}' })
    equal(await fromFragment('#text=%'), {})
    equal(await fromFragment(''), {})
  },
}
