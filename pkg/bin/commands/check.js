// `tailnet-kit check`: what the service would say to policies. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { DEVICES, JUDGING } from '../arguments.js'
import { read } from '../files.js'
import { ignoring } from '../ignore.js'
import { judgedPolicies } from '../judge.js'
import { ofIssue, report } from '../report.js'

export const usage = 'FILE|FOLDER... [--devices FILE]'
export const says = `Lists what the service would say to each policy, by line, with what to do about it: errors, for which it would
refuse the policy, including failing tests, and warnings. For a FOLDER, checks all .hujson files in it except *.guard.hujson.
A comment \`// tailnet-kit-ignore CODE: REASON\` before a value silences a warning in it; one that is useless or gives
no reason is reported. Errors cannot be ignored, as the service refuses the policy all the same. FILE may be '-'.`
export const options = { ...DEVICES, ...JUDGING }
export const exits = {
  0: 'nothing as bad as --fail-level, and no more warnings than --max-warnings',
  1: 'findings: the service would refuse a policy, or it has warnings that count',
}
export const examples = ['npx tailnet-kit check policy.hujson --devices devices.json', 'npx tailnet-kit check . --max-warnings 0 --format sarif > policy.sarif']

export const run = (values, paths) => judgedPolicies(values, paths, checked)

async function checked(files, context) {
  const sources = new Map()
  const [findings, ignored, judgements] = [[], [], []]
  for (const file of files) {
    const text = await read(file)
    sources.set(file, text)
    const { issues, ...judgement } = policy.check(text, context)
    const sorted = ignoring(file, text, issues.map(ofIssue(file)))
    findings.push(...[...sorted.findings, ...sorted.faults].sort((a, b) => a.offset - b.offset))
    ignored.push(...sorted.ignored)
    judgements.push({ file, ...judgement })
  }
  const accepted = judgements.every((one) => one.accepted)
  const verdict = judgements.map((one) => `${files.length > 1 ? `${one.file}: ` : ''}${one.accepted ? 'accepted' : `refused: ${one.message}`}`)
  return report('check', { sources, findings, ignored, results: { accepted, files: judgements }, verdict })
}
