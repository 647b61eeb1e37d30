// The list of files in the tarball, one by one. Must not live here: what is in them.

import { run } from '../lib/project.mjs'

const ENTRIES = ['gateway', 'index', 'sandbox']
const FACADE = ['cidr', 'client', 'errors', 'gateway', 'hujson', 'index', 'instance', 'policy', 'sandbox', 'sandbox-instance', 'slim', 'start']
const WASM = ['tailnet_kit', 'sandbox/sandbox']
const COMMAND = ['failure', 'files', 'http', 'policy', 'sandbox', 'store', 'tailnet-kit', 'text']
const LOADERS = [...ENTRIES, 'start', 'start-sandbox']
const DECLARATIONS = [...ENTRIES, 'slim', 'wasm', ...['cidr', 'client', 'errors', 'hujson', 'policy', 'wire'].map((name) => `types/${name}`)]

const shared = [
  'load/decode.js', 'wasm/version.js',
  ...LOADERS.map((name) => `load/inline/${name}.js`),
  ...FACADE.map((name) => `src/${name}.js`),
  ...WASM.flatMap((name) => [`wasm/${name}.base64.js`, `wasm/${name}_bg.js`]),
]
const EXPECTED = [
  ...shared,
  ...shared.map((file) => `cjs/${file}`),
  'cjs/package.json',
  ...['workerd', 'edge-light', 'deno'].flatMap((runtime) => LOADERS.map((name) => `load/${runtime}/${name}.js`)),
  ...WASM.map((name) => `wasm/${name}_bg.wasm`),
  ...DECLARATIONS.flatMap((name) => [`${name}.d.ts`, `${name}.d.cts`]),
  ...COMMAND.map((name) => `bin/${name}.js`),
  'package.json', 'README.md', 'LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE',
]

export default async ({ tarball }) => {
  const packed = (await run('.', 'tar', ['-tzf', tarball])).trim().split('\n').map((file) => file.replace(/^package\//, ''))
  const missing = EXPECTED.filter((file) => !packed.includes(file))
  const unexpected = packed.filter((file) => !EXPECTED.includes(file))
  if (missing.length + unexpected.length > 0) throw new Error(`missing: ${missing.join(', ') || 'none'}\nunexpected: ${unexpected.join(', ') || 'none'}`)
  return `${packed.length} files`
}
