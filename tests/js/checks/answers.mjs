// The compiler compares the answer of every call with its declaration, field by field: no field that is not declared, none missing, no word that a
// union lacks. The client calls a sandbox; the verbs answer about the policies of the native tests and of the recordings. Must not live here: the
// calls (`answers/`).

import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, outcomes, project, run, tool } from '../lib/project.mjs'
import { OPTIONS } from './types.mjs'

const FIXTURES = join(HERE, '../policy')
const CORPUS = join(HERE, '../../../shared/policy-corpus')
/** A tailnet for the policies that have none. */
const CONTEXT = {
  devices: [
    { id: '1', name: 'laptop.example.ts.net', user: 'ann@example.com', addresses: ['100.64.0.1', 'fd7a:115c:a1e0::1'] },
    { id: '2', name: 'web.example.ts.net', tags: ['tag:web', 'tag:server'], addresses: ['100.64.0.5'] },
    {
      id: '3',
      name: 'exit.example.ts.net',
      tags: ['tag:exit'],
      addresses: ['100.64.0.9'],
      advertisedRoutes: ['0.0.0.0/0', '::/0', '10.0.0.0/8'],
      enabledRoutes: ['0.0.0.0/0', '::/0'],
    },
  ],
  users: [
    { loginName: 'ann@example.com', role: 'owner' },
    { loginName: 'bob@example.com', role: 'admin' },
  ],
  domains: ['example.com'],
  groups: { 'group:synced@example.com': ['bob@example.com'] },
  attributes: { 1: { 'node:os': 'macos', 'custom:tier': 'gold' } },
}

export default async ({ tarball }) => {
  const policies = [...fixtures(), ...recorded()]
  const dir = await project(tarball, { 'policies.json': JSON.stringify(policies.map(given)) })
  cpSync(join(HERE, 'answers'), dir, { recursive: true })
  const { answers, never, failed, calls } = outcomes(await run(dir, process.execPath, ['record.mjs']))
  if (never.length + failed.length > 0) throw new Error(`never asked: ${never.join(', ') || 'none'}\nnever answered: ${failed.join(', ') || 'none'}`)
  const lines = answers.map(({ type, text }, index) => `export const a${index}: ${type} = ${text}`)
  writeFileSync(join(dir, 'answered.mts'), `${HEAD}${lines.join('\n')}\n`)
  const compilerOptions = { ...OPTIONS, module: 'nodenext', allowJs: true, checkJs: false }
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['answered.mts'] }))
  await run(dir, tool('tsc'), ['--project', 'tsconfig.json']).catch((error) => {
    throw new Error(named(String(error.message), answers))
  })
  const held = `${answers.length} answers of ${calls} calls, about ${policies.length} policies`
  return existsSync(CORPUS) ? held : { notRun: `what the recordings say: they are not here; ${held} hold` }
}

const HEAD = `import type { ErrorByCode } from 'tailnet-kit'
import type { Closed } from './declared.mjs'
import type { ofPolicy, once } from './offline.mjs'
import type { service } from './service.mjs'
type Answer<Calls, Name extends keyof Calls> = Closed<Awaited<Calls[Name] extends (...given: never[]) => infer Given ? Given : never>>
type Thrown<Code extends keyof ErrorByCode> = Closed<Omit<ErrorByCode[Code], keyof Error | 'headers'>>
`

/** The compiler's message, with the call in place of the line. */
const named = (message, answers) => message.replace(/answered\.mts\((\d+),(\d+)\)/g, (_, line) => answers[line - HEAD.split('\n').length]?.type ?? line)

const fixtures = () =>
  readdirSync(FIXTURES)
    .filter((file) => file.endsWith('.hujson'))
    .flatMap((file) =>
      readFileSync(join(FIXTURES, file), 'utf8')
        .split(/^\/\/# .*\n/m)
        .slice(1),
    )
    .map((text) => ({ text, context: CONTEXT }))

function recorded() {
  if (!existsSync(CORPUS)) return []
  const lines = readdirSync(CORPUS)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(join(CORPUS, file), 'utf8').trim().split('\n'))
  return lines
    .map((line) => JSON.parse(line))
    .map(({ policy, topo: { users, nodes } }) => {
      const login = (name) => users.find((user) => user.name === name)?.email
      const devices = nodes.map(({ name, user, tags, ips, advertised = [], approved = [] }) => ({
        id: name,
        name: `${name}.example.ts.net`,
        ...(user ? { user: login(user) } : {}),
        tags,
        addresses: ips,
        advertisedRoutes: advertised,
        enabledRoutes: approved,
      }))
      return {
        text: policy,
        context: { devices, users: users.map(({ email, role }) => ({ loginName: email, ...(role && { role }) })), domains: ['example.com'] },
      }
    })
}

/** A policy with the arguments of its questions: the policy before it, flows between its devices, places in its text. */
function given({ text, context }, index, all) {
  const before = all[Math.max(0, index - 1)].text
  const names = context.devices.map(({ name }) => name.split('.')[0])
  const to = [names[index % names.length], names[0], '10.33.0.9', '8.8.8.8', 'tag:server', 'group:gone']
  const from = [{ device: names[1] }, { user: context.users[0].loginName }, 'tag:exit', { ip: '100.64.0.1' }, 'gone@example.com']
  const flows = to.flatMap((name, at) => ['22', '443'].map((port) => ({ from: from[(at + index) % from.length], to: `${name}:${port}` })))
  const quotes = [...text.matchAll(/"[^"\n]*"/g)].map((match) => match.index + 2)
  return { text, before, context, flows, offsets: index % 4 === 0 ? quotes.filter((_, at) => at % Math.max(1, Math.ceil(quotes.length / 6)) === 0) : [] }
}
