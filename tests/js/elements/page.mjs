// The elements in a page without a build, in any browser: each case is the name of an outcome. Must not live here: browsers.

import { cases as access } from './access.cases.mjs'
import { cases as changes } from './changes.cases.mjs'
import { cases as flow } from './flow.cases.mjs'
import { place } from './page-tools.mjs'
import { cases as shared } from './shared.cases.mjs'

const outcomes = []
const only = new URLSearchParams(location.search).get('only') ?? ''
const all = { shared, changes, access, flow }
const named = Object.entries(all).flatMap(([subject, cases]) => Object.entries(cases).map(([name, run]) => [`${subject}: ${name}`, run]))
for (const [name, run] of named) {
  if (!name.includes(only)) continue
  place.replaceChildren()
  const error = await run().then(
    () => null,
    (thrown) => String(thrown?.message ?? thrown),
  )
  outcomes.push({ name, error })
}
outcomes.push({ name: 'the Content-Security-Policy is kept', error: globalThis.violations.join('\n') || null })
globalThis.outcomes = outcomes
