// One bundle of a project's program by esbuild, as the host of that runtime would make it. Must not live here: programs.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

export const bundle = (dir, entry, outfile, options = {}) =>
  build({
    absWorkingDir: dir,
    entryPoints: [entry],
    outfile: join(dir, outfile),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
    ...options,
  })

/** The workers that `cases/workers.mjs` starts, bundled, as import maps do not apply in workers. */
export async function bundleWorkers(dir, folder = '.') {
  await bundle(dir, 'guard.mjs', join(folder, 'guard.js'), { format: 'iife' })
  await bundle(dir, 'guard.mjs', join(folder, 'guard-module.js'))
}

/** Edge hosts compile `x.wasm?module` when they deploy, and pass the module in; here by its path, in `wasmModules`. */
export const edgeModules = {
  name: 'edge-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.replace('?module', '')), namespace: 'edge' }))
    onLoad({ filter: /./, namespace: 'edge' }, ({ path }) => ({ contents: `export default wasmModules[${JSON.stringify(path)}]` }))
  },
}

/** The wasm files of an installed package. */
export const wasmOf = (pkg) =>
  readdirSync(join(pkg, 'wasm'))
    .filter((name) => name.endsWith('.wasm'))
    .map((name) => join(pkg, 'wasm', name))
