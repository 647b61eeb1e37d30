// What fails by the devices that were known before a change, where the change is one of them, too: who edits what is known does not get past a
// guard by that. Must not live here: what was known (`context.js`), which guard there was (`guard.js`), how findings are told.
import { policy } from 'tailnet-kit'
import { isAnswering } from './answer.js'
import { guardFindings } from './assertions.js'
import { endsOf, withEarlier } from './guard.js'
import { report, worstFirst } from './report.js'
import { reported } from './review.js'
import { about } from './rules.js'

/**
 * The report `found` of a change from `before` to `head`, with what fails by `known` alone, the devices of `before`; where the guard may change
 * it is told, and fails nothing. `earlier` is the guard of `before`, `failingBy(context)` what fails.
 */
export function byEarlier(found, { before, head, known, earlier, failingBy, isStrict, isAllowed }) {
  const { finding } = about(head)
  if (known.fault !== undefined) return adding(found, [finding('notice', 'guard-changed', `there are no devices to compare with: ${known.fault}`)])
  const { context, file } = known
  if (!isAnswering(head.text, context)) {
    const { message } = policy.check(head.text, context)
    return adding(found, [finding(isAllowed ? 'notice' : 'error', 'guard-changed', `with the devices of ${file} the service would refuse it: ${message}`)])
  }
  const how = { head, earlier, context, isFailing: failingBy(context), isStrict }
  const told = new Set(found.findings.map(keyOf))
  const more = failures(before, how).filter((one) => one.severity === 'error' && !told.has(keyOf(one)))
  return adding(
    found,
    more.map((one) => ({
      ...(one.file === head.file ? one : { ...finding(), hint: one.hint }),
      severity: isAllowed ? 'notice' : 'error',
      code: one.code === 'guard' ? 'guard-changed' : one.code,
      message: `${one.message}, with the devices of ${file}`,
    })),
  )
}

const keyOf = ({ code, message }) => `${code} ${message}`

/** What is found by earlier devices: of the guard, and of the change where both policies can be compared. */
function failures(before, { head, earlier, context, isFailing, isStrict }) {
  const guard = earlier?.fault === undefined ? earlier : undefined
  const ends = guard === undefined ? [] : endsOf(guard, head.text, context)
  const isComparable = before.text !== undefined && isAnswering(before.text, context)
  const proven = isComparable && guard ? withEarlier(ends, before.text, context, guard.bases) : ends
  if (!isComparable) {
    const findings = guardFindings({ guard, results: proven }, { ...about(head), isFailing, isStrict })
    return report('review', { sources: new Map([[head.file, head.text]]), findings }).findings
  }
  return reported(policy.review(before.text, head.text, context), { head, guard, proven, base: before.file, isFailing, isStrict }).findings
}

const adding = (found, more) => ({ ...found, findings: worstFirst([...found.findings, ...more]) })
