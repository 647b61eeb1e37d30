// A page built by Vite without any setting for wasm, in Chromium. Must not live here: what is asserted.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { pieceOf } from '../lib/apps.mjs'
import { inChromium } from '../lib/browser.mjs'
import { bundleWorkers } from '../lib/bundle.mjs'
import { project } from '../lib/project.mjs'

export default async ({ tarball, baseURL }) => {
  const dir = await project(tarball)
  await bundleWorkers(dir, 'public')
  await build({ root: dir, configFile: false, logLevel: 'error', build: { chunkSizeWarningLimit: 10_000 } })
  const dist = join(dir, 'dist')
  const texts = ['cidr', 'hujson', 'edit', 'json5', 'check', 'policy', 'client', 'gateway', 'language', 'headscale', 'sandbox'].map((name) =>
    readFileSync(join(dir, `node_modules/tailnet-kit/wasm/${name}.text.js`), 'utf8'),
  )
  const copies = texts.map((text) =>
    copiesOf(
      text,
      texts.filter((other) => other !== text),
      join(dist, 'assets'),
    ),
  )
  return [...(await inChromium(dist, `/?service=${encodeURIComponent(baseURL)}`)), eachOnce(copies)]
}

/** How often a piece from the middle of a wasm's text, which no other has, is in the bundle. */
function copiesOf(text, others, assets) {
  const piece = pieceOf(text, others)
  return readdirSync(assets).reduce((sum, asset) => sum + readFileSync(join(assets, asset), 'utf8').split(piece).length - 1, 0)
}

/** Checks that each is there once: bundlers may repeat a constant that is used twice. */
function eachOnce(copies) {
  return { name: 'each wasm is in the bundle once', error: copies.every((count) => count === 1) ? null : `${copies} copies` }
}
