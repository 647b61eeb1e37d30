// The example for Electron without Electron, all of which no package registry has: its main process and its preload script run in Node with
// a stand-in for the module, its window is a page of Chromium. Must not live here: what is asserted.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { FLAGS, executable } from './browser.mjs'
import { run } from './project.mjs'

/** The module `electron` as far as the example asks for it. What passes between the processes is cloned, as there. */
const STAND_IN = `const handlers = new Map()
exports.app = { whenReady: async () => {} }
exports.ipcMain = { handle: (name, answer) => handlers.set(name, answer) }
exports.ipcRenderer = { invoke: async (name, ...args) => structuredClone(await handlers.get(name)({}, ...structuredClone(args))) }
exports.contextBridge = { exposeInMainWorld: (name, api) => (exports.shown.exposed[name] = api) }
exports.shown = { exposed: {} }
exports.BrowserWindow = class {
  constructor({ webPreferences }) { this.preload = webPreferences.preload }
  async loadFile(file) { require(this.preload); exports.shown.file = file }
}
`
const TYPES = { '.html': 'text/html', '.js': 'text/javascript' }

/** Compiles and starts the app in `dir`, in a project that has the package, and calls `check` with its window: a page that has what the preload script exposes. */
export async function electron(project, dir, { env, tsc }, check) {
  // By the declarations of Electron, which lie above the project; the stand-in has none.
  await run(dir, tsc)
  mkdirSync(join(project, 'node_modules/electron'), { recursive: true })
  writeFileSync(join(project, 'node_modules/electron/index.js'), STAND_IN)
  Object.assign(process.env, env)
  try {
    await import(pathToFileURL(join(dir, 'dist/main.js')).href)
  } finally {
    for (const name of Object.keys(env)) delete process.env[name]
  }
  await shown(dir, createRequire(join(dir, 'main.js'))('electron').shown, check)
}

async function shown(dir, { file, exposed }, check) {
  const server = createServer(({ url }, response) => {
    const type = TYPES[extname(url)]
    if (type === undefined) return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': type }).end(readFileSync(join(dir, url)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
  try {
    const page = await browser.newPage()
    await page.exposeFunction('ask', (api, name, ...args) => exposed[api][name](...args))
    await page.addInitScript(
      (apis) => {
        for (const [api, names] of apis) globalThis[api] = Object.fromEntries(names.map((name) => [name, (...args) => globalThis.ask(api, name, ...args)]))
      },
      Object.entries(exposed).map(([api, { ...functions }]) => [api, Object.keys(functions)]),
    )
    await page.goto(`http://127.0.0.1:${server.address().port}/${file}`)
    await check(page)
  } finally {
    await browser.close()
    server.close()
  }
}
