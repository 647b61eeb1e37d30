// `tailnet-kit diff`: who gains and who loses access from one policy to the next. Must not live here: verdicts.
import { isTailnetError, policy } from 'tailnet-kit'
import { ANSWERING, DEVICES, flag } from '../arguments.js'
import { SyntaxFailure, oneLine, refusal } from '../failure.js'
import { contextOf, expect, read } from '../files.js'
import { VERSION } from '../formats/json.js'

export const usage = 'BEFORE AFTER [--devices FILE] [--exit-zero]'
export const says = `Lists who gains (+) and who loses (-) access from one policy to the next. Tests that fail do not matter: \`review\` says
all that a change does, and judges it. One of the two may be '-'.`
export const options = { 'exit-zero': flag('exit code 0 also where access changes'), ...DEVICES, ...ANSWERING }
export const exits = { 0: 'nobody gains or loses anything', 1: 'somebody does, or the service would refuse one of the policies' }
export const examples = ['npx tailnet-kit diff before.hujson after.hujson', 'git show main:policy.hujson | npx tailnet-kit diff - policy.hujson']

export async function run({ devices, json = false, 'exit-zero': exitZero = false }, files) {
  expect(files, 'BEFORE', 'AFTER')
  const texts = [await read(files[0]), await read(files[1])]
  const context = await contextOf(devices)
  try {
    const changes = policy.diffAccess(...texts, context)
    const lines = changes.flatMap(linesOf).map((line) => `${oneLine(line)}\n`)
    process.stdout.write(json ? `${JSON.stringify({ version: VERSION, changes }, null, 2)}\n` : lines.join(''))
    return changes.length > 0 && !exitZero ? 1 : 0
  } catch (error) {
    return said(files[atFault(texts, context)], error)
  }
}

/** Which of the two has no answers, by the least that tells. */
function atFault(texts, context) {
  const isRefused = (text) => {
    try {
      policy.preview(text, { ipPort: '0.0.0.0:0' }, context)
      return false
    } catch {
      return true
    }
  }
  return isRefused(texts[0]) ? 0 : 1
}

function said(file, error) {
  if (isTailnetError(error, 'hujson_syntax')) throw new SyntaxFailure(file, error.issue)
  if (!isTailnetError(error, 'policy_refused')) throw error
  process.stderr.write(`${oneLine(refusal(file, error))}\n`)
  return 1
}

const linesOf = ({ source, gained, lost }) => [source, ...gained.map(reach('+')), ...lost.map(reach('-'))]
const reach = (sign) => ({ destination, ports }) => `  ${sign} ${destination}:${ports.join(',')}`
