// The runner with which `cargo test` runs tests/web.rs in headless Chromium: wasm-bindgen's own runner serves the test page, this
// one opens it and reads the result. So Chromium is enough, without a WebDriver, whose version would have to fit the browser's.
//
//     CHROMIUM=/path node tests/web-chromium.mjs FILE.wasm [ARGUMENT]...       (what cargo calls)

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const { chromium } = createRequire(new URL('./js/package.json', import.meta.url))('playwright-core')
const LIMIT = 120_000

/** Starts the page's server and resolves with its address. */
function serve(runner) {
  return new Promise((resolve, reject) => {
    runner.once('error', reject)
    runner.once('exit', (code) => reject(new Error(`wasm-bindgen-test-runner ended with ${code} and served no page`)))
    createInterface({ input: runner.stdout }).on('line', (line) => {
      const address = line.match(/available at (http:\/\/\S+)/)?.[1]
      if (address) resolve(address)
      else console.log(line)
    })
  })
}

/** The text of the page once all its tests have ended. */
async function read(address) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    page.on('pageerror', (error) => console.log(`page: ${error.message}`))
    await page.goto(address)
    const output = page.locator('#output')
    const ended = page.waitForFunction(() => /^test result: /m.test(document.querySelector('#output').textContent), null, { timeout: LIMIT })
    await ended.catch((error) => console.log(`${error.message.split('\n')[0]}`))
    return await output.textContent()
  } finally {
    await browser.close()
  }
}

const environment = { ...process.env, NO_HEADLESS: '1', WASM_BINDGEN_USE_BROWSER: '1', WASM_BINDGEN_TEST_ADDRESS: '127.0.0.1:0' }
const runner = spawn('wasm-bindgen-test-runner', process.argv.slice(2), { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const text = await read(await serve(runner))
  console.log(text)
  process.exitCode = /^test result: ok/m.test(text) ? 0 : 1
} finally {
  runner.kill()
}
