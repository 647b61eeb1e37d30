// Makes the folder that a release puts on the branch `action`: the action with the command in one file, which asks no network for anything.
// Must not live here: what the action does (`action/main.mjs`).
//
//     node scripts/action.mjs [PACKAGE] [FOLDER]

import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const PKG = join(dirname(fileURLToPath(import.meta.url)), '..')
const ROOT = join(PKG, '..')
const [from = PKG, to = join(ROOT, 'target/action')] = process.argv.slice(2)

rmSync(to, { recursive: true, force: true })
mkdirSync(to, { recursive: true })
for (const name of ['action.yml', 'main.mjs', 'README.md']) copyFileSync(join(ROOT, 'action', name), join(to, name))
for (const name of ['LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(ROOT, name), join(to, name))
copyFileSync(resolve(from, 'NOTICES'), join(to, 'NOTICES'))
// Its own condition is `module`: the wasm is text inside of the file.
const options = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'error', legalComments: 'inline' }
buildSync({ ...options, absWorkingDir: resolve(from), entryPoints: ['bin/tailnet-kit.js'], outfile: resolve(to, 'tailnet-kit.mjs') })
chmodSync(join(to, 'tailnet-kit.mjs'), 0o755)
