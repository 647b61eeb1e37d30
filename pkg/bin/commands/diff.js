// `tailnet-kit diff`: who gains and who loses access from one policy to the next. Must not live here: verdicts.
import { policy } from 'tailnet-kit'
import { isAnswering } from '../answer.js'
import { DEVICES, JUDGING, flag } from '../arguments.js'
import { contextOf } from '../context.js'
import { expect, inFile, read } from '../files.js'
import { judged } from '../judge.js'
import { opening } from '../opening.js'
import { report } from '../report.js'
import { changesOf } from '../review.js'

export const usage = 'BEFORE AFTER [--devices FILE] [--exit-zero]'
export const says = `Lists who gains (+) and who loses (-) access from one policy to the next. Failing tests are ignored: \`review\` lists
everything that a change does, and judges it. One of the two may be '-'.`
export const options = { 'exit-zero': flag('exit code 0 even if access changes'), ...DEVICES, ...JUDGING }
export const exits = { 0: 'nobody gains or loses anything', 1: 'somebody does, or the service would refuse one of the policies' }
export const examples = ['npx tailnet-kit diff before.hujson after.hujson', 'git show main:policy.hujson | npx tailnet-kit diff - policy.hujson']

export async function run(values, files) {
  expect(files, 'BEFORE', 'AFTER')
  return judged(
    values,
    () => compared(files, values),
    () => [...files, ...(values.devices === undefined ? [] : [values.devices])],
  )
}

async function compared(files, { devices, 'exit-zero': exitZero = false }) {
  const [base, file] = files
  const texts = [await read(base), await read(file)]
  const context = await contextOf(devices)
  const access = accessOf(files, texts, context)
  return report('diff', {
    sources: new Map([[file, texts[1]]]),
    findings: changesOf({ access, ssh: [] }, { head: { file, text: texts[1] }, base, isFailing: () => !exitZero }),
    lines: access.flatMap(linesOf),
    results: { changes: access },
  })
}

/** Who gains and loses. Throws a Failure that names the file whose policy has no answers. */
const accessOf = (files, texts, context) => inFile(files[isAnswering(texts[0], context) ? 1 : 0], () => policy.diffAccess(...texts, context))

const linesOf = ({ source, gained, lost }) => [source, ...gained.map(reach('+')), ...lost.map(reach('-'))]
const reach = (sign) => (reach) => `  ${sign} ${reach.destination}:${opening(reach)}`
