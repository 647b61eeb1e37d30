// Headless Firefox, driven by WebDriver. `FIREFOX` and `GECKODRIVER` name the programs. Must not live here: pages, tests.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PATIENCE, serve } from './browser.mjs'

const HEADERS = { 'content-type': 'application/json' }

/** A session: `command(method, path, body)` sends a command of WebDriver (W3C, section 6), `stop()` ends it. `timeouts` in milliseconds. */
export async function startFirefox(timeouts) {
  const driver = spawn(process.env.GECKODRIVER ?? 'geckodriver', ['--host', '127.0.0.1', '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(driver, 'exit').catch(() => {}) // `failed` reports a driver that never ran
  const stop = () => (driver.kill(), ended)
  try {
    const base = await Promise.race([listening(driver), failed(driver)])
    const options = { binary: process.env.FIREFOX ?? '/usr/bin/firefox-esr', args: ['-headless'] }
    const capabilities = { alwaysMatch: { 'moz:firefoxOptions': options, timeouts } }
    const { sessionId } = await ask(`http://${base}/session`, 'POST', { capabilities })
    const command = (method, path, body) => ask(`http://${base}/session/${sessionId}${path}`, method, body)
    return {
      command,
      stop: () =>
        command('DELETE', '')
          .catch(() => {})
          .then(stop),
    }
  } catch (error) {
    stop()
    throw error
  }
}

async function ask(url, method, body) {
  const response = await fetch(url, { method, headers: HEADERS, body: body && JSON.stringify(body) })
  const { value } = await response.json()
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${value.message}`)
  return value
}

async function listening(driver) {
  for await (const line of createInterface(driver.stdout)) {
    const found = line.match(/Listening on (\S+)/)
    if (found) return found[1]
  }
  throw new Error('geckodriver ended before it listened')
}

async function failed(driver) {
  const [error] = await once(driver, 'error')
  throw new Error(`geckodriver cannot be run: ${error.message}`)
}

/** The outcomes that a folder's page leaves in `globalThis.outcomes`; an error that it throws, or leaves in `globalThis.faults`, is the fault. */
export async function inFirefox(dir, path, headers = {}) {
  const server = await serve(dir, headers)
  try {
    const { command, stop } = await startFirefox({ script: PATIENCE })
    try {
      await command('POST', '/url', { url: `http://127.0.0.1:${server.address().port}${path}` })
      const script = `const done = arguments[arguments.length - 1]
        const look = () => (globalThis.outcomes || globalThis.faults.length > 0 ? done({ outcomes: globalThis.outcomes, faults: globalThis.faults }) : setTimeout(look, 50))
        look()`
      const { outcomes, faults } = await command('POST', '/execute/async', { script, args: [] })
      return [...(outcomes ?? []), { name: 'nothing is thrown that nobody catches', error: faults.join('\n') || null }]
    } finally {
      await stop()
    }
  } finally {
    server.close()
  }
}
