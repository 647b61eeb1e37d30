// The compiler compares the answer of every call with its declaration, field by field: no field that is not declared, none missing, no word that a
// union lacks. The client calls a sandbox; the verbs answer about the policies of the native tests. Must not live here: the
// calls (`answers/`).

import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTEXT, POLICIES } from '../answers/policies.mjs'
import { documents } from '../lib/documents.mjs'
import { exchanged } from '../lib/exchanges.mjs'
import { HERE, outcomes, project, run, tool } from '../lib/project.mjs'
import { OPTIONS } from './types.mjs'

/** The documents of the native tests have a part of a tailnet at most; these policies, all of it. */
export default ({ tarball }) =>
  answersAbout(
    tarball,
    [...documents(), ...POLICIES.map((text) => ({ text }))].map(({ text, context }) => ({ text, context: { ...CONTEXT, ...context } })),
  )

/** Asks every call about these policies, and compares the answers with their declarations. */
export async function answersAbout(tarball, policies) {
  const dir = await project(tarball, { 'policies.json': JSON.stringify(policies.map(given)) })
  cpSync(join(HERE, 'answers'), dir, { recursive: true })
  writeFileSync(join(dir, 'exchanged.mjs'), exchanged(readFileSync(join(HERE, 'answers', 'service.mjs'), 'utf8')))
  const { answers, never, failed, calls } = outcomes(await run(dir, process.execPath, ['record.mjs']))
  if (never.length + failed.length > 0) throw new Error(`never asked: ${never.join(', ') || 'none'}\nnever answered: ${failed.join(', ') || 'none'}`)
  const lines = answers.map(({ type, text }, index) => `export const a${index}: ${type} = ${text}`)
  writeFileSync(join(dir, 'answered.mts'), `${HEAD}${lines.join('\n')}\n`)
  const compilerOptions = { ...OPTIONS, module: 'nodenext', allowJs: true, checkJs: false }
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['answered.mts'] }))
  await run(dir, tool('tsc'), ['--project', 'tsconfig.json']).catch((error) => {
    throw new Error(named(String(error.message), answers))
  })
  return `${answers.length} answers of ${calls} calls, about ${policies.length} policies`
}

const HEAD = `import type { ErrorByCode } from 'tailnet-kit'
import type { Closed } from './declared.mjs'
import type { exchanged } from './exchanged.mjs'
import type { ofPolicy, once } from './offline.mjs'
import type { service } from './service.mjs'
type Answer<Calls, Name extends keyof Calls> = Closed<Awaited<Calls[Name] extends (...given: never[]) => infer Given ? Given : never>>
type Thrown<Code extends keyof ErrorByCode> = Closed<Omit<ErrorByCode[Code], keyof Error | 'headers'>>
`

/** The compiler's message, with the call in place of the line. */
const named = (message, answers) => message.replace(/answered\.mts\((\d+),(\d+)\)/g, (_, line) => answers[line - HEAD.split('\n').length]?.type ?? line)

/** A policy with the arguments of its questions: the policy before it, flows between its devices, places in its text. */
function given({ text, context }, index, all) {
  const before = all[Math.max(0, index - 1)].text
  const names = context.devices.map(({ name, addresses }) => name?.split('.')[0] ?? addresses[0])
  const to = [names[index % names.length], names[0], '10.33.0.9', '8.8.8.8', 'tag:server', 'group:gone']
  const from = [{ device: names[1] }, { user: context.users[0].loginName }, 'tag:exit', { ip: '100.64.0.1' }, 'gone@example.com']
  const flows = to.flatMap((name, at) => ['22', '443'].map((port) => ({ from: from[(at + index) % from.length], to: `${name}:${port}` })))
  const quotes = [...text.matchAll(/"[^"\n]*"/g)].map((match) => match.index + 2)
  return { text, before, context, flows, offsets: index % 4 === 0 ? quotes.filter((_, at) => at % Math.max(1, Math.ceil(quotes.length / 6)) === 0) : [] }
}
