// A page without any build: the modules of the package, named by an import map, and the scripts of its workers.
// Must not live here: browsers, what is asserted.

import { bundleWorkers } from './bundle.mjs'
import { project } from './project.mjs'

const inline = (name) => `/node_modules/tailnet-kit/${name}.js`
const imports = {
  'tailnet-kit': inline('index'),
  'tailnet-kit/gateway': inline('gateway'),
  'tailnet-kit/headscale': inline('headscale'),
  'tailnet-kit/language': inline('language'),
  'tailnet-kit/sandbox': inline('sandbox'),
}
const html = `<!doctype html>
<script>
globalThis.faults = []
addEventListener('error', ({ message }) => faults.push(message))
addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason?.message ?? reason)))
</script>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module" src="./page.mjs"></script>`

/** Writes the page; returns its folder, and its address in that folder. */
export async function plainPage({ tarball, baseURL }) {
  const dir = await project(tarball, { 'index.html': html })
  await bundleWorkers(dir)
  return [dir, `/?service=${encodeURIComponent(baseURL)}`]
}
