// A page without any build: modules as they lie in the package, named by an import map. Must not live here: what is asserted.

import { inChromium } from '../lib/browser.mjs'
import { project } from '../lib/project.mjs'

const inline = (name) => `/node_modules/tailnet-kit/load/inline/${name}.js`
const imports = { 'tailnet-kit': inline('index'), 'tailnet-kit/gateway': inline('gateway'), 'tailnet-kit/sandbox': inline('sandbox') }
const html = `<!doctype html>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module" src="./page.mjs"></script>`

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball, { 'index.html': html })
  return inChromium(dir, `/?service=${encodeURIComponent(baseURL)}`)
}
