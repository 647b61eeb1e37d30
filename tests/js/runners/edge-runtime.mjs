// edge-runtime: a script, and wasm modules of another realm, which the host passes in. Must not live here: what is asserted.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EdgeRuntime } from 'edge-runtime'
import { bundle, edgeModules, wasmOf } from '../lib/bundle.mjs'
import { project } from '../lib/project.mjs'

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  await bundle(dir, 'edge.mjs', 'edge.js', {
    format: 'iife',
    conditions: ['edge-light'],
    plugins: [edgeModules],
    define: { BASE_URL: JSON.stringify(baseURL) },
  })
  const wasm = wasmOf(join(dir, 'node_modules/tailnet-kit'))
  const wasmModules = Object.fromEntries(wasm.map((path) => [path, new WebAssembly.Module(readFileSync(path))]))
  const runtime = new EdgeRuntime({ initialCode: readFileSync(join(dir, 'edge.js'), 'utf8'), extend: (context) => Object.assign(context, { wasmModules }) })
  return (await runtime.dispatchFetch('http://127.0.0.1/')).json()
}
