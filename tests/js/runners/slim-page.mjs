// tailnet-kit/slim in a page built by Vite, in Chromium: once as it is, once under a Content-Security-Policy that forbids wasm. Must
// not live here: what is asserted.

import { join } from 'node:path'
import { build } from 'vite'
import { inChromium } from '../lib/browser.mjs'
import { project } from '../lib/project.mjs'

const html = '<!doctype html>\n<script type="module" src="./slim-page.mjs"></script>'
const FORBIDDING = { 'content-security-policy': "script-src 'self'" }

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball, { 'index.html': html })
  await build({ root: dir, configFile: false, logLevel: 'error', build: { chunkSizeWarningLimit: 10_000, assetsInlineLimit: 0 } })
  const dist = join(dir, 'dist')
  return [...(await inChromium(dist, `/?service=${encodeURIComponent(baseURL)}`)), ...(await inChromium(dist, '/?forbidden', FORBIDDING))]
}
