// `tailnet-kit review`: what a change of a policy does, and whether that is allowed. Must not live here: what a change does.
import { dirname, join } from 'node:path'
import { hujson, isTailnetError, policy } from 'tailnet-kit'
import { isAnswering } from '../answer.js'
import { DEVICES, flag, JUDGING, text } from '../arguments.js'
import { contextOf } from '../context.js'
import { Failure } from '../failure.js'
import { inFile, read } from '../files.js'
import { startOf, versionAt } from '../git.js'
import { ignoring } from '../ignore.js'
import { judged } from '../judge.js'
import { ofIssue, report } from '../report.js'
import { failing, reported } from '../review.js'

export const usage = '[BASE] HEAD [--guard FILE] [--strict] [--devices FILE] [--devices-after FILE] [--fail-on …]'
export const says = `Says what a change of a policy does: who gains and who loses access, a login or a power, who is locked out, what nobody
reaches any more, what becomes open to everybody, which postures, tests and issues change, and whether the assertions of a
guard file still hold, each at its line. --devices-after says what else a change of the network does, such as a tag that a
device gets; HEAD may then be BASE. It needs no key and no network. By default BASE is the version of HEAD in git: of the target branch of a pull or merge request, if CI
names it (GITHUB_BASE_REF, CI_MERGE_REQUEST_DIFF_BASE_SHA), else of the last commit; --base names another revision.
A guard is a list such as [{"never": {"from": "group:dev", "to": "tag:prod", "ports": "22"}, "why": "…"}]; there are also
\`always\` and \`only\`, and \`noMoreThan\` and \`sameAs\` with the name of a policy beside the guard. An assertion with a
name that means nothing fails; one that neither text nor devices decide is a warning, with --strict it fails. A comment
\`// tailnet-kit-ignore CODE: REASON\` in HEAD silences a new warning. What --fail-on names is an error. A failing
guard, a lockout or an exposure that it does not name is a warning, and so is an undecided assertion without
--strict; other changes are notices. \`lost\` is also what is reached now only with a condition or a check, \`gained\` what
no longer needs one. A refused HEAD always fails.`
export const options = {
  base: text('REVISION', 'the git revision to compare with if BASE is not given'),
  guard: text('FILE', 'assertions that must hold, such as tailnet.guard.hujson'),
  'fail-on': text(
    'LIST',
    'gained:X, lost:X, undecided:X, powers:X (X a destination or power, * for any text), lockout, orphaned, exposed, posture-looser, tests-removed, guard; guard by default',
  ),
  strict: flag('an assertion that neither text nor devices decide fails, too'),
  ...DEVICES,
  'devices-after': text('FILE', 'the same after the change, where the network changes too'),
  ...JUDGING,
}
export const exits = {
  0: 'nothing as bad as --fail-level, and no more warnings than --max-warnings',
  1: 'findings: the change does what --fail-on names, or the service would refuse HEAD',
}
export const examples = [
  'npx tailnet-kit review policy.hujson --guard tailnet.guard.hujson',
  "npx tailnet-kit review old.hujson new.hujson --fail-on 'gained:tag:prod,lost:*,lockout,exposed,guard' --format markdown",
]

export async function run(values, given) {
  const { guard, devices, 'devices-after': devicesAfter, base } = values
  if (given.length === 0 || given.length > 2) throw new Failure(given.length === 0 ? 'HEAD is missing; see --help' : `unexpected argument \`${given[2]}\``)
  const [head, before] = [...given].reverse()
  if (before !== undefined && base !== undefined) throw new Failure('BASE and --base do not go together')
  if (before === undefined && head === '-') throw new Failure('BASE is missing: standard input has no version in git')
  const revision = base ?? startOf(process.env)
  failing(values['fail-on'] ?? 'guard')
  const make = async () => {
    // Read first: where there is no such file, git can say nothing of it.
    const now = { file: head, text: await read(head) }
    const old = before === undefined ? { file: `${revision}:${head}`, text: await versionAt(revision, head) } : { file: before, text: await read(before) }
    return reviewed(old, now, {
      guard: guard === undefined ? undefined : await guardOf(guard),
      context: await contextOf(devices),
      after: await contextOf(devicesAfter),
      failOn: values['fail-on'] ?? 'guard',
      isStrict: values.strict ?? false,
    })
  }
  // A guard that cannot be read names nothing; the review itself says so.
  const named = async () =>
    guard === undefined
      ? []
      : read(guard)
          .then((text) => [...basesOf(guard, text).values()])
          .catch(() => [])
  return judged(values, make, async () => [before, head, guard, devices, devicesAfter, ...(await named())].filter((file) => file !== undefined))
}

function reviewed(before, head, { guard, context, after, failOn, isStrict }) {
  try {
    const review = policy.review(before.text, head.text, context, { after, ...(guard && { guard: guard.text, bases: guard.bases }) })
    return reported(review, { head, guard, base: before.file, isFailing: failing(failOn, after ?? context), isStrict })
  } catch (error) {
    // The context is judged already, so it is the guard that the engine does not take.
    if (guard && isTailnetError(error, 'invalid_argument')) throw new Failure(`${guard.file}: ${error.message}`)
    if (!['policy_refused', 'hujson_syntax'].some((code) => isTailnetError(error, code))) throw error
    return refused(before, head, { context, after: after ?? context })
  }
}

/** The report of a HEAD that the service would refuse. Throws a Failure where BASE is the one without answers. */
function refused(before, head, { context, after }) {
  const { message, issues } = policy.check(head.text, after)
  if (issues.some(({ code }) => code === 'hujson_syntax') || !isAnswering(head.text, after)) {
    const sorted = ignoring(head.file, head.text, issues.map(ofIssue(head.file)))
    return report('review', { sources: new Map([[head.file, head.text]]), ...sorted, results: { review: null }, verdict: [`refused: ${message}`] })
  }
  inFile(before.file, () => hujson.standardize(before.text))
  throw new Failure(`${before.file}: the service would refuse it, so there is nothing to compare with: ${policy.check(before.text, context).message}`)
}

/** The guard file and the policies that it names, by name. The engine checks the assertions themselves. */
async function guardOf(file) {
  const text = await read(file)
  const bases = {}
  for (const [name, path] of basesOf(file, text)) bases[name] = await read(path)
  return { file, text, bases }
}

/** The files of the policies that a guard names, by name. */
function basesOf(file, text) {
  const value = inFile(file, () => hujson.parse(text))
  const named = [value]
    .flat()
    .flatMap((assertion) => [assertion?.noMoreThan, assertion?.sameAs])
    // A whole policy as text names no file; the engine says so.
    .filter((name) => typeof name === 'string' && !/[{\n]/.test(name))
  return new Map(named.map((name) => [name, join(dirname(file), name)]))
}
