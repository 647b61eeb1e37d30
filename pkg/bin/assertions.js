// Assertions of a guard as findings: those that fail or are undecided, and those that a change takes out or puts in.
// Must not live here: which guard there is (`guard.js`), whether an assertion holds.
import { onLine } from './report.js'

/** An assertion as one line. */
export function claimOf(assertion) {
  const [kind] = Object.keys(assertion).filter((key) => key !== 'why')
  const claim = assertion[kind]
  if (kind === 'noMoreThan' || kind === 'sameAs') return `${kind} ${typeof claim === 'string' && !/[{\n]/.test(claim) ? claim : 'the given policy'}`
  const { from, to, ports, proto, users, paths } = claim
  const list = (names) => [names].flat().join(', ')
  return `${kind} ${list(from)} -> ${list(to)}${ports === undefined ? '' : `:${ports}`}${proto === undefined ? '' : ` ${proto}`}${users === undefined ? '' : ` as ${list(users)}`}${paths ? ' over devices' : ''}`
}

/** How many of some results hold, as the end of a verdict; nothing where there are none. */
export const holding = (results) => (results.length === 0 ? '' : `; ${results.filter(({ holds }) => holds === true).length} of ${results.length} guards hold`)

/** Those that hold, as checks that passed. */
export const passing = (results, guard) =>
  results.filter(({ holds }) => holds === true).map(({ assertion }) => ({ file: guard.file, name: claimOf(assertion) }))

/**
 * The findings of a guard: the assertions that do not hold, of its `results`, each at the rule that makes it fail, else at the assertion; those
 * that hold and say less than they seem to; then how it changed, if `change` (`guardChange`) is given. An undecided one fails with `isStrict` or where it `held` before, one that is gone not if
 * `isAllowed`.
 */
export function guardFindings({ guard, results, change }, how) {
  const failed = results.filter(({ holds }) => holds !== true)
  const doubtful = results.filter(({ holds, why }) => holds === true && why !== undefined)
  return [
    ...failed.map((result) => violation(result, guard, how)),
    ...doubtful.map((result) => reserved(result, guard, how)),
    ...(change ? changes(change, guard, how) : []),
  ]
}

const severityOf = (kind, { holds, held }, { isFailing, isStrict }) => (isFailing(kind) && (holds === false || held || isStrict) ? 'error' : 'warning')

function violation(result, guard, { place, finding, ...how }) {
  const { assertion, line } = result
  const { says, rule } = ending(result)
  const own = line === null ? {} : onLine(guard.text, line)
  const at = rule ? { ...place(rule), ...hinted(assertion.why, lineIn(guard, line)) } : { file: guard.file, ...own, ...hinted(assertion.why) }
  return finding(severityOf('guard', result, how), 'guard', `${claimOf(assertion)}: ${says}`, at)
}

/** One that holds, with what it did not ask. */
function reserved({ assertion, line, why }, guard, { finding }) {
  const own = line === null ? {} : onLine(guard.text, line)
  return finding('notice', 'guard', `${claimOf(assertion)}: holds, but ${why}`, { file: guard.file, ...own, ...hinted(assertion.why) })
}

/** What is gone is said with how it ends for the later policy; what is new, at its place. */
function changes({ base, gone, added, fault, lacks }, guard, { place, finding, isAllowed, ...how }) {
  const least = (result) => (result.holds === true || isAllowed ? 'notice' : severityOf('guard-changed', result, how))
  const taken = gone.map((result) => {
    const { assertion, holds, line } = result
    const { says, rule } = holds === true ? { says: 'it holds' } : ending(result)
    const more = { ...place(rule), ...hinted(assertion.why, lineIn(base, line)) }
    return finding(least(result), 'guard-changed', `${claimOf(assertion)}: no longer in the guard; ${says}`, more)
  })
  const put = added.map(({ assertion, line }) =>
    finding('notice', 'guard-changed', `${claimOf(assertion)}: new in the guard`, { file: guard.file, ...onLine(guard.text, line) }),
  )
  const unusable = fault === undefined ? [] : [finding('notice', 'guard-changed', `${base.file} is no guard to compare with: ${fault}`)]
  const partly = lacks === undefined ? [] : [finding('notice', 'guard-changed', `not all of ${base.file} can be compared with: ${lacks}`)]
  return [...unusable, ...partly, ...taken, ...put]
}

const lineIn = ({ file }, line) => (line === null ? undefined : `${file}:${line}`)

/** How an assertion that does not hold ends: what to say, and the rule that makes it fail, if one does. */
function ending({ holds, held, counterexample, why }) {
  const because = why === undefined ? '' : `: ${why}`
  if (holds === null) return { says: `undecided${held ? ', and held before' : ''}${because}` }
  if (!counterexample) return { says: `does not hold${because}` }
  const { flow, rule, path = [flow] } = counterexample
  const from = path[0].from
  if (!rule) return { says: `${from} does not reach ${target(flow)}${because}` }
  const over = path.slice(1).map((hop) => hop.from)
  return { says: `${from} reaches ${target(flow)}${over.length > 0 ? ` over ${over.join(', ')}` : ''}`, rule }
}

/** Where a flow or a login leads, in words. */
const target = ({ to, proto, user }) => (user === undefined ? `${to.replace(/:0$/, '')} by ${proto}` : `${to} as ${user}`)

/** A hint of what there is to say. */
const hinted = (...words) => {
  const said = words.filter(Boolean)
  return said.length > 0 ? { hint: said.join('; ') } : {}
}
