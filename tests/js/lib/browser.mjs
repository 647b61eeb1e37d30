// A folder served on loopback, opened in headless Chromium. Must not live here: pages.

import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' }
/** Turns off the browser's own services: nothing here may leave the machine. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How long a page may take, in milliseconds. Its cases take seconds, and on a busy machine twenty times as long. */
export const PATIENCE = 180_000

/** The outcomes that the page leaves in `window.outcomes`; an error that it throws or logs is the fault. */
export async function inChromium(dir, path = '/', headers = {}) {
  const server = await serve(dir, headers)
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
  try {
    const page = await browser.newPage()
    const faults = []
    page.on('pageerror', (error) => faults.push(String(error?.message ?? error)))
    page.on('console', (line) => line.type() === 'error' && !line.text().includes('Failed to load resource') && faults.push(line.text()))
    await page.goto(`http://127.0.0.1:${server.address().port}${path}`)
    const outcomes = await page
      .waitForFunction(() => globalThis.outcomes, undefined, { timeout: PATIENCE })
      .catch((error) => {
        throw new Error(faults.join('\n') || error.message)
      })
    return [...(await outcomes.jsonValue()), { name: 'nothing is written to the console as an error', error: faults.join('\n') || null }]
  } finally {
    await browser.close()
    server.close()
  }
}

export function executable() {
  const found = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', chromium.executablePath()].find((path) => path && existsSync(path))
  if (!found) throw new Error('there is no Chromium: set CHROMIUM to its path')
  return found
}

/** Serves the folder on a port of its own. */
export function serve(dir, headers) {
  const server = createServer(({ url }, response) => {
    const path = new URL(url, 'http://page').pathname
    const file = join(dir, path.endsWith('/') ? `${path}index.html` : path)
    if (!existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers }).end(readFileSync(file))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
