// The list of files in the tarball: those in the folders of pkg/ and those that assemble.mjs writes, and no others. Must not live
// here: what is in them.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HERE, folder, run } from '../lib/project.mjs'

const PKG = join(HERE, '../../pkg')
/** The wasm files that entries load, and those for who starts the wasm by hand. */
const LOADED_FILES = ['cidr', 'hujson', 'edit', 'json5', 'check', 'policy', 'client', 'gateway', 'language', 'headscale', 'sandbox']
const FILES = [...LOADED_FILES, 'text', 'tailnet_kit']
/** What is added to a running file: it has no glue. */
const ADDED = 'dialect'
const ENTRIES = ['index', 'slim', 'cidr', 'hujson', 'policy', 'client', 'gateway', 'language', 'headscale', 'sandbox']
/** Entries that are loaded from their sources. */
const EDITORS = ['codemirror', 'monaco']
const PEERS = ['msw', 'query', 'react']
const WRITTEN_BY_HAND = ['bin', 'common', 'editors', 'elements', 'peers', 'react'].flatMap(filesOf)
/** Declarations: those of the entries for both kinds of modules, those of the parts once. */
const DECLARATIONS = readdirSync(PKG).filter((file) => file.endsWith('.d.ts'))
const OF_PARTS = readdirSync(join(PKG, 'types'))
  .filter((file) => file.endsWith('.d.ts'))
  .map((file) => `types/${file.replace(/\.d\.ts$/, '.d.cts')}`)
/** Copies of the facade, each with loaders of one kind, and what a host links; Node's copies are in `esm` and `cjs`. */
const COPIES = filesOf('load')
const LOADS = COPIES.filter((file) => !/^load\/disk\//.test(file))
const LOADED = ['inline', 'linked', 'workerd', 'edge-light', 'deno', 'slim']

const glue = FILES.map((name) => `wasm/${name}_bg.js`)
const modules = [...WRITTEN_BY_HAND.filter((file) => file.endsWith('.js')), ...glue, 'wasm/version.js']
const isCommonJs = (file) => /^(common|editors|elements|peers|react|wasm)\//.test(file) && !file.endsWith('.worker.js')
const EXPECTED = [
  ...modules,
  ...LOADS,
  ...[...modules.filter(isCommonJs), ...COPIES.filter((file) => /^load\/(disk|slim)/.test(file))].map((file) => `cjs/${file}`),
  ...OF_PARTS,
  ...WRITTEN_BY_HAND.filter((file) => /\.d\.c?ts$/.test(file)),
  'elements.js',
  ...DECLARATIONS.flatMap((file) => [file, file.replace(/\.d\.ts$/, '.d.cts')]),
  ...ENTRIES.flatMap((entry) => [`${entry}.js`, `esm/node/${entry}.js`]),
  ...[...EDITORS, ...PEERS].map((editor) => `${editor}.js`),
  'wasm/alphabet.text.js',
  ...[...FILES, ADDED].map((name) => `wasm/${name}_bg.wasm`),
  ...[...LOADED_FILES, ADDED].map((name) => `wasm/${name}.text.js`),
  ...['client', 'errors', 'policy', 'text'].map((part) => `esm/parts/${part}.js`),
  'esm/node/service.js',
  'react-native.js',
  'cjs/package.json',
  'package.json',
  'policy.schema.json',
  'policy.schema.draft-07.json',
  'policy.schema.headscale.json',
  'openapi.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'LICENSE-MIT',
  'LICENSE-APACHE',
  'NOTICES',
  'sbom.cdx.json',
]
/**
 * The most that the unpacked package may take, in bytes. Node's own files keep their lines, which takes 0.14 MiB: of an uncaught error Node shows the line.
 * The elements take 0.4, as modules and as CommonJS, the schema of a second dialect 0.05, the types by which the client reads answers 0.35, and the client
 * of Headscale 0.5.
 */
const MOST = 15.7 * 1024 * 1024

export default async ({ tarball }) => {
  const packed = (await run('.', 'tar', ['-tzf', tarball]))
    .trim()
    .split('\n')
    .map((file) => file.replace(/^package\//, ''))
  const missing = EXPECTED.filter((file) => !packed.includes(file))
  const unexpected = packed.filter((file) => !EXPECTED.includes(file))
  if (missing.length + unexpected.length > 0) throw new Error(`missing: ${missing.join(', ') || 'none'}\nunexpected: ${unexpected.join(', ') || 'none'}`)
  const folders = new Set(LOADS.map((file) => file.split('/')[1]))
  if (String([...folders].sort()) !== String([...LOADED].sort())) throw new Error(`folders of loaders: ${[...folders].join(', ')}`)
  const unpacked = (await run('.', 'tar', ['-tvzf', tarball]))
    .trim()
    .split('\n')
    .reduce((sum, line) => sum + Number(line.split(/\s+/)[2]), 0)
  if (unpacked > MOST) throw new Error(`unpacked it takes ${unpacked} bytes, more than ${MOST}`)
  await readable(tarball)
  return `${packed.length} files, ${(unpacked / 1024 / 1024).toFixed(2)} of at most ${MOST / 1024 / 1024} MiB unpacked`
}

function filesOf(folder) {
  return readdirSync(join(PKG, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.path, entry.name).slice(PKG.length + 1))
}

/** The longest line of what Node runs as it is. */
const LONGEST = 600

async function readable(tarball) {
  const dir = folder()
  await run(dir, 'tar', ['-xzf', tarball, '--strip-components=1'])
  const files = ['bin', 'cjs', 'esm'].flatMap((part) => readdirSync(join(dir, part), { recursive: true }).map((file) => join(part, file)))
  const long = files.filter(
    (file) =>
      file.endsWith('.js') &&
      // What is of others keeps its short form, in lines.
      !file.startsWith('bin/vendor/') &&
      readFileSync(join(dir, file), 'utf8')
        .split('\n')
        .some((line) => line.length > LONGEST),
  )
  if (long.length > 0) throw new Error(`a line of more than ${LONGEST} letters: ${long.join(', ')}`)
}
