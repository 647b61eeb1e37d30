// The extension as it is packed: its own code in one file, and beside it the package with the language server. Must not live here: packing.
//
//     npm ci && TARBALL=../../target/npm/tailnet-kit-VERSION.tgz npm run package

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const HERE = dirname(fileURLToPath(import.meta.url))
const { version } = JSON.parse(readFileSync(join(HERE, '../../pkg/package.json'), 'utf8'))
const tarball = process.env.TARBALL ?? join(HERE, `../../target/npm/tailnet-kit-${version}.tgz`)
if (!existsSync(tarball)) throw new Error(`there is no ${tarball}: pack tailnet-kit first, or name it in TARBALL`)

for (const folder of ['dist', 'server']) rmSync(join(HERE, folder), { recursive: true, force: true })
await build({
  absWorkingDir: HERE,
  entryPoints: ['src/extension.js'],
  outfile: 'dist/extension.cjs',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: ['vscode'],
  minify: true,
  logLevel: 'warning',
})
mkdirSync(join(HERE, 'server'))
// What the server does not load stays out: pages, other runtimes, declarations.
const leftOut = ['load', 'cjs', '*.d.ts', '*.d.cts', 'wasm/*.text.js'].map((files) => `--exclude=package/${files}`)
execFileSync('tar', ['-xzf', tarball, '-C', join(HERE, 'server'), '--strip-components=1', '--wildcards', ...leftOut])
for (const name of ['LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(HERE, '../..', name), join(HERE, name))
