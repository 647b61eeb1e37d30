// One bundle of a project's program by esbuild, as the host of that runtime would make it. Must not live here: programs.

import { join } from 'node:path'
import { build } from 'esbuild'

export const bundle = (dir, entry, outfile, options = {}) =>
  build({ absWorkingDir: dir, entryPoints: [entry], outfile: join(dir, outfile), bundle: true, format: 'esm', target: 'es2022', logLevel: 'silent', ...options })

/** Edge hosts compile `x.wasm?module` when they deploy and hand the module in; here under its path, in `wasmModules`. */
export const edgeModules = {
  name: 'edge-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.replace('?module', '')), namespace: 'edge' }))
    onLoad({ filter: /./, namespace: 'edge' }, ({ path }) => ({ contents: `export default wasmModules[${JSON.stringify(path)}]` }))
  },
}
