// Pages with an editor in Chromium, with the tools of `tests/js`. Must not live here: tests, pages.

import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

export const TESTS = process.env.TAILNET_KIT_TESTS
export const tool = createRequire(join(TESTS, 'package.json'))
export const { until } = await import(join(TESTS, 'lib/until.mjs'))

/** Bundles this script with its page and the files `more`, and opens it under this Content-Security-Policy; `close()` ends all and returns the page's errors. */
export async function opened(script, contentPolicy, html, more = {}) {
  const { build } = tool('esbuild')
  const { chromium } = tool('playwright-core')
  const { FLAGS, PATIENCE, executable, serve } = await import(join(TESTS, 'lib/browser.mjs'))
  const outdir = join('pages', script.replace('.mjs', ''))
  await build({
    entryPoints: { page: join(import.meta.dirname, script), ...more },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    nodePaths: [join(TESTS, 'node_modules')],
    loader: { '.ttf': 'file' },
    conditions: ['module'],
  })
  writeFileSync(join(outdir, 'index.html'), html)
  const server = await serve(outdir, { 'content-security-policy': contentPolicy })
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE)
  const faults = []
  page.on('pageerror', (error) => faults.push(String(error?.message ?? error)))
  page.on('console', (line) => line.type() === 'error' && !line.text().includes('Failed to load resource') && faults.push(line.text()))
  await page.goto(`http://127.0.0.1:${server.address().port}/`)
  await page.waitForFunction(() => globalThis.ready)
  const close = async () => {
    await browser.close()
    server.close()
    return faults
  }
  return { page, close }
}
