// The elements in a page without a build, in any browser: each case is the name of an outcome. Must not live here: browsers.

import { cases as changes } from './changes.cases.mjs'
import { place } from './page-tools.mjs'
import { cases as shared } from './shared.cases.mjs'

const outcomes = []
const only = new URLSearchParams(location.search).get('only') ?? ''
for (const [name, run] of Object.entries({ ...shared, ...changes })) {
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
