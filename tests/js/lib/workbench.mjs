// VS Code, as the package code-server carries it: its server in Node, where extensions run, and its workbench in headless Chromium.
// `tests/js/vscode` has the last version of it that runs in Node 20, and of the modules it looks for only those that it asks for here; none is
// compiled. Must not live here: what an extension does.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { FLAGS, executable } from './browser.mjs'
import { started } from './examples.mjs'
import { HERE, run } from './project.mjs'
import { until } from './until.mjs'

const MODULES = join(HERE, 'vscode/node_modules')
// VS Code's own server: that of code-server around it adds a login, and needs modules that are compiled.
const SERVER = join(MODULES, 'code-server/lib/vscode/out/server-main.js')
/** How long VS Code may take for one thing, in milliseconds: a busy machine needs many times as long as a quiet one. */
const PATIENCE = 60_000

const USER = {
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.startupEditor': 'none',
}

export const installed = () => existsSync(SERVER)

/** Writes the texts of `files` by their paths below `dir`. */
function written(dir, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

/** The folder `dir/workspace` with these files, opened in a VS Code that has the extension; everything is kept below `dir`. */
export async function workbench(dir, extension, files) {
  const workspace = join(dir, 'workspace')
  written(workspace, files)
  written(dir, { 'server/data/User/settings.json': JSON.stringify(USER), 'extensions/extensions.json': '[]' })
  const folders = ['--accept-server-license-terms', '--server-data-dir', join(dir, 'server'), '--extensions-dir', join(dir, 'extensions')]
  await run(dir, process.execPath, [SERVER, ...folders, '--install-extension', extension])
  const { base, stop } = await started(process.execPath, [SERVER, ...folders, '--without-connection-token', '--host', '127.0.0.1', '--port', '0'], dir, {})
  let browser
  const close = async () => {
    await browser?.close()
    await stop()
  }
  try {
    browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
    const page = await opened(browser, base, workspace)
    return { ...hands(page), ...eyes(page), page, close, write: (path, text) => written(workspace, { [path]: text }) }
  } catch (error) {
    await close()
    throw error
  }
}

async function opened(browser, base, workspace) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  page.setDefaultTimeout(PATIENCE)
  await onThisMachine(page, base)
  await page.goto(`${base}/?folder=${encodeURIComponent(workspace)}`)
  // Settings of a folder that nobody trusts are not all followed: what works there works in any folder.
  await page.locator('.monaco-dialog-box .monaco-button', { hasText: "No, I don't trust" }).click()
  return page
}

/** Keeps the page from asking others, and gives it the modules that it looks for inside of the server's folder. */
async function onThisMachine(page, base) {
  await page.route(
    (url) => url.protocol.startsWith('http') && url.origin !== base,
    (route) => route.abort(),
  )
  await page.route('**/static/node_modules/**', (route) => {
    const path = join(MODULES, new URL(route.request().url()).pathname.split('/static/node_modules/')[1])
    return existsSync(path) ? route.fulfill({ path }) : route.fulfill({ status: 404 })
  })
}

/** What a user does. */
function hands(page) {
  const press = (keys) => page.keyboard.press(keys)
  /**
   * Answers what the input at the top asks, once it offers `offered`. It is asked for again where it does not stay: VS Code closes it when anything
   * else takes the focus just then, and a user presses the key again, too.
   */
  const answer = async (opens, text, offered) => {
    const asked = async () => {
      const timeout = PATIENCE / 6
      await press(opens)
      await page.locator('.quick-input-widget:visible input').first().fill(text, { timeout })
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: offered }).waitFor({ timeout })
    }
    await until(
      () => asked().catch(({ message }) => message),
      (message) => message === undefined,
      PATIENCE,
    )
    await press('Enter')
  }
  return {
    press,
    type: (text) => page.keyboard.type(text),
    open: async (name) => {
      await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).dblclick()
      await page.locator('.tab.active', { hasText: name }).waitFor()
      await page.locator('.editor-instance .monaco-editor.focused').waitFor()
    },
    /** Puts the cursor to this line and column, from 1; the status bar must say so. */
    cursor: async (line, column) => {
      await answer('Control+g', `:${line}:${column}`, `Go to line ${line}`)
      await page.locator('.statusbar-item', { hasText: `Ln ${line}, Col ${column}` }).waitFor()
    },
    command: (name) => answer('F1', `>${name}`, name),
  }
}

/** What a user sees. */
function eyes(page) {
  const rows = (inside) => async () => (await page.locator(`${inside} .monaco-list-row:visible`).allInnerTexts()).map((text) => text.replaceAll('\n', ' '))
  // Remarks are set apart by blanks of all kinds.
  const shown = async () => (await page.locator('.editor-instance .view-lines').first().innerText()).replaceAll(/[^!-~]+/g, ' ')
  return {
    rows,
    shown,
    shows: (is) => until(shown, is, PATIENCE),
    lists: (inside, is) => until(rows(inside), is, PATIENCE),
    said: (where, text) => page.locator(`${where}:visible`, { hasText: text }).first().waitFor(),
  }
}
