// The page of elements that need a bundler, since CodeMirror does: bundled with the workers beside it. Must not live here: cases.

import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, TESTS, tool } from './tools.mjs'

const HERE = join(ROOT, 'elements')
const OUT = join(ROOT, 'bundled')
const worker = (file) => join(ROOT, 'node_modules/tailnet-kit/elements', file)
/** Paths as the server of the other page has them. */
const served = {
  name: 'served',
  setup: ({ onResolve }) => onResolve({ filter: /^\/(cases|node_modules)\// }, ({ path }) => ({ path: join(ROOT, path) })),
}

export async function bundle() {
  await tool('esbuild').build({
    entryPoints: {
      page: join(HERE, 'policy-page.mjs'),
      'judge.worker': worker('common/judge.worker.js'),
      'language.worker': worker('policy/language.worker.js'),
    },
    outdir: OUT,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    nodePaths: [join(TESTS, 'node_modules')],
    conditions: ['module'],
    plugins: [served],
  })
  cpSync(join(HERE, 'violations.js'), join(OUT, 'violations.js'))
  writeFileSync(join(OUT, 'index.html'), readFileSync(join(HERE, 'index.html'), 'utf8').replace('page.mjs', 'page.js'))
}
