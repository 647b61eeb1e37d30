// The same suites in a page: bundled, served on 127.0.0.1, opened in headless Chromium. Must not live here: what is measured.

import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { FIRST } from './first-answer.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
// Isolated pages get a clock of 5 µs in place of 100 µs.
const HEADERS = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
const HTML = '<!doctype html><meta charset="utf-8"><title>bench</title>'

/** Calls `work({ suite, firstAnswer })` with a browser at hand. */
export async function inChromium(work) {
  const files = await bundle()
  const server = createServer((request, response) => {
    const script = files.get(request.url)
    response.writeHead(200, { ...HEADERS, 'content-type': script ? 'text/javascript' : 'text/html' }).end(script ?? HTML)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${server.address().port}/`
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  const page = async (use) => {
    const page = await browser.newPage()
    page.setDefaultTimeout(0)
    await page.goto(address)
    try {
      return await use(page)
    } finally {
      await page.close()
    }
  }
  try {
    await work({
      version: browser.version(),
      suite: (name, options) => page((at) => at.evaluate(async ([name, options]) => (await import('/page.js')).run(name, options), [name, options])),
      firstAnswer: (name) => page((at) => at.evaluate(async (name) => (await import('/first.js')).firstAnswer(name, (entry) => import(`/${entry}.js`)), name)),
    })
  } finally {
    await browser.close()
    server.close()
  }
}

async function bundle() {
  const entries = Object.fromEntries(Object.values(FIRST).map(({ entry }) => [entry, `tailnet-kit/${entry}`]))
  const entryPoints = { page: here('./page.mjs'), first: here('./first-answer.mjs'), ...entries }
  const options = { bundle: true, format: 'esm', minify: true, write: false, outdir: '/', logLevel: 'warning', absWorkingDir: here('..') }
  const { outputFiles } = await build({ ...options, entryPoints })
  return new Map(outputFiles.map(({ path, text }) => [path, text]))
}
