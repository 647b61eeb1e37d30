// `tailnet-kit test`: the tests that policies hold. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { DEVICES, JUDGING } from '../arguments.js'
import { wanting } from '../context.js'
import { read } from '../files.js'
import { judgedPolicies } from '../judge.js'
import { ofIssue, onLine, report } from '../report.js'

export const usage = 'FILE|FOLDER... [--devices FILE]'
export const says = `Runs the tests and sshTests in each policy, as the service does when one is saved. A test that the text
and --devices do not decide is a warning. FILE may be '-'.`
export const options = { ...DEVICES, ...JUDGING }
export const exits = { 0: 'no test fails', 1: 'findings: a test fails, or the service would refuse the policy before it runs one' }
export const examples = ['npx --no tailnet-kit test policy.hujson', 'npx --no tailnet-kit test policy.hujson --devices devices.json --format junit > tests.xml']

export const run = (values, paths) => judgedPolicies(values, paths, tested)

async function tested(files, contextFor) {
  const sources = new Map()
  const [findings, passed, outcomes] = [[], [], []]
  for (const file of files) {
    const text = await read(file)
    const context = contextFor(file)
    sources.set(file, text)
    const { issues, tests } = policy.check(text, context)
    findings.push(...issues.filter(({ severity }) => severity === 'error').map(ofIssue(file)))
    findings.push(...tests.results.filter((test) => test.passed === null).map((test) => open(file, text, test, context)))
    passed.push(...tests.results.filter((test) => test.passed).map((test) => ({ file, name: nameOf(test) })))
    outcomes.push({ file, ...tests })
  }
  const total = outcomes.reduce((sum, { results }) => sum + results.length, 0)
  return report('test', { sources, findings, passed, results: { files: outcomes }, verdict: [total ? `${passed.length} of ${total} tests pass` : 'no tests'] })
}

const nameOf = ({ section, index, src }) => `${section}[${index}] ${src}`

const open = (file, text, test, context) => ({
  file,
  severity: 'warning',
  code: 'undecided',
  origin: 'ours',
  ...onLine(text, test.line),
  message: `${nameOf(test)}: what is known does not decide this test`,
  hint: wanting(context),
})
