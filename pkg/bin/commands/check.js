// `tailnet-kit check`: what the service would say to policies, and whether their guards hold. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { isAnswering } from '../answer.js'
import { DEVICES, JUDGING } from '../arguments.js'
import { guardFindings, holding, passing } from '../assertions.js'
import { read } from '../files.js'
import { GUARD, guardFiles, guardOf, proved } from '../guard.js'
import { ignoring } from '../ignore.js'
import { judgedPolicies } from '../judge.js'
import { ofIssue, report } from '../report.js'
import { about } from '../rules.js'

export const usage = 'FILE|FOLDER... [--guard FILE] [--strict] [--devices FILE]'
export const says = `Lists what the service would say to each policy, by line, with what to do about it: errors, for which it would
refuse the policy, including failing tests, and warnings. For a FOLDER, checks all .hujson files in it except *.guard.hujson;
a FILE of that name stands for the policies beside it.
An assertion of a guard that fails is an error, too: of the tailnet.guard.hujson beside each policy, or of --guard for all;
\`review --help\` says what a guard is.
A comment \`// tailnet-kit-ignore CODE: REASON\` before a value silences a warning in it; one that is useless or gives
no reason is reported. Errors cannot be ignored, as the service refuses the policy all the same. FILE may be '-'.`
export const options = { ...GUARD, ...DEVICES, ...JUDGING }
export const exits = {
  0: 'nothing as bad as --fail-level, and no more warnings than --max-warnings',
  1: 'findings: the service would refuse a policy, its guard does not hold, or it has warnings that count',
}
export const examples = [
  'npx --no tailnet-kit check policy.hujson --devices devices.json',
  'npx --no tailnet-kit check . --max-warnings 0 --format sarif > policy.sarif',
]

export const run = (values, paths) =>
  judgedPolicies(
    values,
    paths,
    (files, contextFor) => checked(files, contextFor, values),
    (file) => guardFiles(values.guard, file),
  )

async function checked(files, contextFor, { guard: given, strict: isStrict = false }) {
  const sources = new Map()
  const [findings, ignored, judgements, passed, verdict] = [[], [], [], [], []]
  for (const file of files) {
    const text = await read(file)
    const context = contextFor(file)
    const guard = await guardOf(given, file)
    sources.set(file, text)
    const { issues, ...judgement } = policy.check(text, context)
    const sorted = ignoring(file, text, issues.map(ofIssue(file)))
    findings.push(...[...sorted.findings, ...sorted.faults].sort((a, b) => a.offset - b.offset))
    ignored.push(...sorted.ignored)
    // Of a policy whose structure or names the service would refuse, nothing can be proved.
    const proof = guard && isAnswering(text, context) ? proved(text, guard, context) : undefined
    if (proof) {
      sources.set(guard.file, guard.text)
      findings.push(...guardFindings({ guard, results: proof.results }, { ...about({ file, text }), isFailing: () => true, isStrict }))
      passed.push(...passing(proof.results, guard))
    }
    const name = files.length > 1 ? `${file}: ` : ''
    verdict.push(`${name}${judgement.accepted ? 'accepted' : `refused: ${judgement.message}`}${holding(proof?.results ?? [])}`)
    judgements.push({ file, ...judgement, ...(proof && { guard: proof }) })
  }
  const accepted = judgements.every((one) => one.accepted)
  return report('check', { sources, findings, ignored, passed, results: { accepted, files: judgements }, verdict })
}
