// The list of files in the tarball: what lies in the folders of pkg/, what assemble.mjs writes, nothing lost, nothing
// else. Must not live here: what is in them.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, run } from '../lib/project.mjs'

const PKG = join(HERE, '../../pkg')
const GENERATED = ['wasm/tailnet_kit', 'wasm/sandbox/sandbox'].flatMap((name) => [`${name}.base64.js`, `${name}.text.js`, `${name}_bg.js`])
const WRITTEN_BY_HAND = ['bin', 'load', 'src', 'types'].flatMap(filesOf)
const DECLARATIONS = [...readdirSync(PKG), ...WRITTEN_BY_HAND].filter((file) => file.endsWith('.d.ts'))

const isCommonJs = (file) => /^(src|load\/node|wasm)\//.test(file) && !file.endsWith('.text.js')
const modules = [...WRITTEN_BY_HAND.filter((file) => file.endsWith('.js')), ...GENERATED, 'wasm/version.js']
/** What the entries for Node share, named by its content. */
const isChunk = (file) => /^esm\/node\/chunk-\w+\.js$/.test(file)
const EXPECTED = [
  ...modules,
  ...modules.filter(isCommonJs).map((file) => `cjs/${file}`),
  ...DECLARATIONS.flatMap((file) => [file, file.replace(/\.d\.ts$/, '.d.cts')]),
  ...['index', 'gateway', 'sandbox', 'slim'].map((entry) => `esm/node/${entry}.js`),
  'cjs/package.json', 'wasm/tailnet_kit_bg.wasm', 'wasm/sandbox/sandbox_bg.wasm',
  'package.json', 'README.md', 'LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE',
]

export default async ({ tarball }) => {
  const packed = (await run('.', 'tar', ['-tzf', tarball])).trim().split('\n').map((file) => file.replace(/^package\//, ''))
  const missing = EXPECTED.filter((file) => !packed.includes(file))
  const unexpected = packed.filter((file) => !EXPECTED.includes(file) && !isChunk(file))
  if (missing.length + unexpected.length > 0) throw new Error(`missing: ${missing.join(', ') || 'none'}\nunexpected: ${unexpected.join(', ') || 'none'}`)
  return `${packed.length} files`
}

function filesOf(folder) {
  return readdirSync(join(PKG, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.path, entry.name).slice(PKG.length + 1))
}
