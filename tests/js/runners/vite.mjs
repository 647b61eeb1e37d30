// A page built by Vite without any setting for wasm, in Chromium. Must not live here: what is asserted.

import { join } from 'node:path'
import { build } from 'vite'
import { inChromium } from '../lib/browser.mjs'
import { project } from '../lib/project.mjs'

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  await build({ root: dir, configFile: false, logLevel: 'error', build: { chunkSizeWarningLimit: 10_000 } })
  return inChromium(join(dir, 'dist'), `/?service=${encodeURIComponent(baseURL)}`)
}
