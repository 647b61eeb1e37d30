// `tailnet-kit review`: what a change of a policy does, and whether that is allowed. Must not live here: what a change does.
import { hujson, isTailnetError, policy } from 'tailnet-kit'
import { isAnswering } from '../answer.js'
import { DEVICES, flag, JUDGING, text, texts } from '../arguments.js'
import { guardFindings, holding, passing } from '../assertions.js'
import { contextBefore, contextOf } from '../context.js'
import { byEarlier } from '../earlier.js'
import { failing, unknownIn } from '../fail-on.js'
import { Failure } from '../failure.js'
import { inFile, read } from '../files.js'
import { startOf, versionAt } from '../git.js'
import { byGuard, earlierGuard, GUARD, guardChange, guardFiles, guardOf, proved, withEarlier } from '../guard.js'
import { ignoring } from '../ignore.js'
import { judged } from '../judge.js'
import { ofIssue, report, worstFirst } from '../report.js'
import { reported } from '../review.js'
import { about } from '../rules.js'

export const usage = '[BASE] HEAD [--guard FILE] [--strict] [--devices FILE] [--devices-after FILE] [--fail-on …]'
export const says = `Says what a change of a policy does: who gains and who loses access, a login or a power, who is locked out, what nobody
reaches any more, what becomes open to everybody, which postures, tests and issues change, and whether the assertions of a
guard file still hold, each at its line. --devices-after says what else a change of the network does, such as a tag that a
device gets; HEAD may then be BASE. It needs no key and no network. By default BASE is the version of HEAD in git, if it was
moved under its old name: of the target branch of a pull or merge request, if CI names it (GITHUB_BASE_REF,
CI_MERGE_REQUEST_DIFF_BASE_SHA), else of the last commit; --base names another revision. A HEAD that is not there yet is
judged as by \`check\`.
A guard is a list such as [{"never": {"from": "group:dev", "to": "tag:prod", "ports": "22"}, "why": "…"}]; there are also
\`always\` and \`only\`, and \`noMoreThan\` and \`sameAs\` with the name of a policy beside the guard. An assertion with a
name that means nothing fails; one that neither text nor devices decide is a warning, but fails where it held before, and
with --strict. The guard
before the change counts, too: an assertion that HEAD's guard no longer has, or has otherwise, and that fails for HEAD is
\`guard-changed\`; other changes of the guard are notices. So does the file of --devices before the change: what fails by
that one alone fails, too, unless --allow-guard-change says that the network did change. A comment
\`// tailnet-kit-ignore CODE: REASON\` in HEAD silences a new warning. What --fail-on names is an error. A failing
guard, a lockout or an exposure that it does not name is a warning, and so is an undecided assertion without
--strict; other changes are notices. \`lost\` is also what is reached now only with a condition or a check, \`gained\` what
no longer needs one; and a device that --devices-after keeps out or lets in, for every X, as what it reached is not listed. A
refused HEAD always fails.`
export const options = {
  base: text('REVISION', 'the git revision to compare with if BASE is not given'),
  'fail-on': texts(
    'LIST',
    'may be given several times: gained:X, lost:X, undecided:X, powers:X (X a power or a destination, or what that has: a device, tag, user, group or address; * for any text), lockout, orphaned, exposed, posture-looser, tests-removed, guard, guard-changed; guard, which stands for both, by default',
  ),
  ...GUARD,
  'allow-guard-change': flag('assertions that HEAD takes out of the guard, or changes, may fail, and what fails by the earlier file of --devices alone'),
  ...DEVICES,
  'devices-after': text('FILE', 'the same after the change, where the network changes too'),
  ...JUDGING,
}
export const exits = {
  0: 'nothing as bad as --fail-level, and no more warnings than --max-warnings',
  1: 'findings: the change does what --fail-on names, or the service would refuse HEAD',
}
export const examples = [
  'npx --no tailnet-kit review policy.hujson --base origin/main',
  "npx --no tailnet-kit review old.hujson new.hujson --fail-on 'gained:tag:prod,lost:*,lockout,exposed,guard' --format markdown",
]

