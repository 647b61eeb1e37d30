// Runs each JavaScript block of the README and of the pages that it leads to in Node, unless its first line names a bundler. Runs each example of the
// declarations, with the values that it names, and checks that each public function has one. Must not live here: what they show.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, outcomes, project, run } from '../lib/project.mjs'

export default async ({ tarball }) => {
  const dir = await project(tarball)
  const packed = join(dir, 'node_modules/tailnet-kit')
  if (readFileSync(join(packed, 'README.md'), 'utf8') !== readFileSync(join(HERE, '../../README.md'), 'utf8')) throw new Error('another README is packed')
  const blocks = shown()
  for (const [index, code] of blocks.entries()) {
    writeFileSync(join(dir, `block-${index + 1}.mjs`), code)
    await run(dir, process.execPath, [`block-${index + 1}.mjs`])
  }
  if (blocks.length === 0) throw new Error('there is no block to run')
  const examples = ['.', 'types'].flatMap((folder) => declared(join(packed, folder)))
  const there = examples.filter(({ code }) => !NEEDS_A_PAGE.test(code))
  writeFileSync(join(dir, 'examples.mjs'), program(there))
  const { faults, names } = outcomes(await run(dir, process.execPath, ['examples.mjs']))
  const without = [...names, ...CLASSES].filter((name) => !examples.some(({ code }) => code.includes(name)))
  if (without.length > 0) faults.push(`without an example: ${without.join(', ')}`)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return `${blocks.length} blocks, ${there.length} examples of ${names.length} functions; ${examples.length - there.length} need a library`
}

/** The pages whose JavaScript is run, and compiled by `types.mjs`. */
const PAGES = ['README.md', 'docs/operations.md', 'docs/loading.md']
/** Their JavaScript blocks that run as they are. */
export const shown = () => PAGES.flatMap((page) => blocksOf(readFileSync(join(HERE, '../..', page), 'utf8')))
const blocksOf = (text) => [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code).filter((code) => !code.startsWith('// vite'))

/** The blocks of every page that name no file, in JavaScript and TypeScript, for `types.mjs`; a file of `examples` is compiled where it lies. */
export function unnamed() {
  const root = join(HERE, '../..')
  const pages = [
    'README.md',
    'examples/README.md',
    'action/README.md',
    'editors/vscode/README.md',
    'www/README.md',
    ...pagesIn(root, 'docs'),
    ...pagesIn(root, 'docs/guides'),
  ]
  return pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^```(js|ts|jsx|mjs|cjs|typescript|javascript)\n(.*?)^```/gms)].map(([, language, code]) => {
      if (language !== 'js' && language !== 'ts') throw new Error(`${page}: a block is \`js\`, \`ts\`, or names its file, not \`${language}\``)
      return { page, language, code }
    }),
  )
}
const pagesIn = (root, folder) => readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []))

