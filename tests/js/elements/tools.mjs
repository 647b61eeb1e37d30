// The folder of a test's project as pages under a strict Content-Security-Policy. Must not live here: tests, pages.

import { copyFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

export const TESTS = process.env.TAILNET_KIT_TESTS
export const tool = createRequire(join(TESTS, 'package.json'))
export const { FLAGS, PATIENCE, executable, inChromium, serve } = await import(join(TESTS, 'lib/browser.mjs'))
export const { inFirefox } = await import(join(TESTS, 'lib/firefox.mjs'))

const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; worker-src 'self'; base-uri 'none'"
export const HEADERS = { 'content-security-policy': STRICT }

/** The project of the test, with the package in `node_modules` and this folder. */
export const ROOT = process.cwd()
copyFileSync(tool.resolve('axe-core/axe.min.js'), join(ROOT, 'axe.js'))