export async function run(values, given) {
  const { guard, devices, 'devices-after': devicesAfter, base } = values
  if (given.length === 0 || given.length > 2) throw new Failure(given.length === 0 ? 'HEAD is missing; see --help' : `unexpected argument \`${given[2]}\``)
  const [head, before] = [...given].reverse()
  if (before !== undefined && base !== undefined) throw new Failure('BASE and --base do not go together')
  if (before === undefined && head === '-') throw new Failure('BASE is missing: standard input has no version in git')
  const revision = base ?? startOf(process.env)
  const failOn = values['fail-on']?.join() ?? 'guard'
  failing(failOn)
  const make = async () => {
    // Read first: where there is no such file, git can say nothing of it.
    const now = { file: head, text: await read(head) }
    const old = before === undefined ? await versionIn(revision, head) : { file: before, text: await read(before) }
    const judge = await guardOf(guard, head)
    const earlier = await earlierGuard(old, now, judge)
    const [context, after] = await both(values, head)
    const policies = policiesIn([old.text, now.text], context)
    const failingBy = (...contexts) => failing(failOn, { policies, contexts })
    for (const name of policies.length < 2 ? [] : unknownIn(failOn, { policies, contexts: [context, after] }))
      process.stderr.write(`tailnet-kit: --fail-on names \`${name}\`, which neither the policies nor the devices have\n`)
    const isAllowed = values['allow-guard-change'] ?? false
    const how = { guard: judge, earlier, context, after, isFailing: failingBy(context, after), isStrict: values.strict ?? false, isAllowed }
    const found = old.text === undefined ? first(old, now, how) : reviewed(old, now, how)
    const known = await contextBefore(values, old.revision, head)
    return known === undefined ? found : byEarlier(found, { ...how, before: old, head: now, known, failingBy })
  }
  const files = [before, head, devices, devicesAfter].filter((file) => file !== undefined)
  return judged(values, make, async () => [...files, ...(await guardFiles(guard, head))])
}

/** Some policies as objects; what is no policy is refused elsewhere. */
const policiesIn = (texts, { dialect } = {}) =>
  texts.flatMap((text = '{}') => {
    try {
      return [policy.toJSON(text, { dialect })]
    } catch {
      return []
    }
  })

/** The contexts before and after the change; the second is undefined where --devices-after is. */
async function both({ devices, 'devices-after': after, dialect }, file) {
  const before = await contextOf({ devices, dialect }, file)
  return [before, after === undefined ? undefined : await contextOf({ devices: after, dialect }, file)]
}

/** The file at a revision; without text where there is none. */
async function versionIn(revision, file) {
  const { path = file, text } = (await versionAt(revision, file)) ?? {}
  return { file: `${revision}:${path}`, text, revision, path }
}

function reviewed(before, head, how) {
  const { guard, earlier, context, after, ...settings } = how
  try {
    const options = { after, ...(guard && { guard: guard.text, bases: guard.bases }) }
    const review = byGuard(guard, () => policy.review(before.text, head.text, context, options))
    const change = earlier && guardChange(earlier, guard, head.text, after ?? context)
    const held = (results, { bases }) => withEarlier(results, before.text, context, bases)
    const proven = guard ? held(review.guard.results, guard) : []
    const guardChanged = change && { ...change, gone: held(change.gone, earlier) }
    return reported(review, { head, guard, proven, base: before.file, guardChange: guardChanged, ...settings })
  } catch (error) {
    if (!['policy_refused', 'hujson_syntax'].some((code) => isTailnetError(error, code))) throw error
    if (!isJudgeable(head, after ?? context)) return unjudged(head, after ?? context)
    inFile(before.file, () => hujson.standardize(before.text))
    const why = policy.check(before.text, context).message
    throw new Failure(`${before.file}: the service would refuse it, so there is nothing to compare with: ${why}`, {
      advice: 'mend the policy there first, or name a revision before the fault with --base',
    })
  }
}

/** The report of a HEAD that BASE does not have: what `check` says of it, and its guard. */
function first(before, head, { guard, earlier, context, after = context, ...how }) {
  if (!isJudgeable(head, after)) return unjudged(head, after)
  const results = guard === undefined ? [] : proved(head.text, guard, after).results
  const change = earlier && guardChange(earlier, guard, head.text, after)
  const { accepted, message, issues } = policy.check(head.text, after)
  const { findings, faults, ignored } = ignoring(head.file, head.text, issues.map(ofIssue(head.file)))
  return report('review', {
    sources: new Map([head, guard].filter((one) => one !== undefined).map(({ file, text }) => [file, text])),
    findings: worstFirst([...guardFindings({ guard, results, change }, { ...about(head), ...how }), ...findings, ...faults]),
    ignored,
    passed: passing(results, guard),
    results: { review: null },
    verdict: [`${before.file} is not there, so this policy is new: ${accepted ? 'accepted' : `refused: ${message}`}${holding(results)}`],
  })
}

/** Whether questions about a policy have answers. */
const isJudgeable = ({ text }, context) => hujson.tryParse(text).ok && isAnswering(text, context)

/** The report of a HEAD whose structure or names the service would refuse. */
function unjudged(head, context) {
  const { message, issues } = policy.check(head.text, context)
  const sorted = ignoring(head.file, head.text, issues.map(ofIssue(head.file)))
  return report('review', { sources: new Map([[head.file, head.text]]), ...sorted, results: { review: null }, verdict: [`refused: ${message}`] })
}