/** Public functions and classes outside the namespaces. */
const CLASSES = [
  'new TailnetClient(',
  'new Sandbox(',
  'new HeadscaleSandbox(',
  '.withResponse(',
  'oauth(',
  'federated(',
  'verifyWebhook(',
  'isTailnetError(',
  'createGateway(',
  'init(',
  'initSync(',
  'tailnetPolicy(',
  'register(',
  'handlers(',
  'queries(',
  'mutations(',
]
/** What examples take from their surroundings. */
const GIVEN = `import { tailnetPolicy } from 'tailnet-kit/codemirror'
import 'tailnet-kit/elements'
import 'tailnet-kit/elements/admin'
import 'tailnet-kit/elements/policy'
import 'tailnet-kit/elements/preview'
import 'tailnet-kit/elements/save'
import 'tailnet-kit/elements/share'
import 'tailnet-kit/elements/tests'
import { merge } from 'tailnet-kit/elements/conflict'
import { together } from 'tailnet-kit/elements/together'
import { register, type MonacoModule } from 'tailnet-kit/monaco'
import { handlers } from 'tailnet-kit/msw'
declare const monaco: MonacoModule
declare function setupServer(...handlers: unknown[]): unknown
declare const queryClient: { fetchQuery<T>(options: { queryFn: (c: {}) => Promise<T> }): Promise<T>; invalidateQueries(filter: object): Promise<unknown> }`
const NEEDS_A_PAGE = /tailnetPolicy\(|await merge\(|register\(|setupServer\(|document\./
/** The examples that define what the others use: a client, a policy, a document, a broken text. */
const OPENINGS = ['TailnetClient', 'policy', 'PolicyDocument', 'language']

/** The examples of the declarations in a folder, each with the first word of the declaration below it. */
function declared(folder) {
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith('.d.cts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  return texts
    .flatMap((text) => [
      ...text.matchAll(
        /^ *\/\*\*\n((?: *\*(?!\/).*\n)*?) *\* @example(.*\n(?: *\*(?!\/).*\n)*) *\*\/\n *(?:export )?(?:declare )?(?:const |class |interface |function )?(\w+)/gm,
      ),
    ])
    .map(([, , code, name]) => ({ name, code: code.replaceAll(/^ *\* ?/gm, '').trim() }))
}

/** All examples as one module for a compiler, each with the values that it names. Those for an editor or a library have their own imports. */
export function compiled(packed) {
  const examples = ['.', 'types'].flatMap((folder) => declared(join(packed, folder)))
  const openings = OPENINGS.map((wanted) => examples.find(({ name }) => name === wanted).code)
  const one = ({ code }, at) => {
    const imported = [...code.matchAll(/^import .*$/gm)].map(([line]) => line)
    const rest = code.replaceAll(/^import .*$/gm, '').trim()
    // In the example of an element `document` is the page's.
    const around = /\bdocument\.(createElement|querySelector)\(/.test(code) ? openings.filter((opening) => !/const document =/.test(opening)) : openings
    return { imported, text: `export async function example${at}() {\n${around.join('\n')}\n{\n${rest}\n}\n}` }
  }
  const parts = examples.map(one)
  return `${IMPORTS}${[...new Set(parts.flatMap(({ imported }) => imported))].join('\n')}\n${GIVEN}\n${parts.map(({ text }) => text).join('\n')}\n`
}

/** All examples as one program: `x // → y` asserts that `x` is `y`. */
function program(examples) {
  const openings = OPENINGS.map((wanted) => examples.find(({ name }) => name === wanted).code)
  const checked = (code) => code.replaceAll(/^( *)(.+?) \/\/ → (.+)$/gm, '$1equal(await ($2), $3)')
  const run = ({ name, code }) => `await attempt(${JSON.stringify(name)}, async () => {\n${openings.map(checked).join('\n')}\n{\n${checked(code)}\n}\n})`
  return `${HEAD}${examples.map(run).join('\n')}\n${openings.join('\n')}\n${TAIL}`
}

const IMPORTS = `import { readFileSync } from 'node:fs'
import { TailnetClient, cidr, dns, federated, hujson, isTailnetError, oauth, policy, routes, verifyWebhook } from 'tailnet-kit'
import { LONGEST, fromFile, fromFragment, toFragment } from 'tailnet-kit/elements/link'
import { createGateway } from 'tailnet-kit/gateway'
import { HeadscaleClient, contextFromHeadscale } from 'tailnet-kit/headscale'
import { language } from 'tailnet-kit/language'
import { mutations, queries } from 'tailnet-kit/query'
import { HeadscaleSandbox, Sandbox } from 'tailnet-kit/sandbox'
import { init, initSync } from 'tailnet-kit/slim'
`
const HEAD = `${IMPORTS}import { equal } from './cases/assert.mjs'
import { functions } from './functions.mjs'
const faults = []
/** As much of TanStack's as examples use. */
const queryClient = { fetchQuery: ({ queryFn }) => queryFn({}), invalidateQueries: async () => {} }
async function attempt(name, example) {
  await example().catch((error) => faults.push(\`the example of \${name}: \${error.message}\`))
}
`
const TAIL = `const names = Object.entries({ cidr, client, dns, document, hujson, language, policy, routes, sandbox }).flatMap(([path, value]) => [...functions(value, path)])
console.log(JSON.stringify({ faults, names }))
`
