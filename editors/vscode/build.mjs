// The extension as it is packed: its own code, the language server of the package as a process and as a worker, and the wasm files that it asks.
// Must not live here: packing.
//
//     npm ci && TARBALL=../../target/npm/tailnet-kit-VERSION.tgz npm run package

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const HERE = dirname(fileURLToPath(import.meta.url))
const KIT = join(HERE, 'kit')
const { version } = JSON.parse(readFileSync(join(HERE, '../../pkg/package.json'), 'utf8'))
const tarball = process.env.TARBALL ?? join(HERE, `../../target/npm/tailnet-kit-${version}.tgz`)
if (!existsSync(tarball)) throw new Error(`there is no ${tarball}: pack tailnet-kit first, or name it in TARBALL`)

for (const folder of ['dist', 'kit']) rmSync(join(HERE, folder), { recursive: true, force: true })
for (const folder of ['dist', 'kit']) mkdirSync(join(HERE, folder))
execFileSync('tar', ['-xzf', tarball, '-C', KIT, '--strip-components=1'])

/** Files of the packed kit; and its wasm files, which the program is given rather than that a bundler finds them. */
const kit = {
  name: 'kit',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^kit:/ }, ({ path }) => ({ path: join(KIT, path.slice('kit:'.length)) }))
    onResolve({ filter: /^tailnet-kit\// }, ({ path }) => ({ path: join(KIT, `load/linked/entry/${path.slice('tailnet-kit/'.length)}.js`) }))
    onResolve({ filter: /^#wasm\// }, ({ path }) => ({ path, namespace: 'given' }))
    onLoad({ filter: /./, namespace: 'given' }, () => ({
      contents: 'let module\nexport { module as default }\nexport const give = (it) => {\n  module = it\n}\n',
    }))
  },
}
/** The protocol, with what Node or a page has of it. */
const protocol = (of) => ({
  name: 'protocol',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/vendor\/lsp\.js$/ }, ({ path }) => ({ path, namespace: 'protocol' }))
    onLoad({ filter: /./, namespace: 'protocol' }, () => ({
      contents: `export { ResponseError, TextDocuments, createConnection } from 'vscode-languageserver/${of}'\nexport { TextDocument } from 'vscode-languageserver-textdocument'\n`,
      resolveDir: HERE,
    }))
  },
})
const shared = { absWorkingDir: HERE, bundle: true, minify: true, logLevel: 'warning' }
const node = { ...shared, format: 'cjs', platform: 'node', target: 'node20' }
const page = { ...shared, platform: 'browser', target: 'es2022' }
await Promise.all([
  build({ ...node, entryPoints: ['src/node.js'], outfile: 'dist/extension.cjs', external: ['vscode'] }),
  build({ ...node, entryPoints: ['src/server.js'], outfile: 'dist/server.cjs', plugins: [protocol('node'), kit] }),
  build({ ...page, entryPoints: ['src/web.js'], outfile: 'dist/web.js', format: 'cjs', external: ['vscode'] }),
  build({ ...page, entryPoints: ['src/worker.js'], outfile: 'dist/worker.js', format: 'iife', plugins: [protocol('browser'), kit] }),
])
for (const name of ['language', 'hujson', 'dialect', 'headscale']) copyFileSync(join(KIT, `wasm/${name}_bg.wasm`), join(HERE, `dist/${name}.wasm`))
for (const name of ['LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE', 'CHANGELOG.md']) copyFileSync(join(HERE, '../..', name), join(HERE, name))
