// `tailnet-kit diff`: who gains and who loses what from one policy to the next. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { isAnswering } from '../answer.js'
import { DEVICES, JUDGING, flag } from '../arguments.js'
import { entriesIn } from '../changes.js'
import { contextOf } from '../context.js'
import { expect, inFile, read } from '../files.js'
import { judged } from '../judge.js'
import { report } from '../report.js'
import { changesOf } from '../review.js'

export const usage = 'BEFORE AFTER [--devices FILE] [--exit-zero]'
export const says = `Lists who gains (+) and who loses (-) access, logins and powers from one policy to the next, which logins are treated
otherwise (~), and what text and --devices leave undecided (?). What is lost but under a condition is \`now only\` with it.
Failing tests are ignored: \`review\` lists everything that a change does, and judges it. One of the two may be '-'.`
export const options = { 'exit-zero': flag('exit code 0 even if something changes'), ...DEVICES, ...JUDGING }
export const exits = { 0: 'nobody gains or loses anything', 1: 'somebody does or may, or the service would refuse one of the policies' }
export const examples = ['npx --no tailnet-kit diff before.hujson after.hujson', 'git show main:policy.hujson | npx --no tailnet-kit diff - policy.hujson']

export async function run(values, files) {
  expect(files, 'BEFORE', 'AFTER')
  return judged(
    values,
    () => compared(files, values),
    () => [...files, ...(values.devices === undefined ? [] : [values.devices])],
  )
}

async function compared(files, { 'exit-zero': exitZero = false, ...values }) {
  const [base, file] = files
  const texts = [await read(base), await read(file)]
  const context = await contextOf(values, file)
  const found = changesIn(files, texts, context)
  return report('diff', {
    sources: new Map([[file, texts[1]]]),
    findings: changesOf(found, { head: { file, text: texts[1] }, base, isFailing: () => !exitZero }),
    lines: linesOf(entriesIn(found)),
    results: { changes: found.access, ssh: found.ssh, powers: found.powers, networkLogins: found.networkLogins, conditions: found.conditions },
  })
}

/** What a review tells of gains and losses. Throws a Failure that names the file whose policy has no answers. */
const changesIn = (files, texts, context) => inFile(files[isAnswering(texts[0], context) ? 1 : 0], () => policy.review(...texts, context))

/** The entries under the names of those whom they are about. */
function linesOf(entries) {
  const told = new Map(entries.map(({ who }) => [who, []]))
  for (const entry of entries) told.get(entry.who).push(entry)
  return [...told].flatMap(([who, entries]) => [who, ...entries.map(({ sign, verb, text }) => `  ${sign} ${sign === '?' ? verb : ''}${text}`)])
}
