// Runs the cases of some subjects in a page and leaves their outcomes, each by its name. Must not live here: cases.

import { place } from './page-tools.mjs'

export async function run(subjects) {
  const outcomes = []
  const only = new URLSearchParams(location.search).get('only') ?? ''
  const named = Object.entries(subjects).flatMap(([subject, cases]) => Object.entries(cases).map(([name, act]) => [`${subject}: ${name}`, act]))
  for (const [name, act] of named) {
    if (!name.includes(only)) continue
    place.replaceChildren()
    const error = await act().then(
      () => null,
      (thrown) => String(thrown?.message ?? thrown),
    )
    outcomes.push({ name, error })
  }
  outcomes.push({ name: 'the Content-Security-Policy is kept', error: globalThis.violations.join('\n') || null })
  globalThis.outcomes = outcomes
}
