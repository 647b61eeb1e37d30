// The entry `tailnet-kit/elements/together`: elements about one text, each of which leads to the others. Must not live here: what an element shows.

import { differing, moved, ruleAt } from './common/lines.js'

/** Findings of failing tests: the access of the policy is known all the same. */
const TESTS = ['test_failed', 'invalid_ssh_test']

/** Whether a text with these findings has access that elements can show. */
const answerable = ({ accepted, issues }) => accepted || issues.every(({ severity, code }) => severity !== 'error' || TESTS.includes(code))

export function together({ policy, changes, access, flow, preview, tests, save, share }) {
  const ends = new AbortController()
  // Events of what a page puts into an element come by, too.
  const on = (element, type, act) => element?.addEventListener(type, ({ target, detail }) => target === element && act(detail), { signal: ends.signal })
  let subject
  const joined = {
    answered: undefined,
    goTo: (line) => policy.reveal(moved(line, joined.answered ?? policy.value, policy.value)),
    mark: (lines) => policy.mark(lines.flatMap((line) => ruleAt(policy.value, moved(line, joined.answered ?? policy.value, policy.value)))),
    markChange: () => policy.mark(differing(policy.value, policy.base)),
    end: () => ends.abort(),
  }
  on(policy, 'answer', ({ check }) => {
    const { value, base, context } = policy
    if (share) Object.assign(share, { base, value, context, access })
    if (save) Object.assign(save, { value, context, refused: !check.accepted })
    // Of a text that is refused the list of changes says so itself.
    if (changes) Object.assign(changes, { base, value, context })
    const isAnswerable = answerable(check)
    const line = check.issues.find(({ severity }) => severity === 'error')?.line
    const outdated = isAnswerable || joined.answered === undefined ? '' : `From before the error in line ${line}`
    for (const element of [access, flow, preview, tests]) if (element) Object.assign(element, { outdated })
    if (!isAnswerable) return
    joined.answered = value
    if (access) Object.assign(access, { base, value, context })
    for (const element of [flow, preview, tests]) if (element) Object.assign(element, { value, context })
  })
  on(policy, 'rule', ({ line }) => {
    // A page may load them later.
    for (const element of [changes, access]) element?.mark?.([moved(line, policy.value, joined.answered ?? policy.value)])
  })
  for (const element of [changes, access, flow, preview, tests])
    on(element, 'rule', ({ line, text }) => (text === 'value' ? joined.goTo(line) : policy.reveal(line, text)))
  on(changes, 'cell', (cell) => {
    access?.jump(cell)
    access?.scrollIntoView({ block: 'nearest' })
  })
  on(access, 'cell', ({ because, before }) => {
    const { base } = access
    // What is lost was given by rules of the base, which may still be there.
    const kept = before.flatMap(({ line }) => {
      const now = moved(line, base, joined.answered)
      return base.split('\n')[line - 1] === joined.answered.split('\n')[now - 1] ? now : []
    })
    joined.mark([...because.map(({ line }) => line), ...kept])
  })
  // What is typed can be saved at once; the verdict comes later.
  on(policy, 'change', ({ value }) => save && Object.assign(save, { value }))
  policy.addEventListener('save', (event) => save && (event.preventDefault(), save.save()), { signal: ends.signal })
  on(save, 'stored', ({ stored, value }) => Object.assign(policy, { base: stored.text, value }))
  on(flow, 'edit', ({ text }) => (policy.value = text))
  // The rules are marked when another name is asked for, neither at first nor with each key in the policy.
  on(preview, 'answer', ({ preview: found }) => {
    if (subject !== undefined && subject !== preview.subject)
      joined.mark(found ? [...found.matches.map(({ lineNumber }) => lineNumber ?? 1), ...found.unknown.map(({ line }) => line)] : [])
    subject = preview.subject
  })
  return joined
}
