// A page built by Vite without any setting for wasm, in Chromium. Must not live here: what is asserted.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { inChromium } from '../lib/browser.mjs'
import { project } from '../lib/project.mjs'

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  await build({ root: dir, configFile: false, logLevel: 'error', build: { chunkSizeWarningLimit: 10_000 } })
  const dist = join(dir, 'dist')
  return [...(await inChromium(dist, `/?service=${encodeURIComponent(baseURL)}`)), eachOnce(join(dist, 'assets'))]
}

/** Bundlers repeat a constant that is named twice: both wasm files have to be there once, and no third. */
function eachOnce(assets) {
  const copies = readdirSync(assets).flatMap((file) => readFileSync(join(assets, file), 'utf8').match(/AGFzbQEAAAA/g) ?? []).length
  return { name: 'each wasm is in the bundle once', error: copies === 2 ? null : `${copies} copies` }
}
