// The declarations compiled by a project that uses every member, as ESM and as CommonJS, under strict, lib ES2022 + DOM,
// without skipLibCheck; and with them each block of code of every page, each example of the declarations, and the servers of `examples` that are
// TypeScript (the guides' apps are compiled by their own templates: `runners/guides.mjs`). Must not live here: the uses (`types/uses/`), the comparison with a contract (`beside/contract.mjs`).

import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, project, run, tool } from '../lib/project.mjs'
import { compiled, unnamed } from './readme.mjs'

export const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  skipLibCheck: false,
  noEmit: true,
}
const RESOLUTIONS = [{ module: 'node16' }, { module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]

/** What declares the names of the web, one at a time, with no other library. Elements need a page, and so the first. */
const SURROUNDINGS = [
  { lib: ['es2022', 'dom'], types: [] },
  { lib: ['es2022'], types: ['node'] },
  { lib: ['es2022'], types: ['@cloudflare/workers-types'] },
]

/** The options of the project that `npm create cloudflare` makes; it takes the same declarations from wrangler. */
const WORKER = {
  target: 'es2024',
  lib: ['es2024'],
  module: 'es2022',
  moduleResolution: 'bundler',
  isolatedModules: true,
  strict: true,
  noEmit: true,
  types: ['@cloudflare/workers-types'],
}

const EXAMPLES = join(HERE, '../../examples')
const inTypeScript = (folder) =>
  readdirSync(join(EXAMPLES, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('examples', folder, name))

export default async ({ tarball }) => {
  const uses = { ...compiledAs('mts'), ...compiledAs('cts') }
  const dir = await project(tarball, uses)
  const compile = async (compilerOptions, files) => {
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    await run(dir, tool('tsc'), ['--project', 'tsconfig.json'])
  }
  const packed = join(dir, 'node_modules/tailnet-kit')
  writeFileSync(join(dir, 'examples.mts'), compiled(packed))
  const files = { mts: entries(packed), cts: entries(packed) }
  for (const [extension, text] of Object.entries(files)) writeFileSync(join(dir, `entries.${extension}`), text)
  for (const types of ['@types/node', '@cloudflare/workers-types', 'undici-types'])
    cpSync(join(HERE, 'node_modules', types), join(dir, 'node_modules', types), { recursive: true })
  const { strict, target, noEmit } = OPTIONS
  for (const resolution of RESOLUTIONS) {
    await compile({ ...OPTIONS, allowJs: true, checkJs: true, ...resolution }, Object.keys(uses))
    await compile({ strict, target, noEmit, lib: ['es2022', 'dom'], types: ['node'], ...resolution }, ['examples.mts'])
  }
  cpSync(EXAMPLES, join(dir, 'examples'), { recursive: true })
  const servers = ['session', 'bun', 'deno', 'headscale'].flatMap(inTypeScript)
  writeFileSync(join(dir, 'runtimes.d.ts'), SURROUNDED)
  const blocks = ofPages(dir)
  const asShown = { types: ['node'], allowImportingTsExtensions: true }
  for (const resolution of RESOLUTIONS.slice(1)) {
    await compile({ ...OPTIONS, ...asShown, ...resolution }, ['runtimes.d.ts', ...servers])
    // Editors have declarations of their own, which are not ours to check.
    await compile({ ...OPTIONS, ...asShown, allowJs: true, checkJs: true, skipLibCheck: true, ...resolution }, ['runtimes.d.ts', ...blocks])
  }
  await compile(WORKER, inTypeScript('cloudflare-workers'))
  for (const surroundings of SURROUNDINGS) await compile({ strict, target, noEmit, ...surroundings, module: 'nodenext' }, ['entries.mts', 'entries.cts'])
  return `ESM and CommonJS, each example, ${blocks.length} blocks of pages, with the names of a page, of Node and of workers`
}

/** What the runtimes of examples add to the web, and what Vite makes of a file. */
const SURROUNDED =
  "declare const Bun: any\ndeclare const Deno: any\ndeclare module 'bun:sqlite' {\n  export const Database: any\n}\ndeclare module '*?url' {\n  const address: string\n  export default address\n}\n"

/** The blocks of pages that name no file, as modules beside the examples, with the editors that some of them take up; their paths. */
function ofPages(dir) {
  for (const name of ['codemirror', '@codemirror', 'monaco-editor']) symlinkSync(join(HERE, 'node_modules', name), join(dir, 'node_modules', name))
  mkdirSync(join(dir, 'examples/pages'))
  return unnamed().map(({ page, language, code }, index) => {
    const path = `examples/pages/${page.replaceAll(/\W/g, '-')}-${index}.${language}`
    writeFileSync(join(dir, path), code)
    return path
  })
}

/** Every entry that needs no page. */
function entries(packed) {
  const names = Object.keys(JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')).exports)
  const there = names.filter((name) => !/^\.\/(elements|react)(\/|$)|\.(json|wasm)$/.test(name))
  return there.map((name, at) => `export * as entry${at} from 'tailnet-kit${name.slice(1)}'\n`).join('')
}

/** The uses as modules with this extension, which name each other by the one that it is compiled to. */
function compiledAs(extension) {
  const text = (file) => readFileSync(join(HERE, 'types/uses', file), 'utf8').replaceAll(".mjs'", `.${extension.replace('ts', 'js')}'`)
  return Object.fromEntries(readdirSync(join(HERE, 'types/uses')).map((file) => [file.replace(/ts$/, extension), text(file)]))
}
