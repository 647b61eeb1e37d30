// Apps with elements, built and opened: the examples of `examples/elements`, and what the README shows. Must not live here: what an element shows
// (`tests/js/elements`), guides.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { equal, ok } from '../cases/assert.mjs'
import { FLAGS, PATIENCE, executable, serve } from './browser.mjs'
import { started } from './examples.mjs'
import { built, project } from './templates.mjs'

/** Opens the page after `prepare`, and has `use` do something with it; an error of the page is an error. */
export async function opened(address, use, prepare = () => {}) {
  const browser = await chromium.launch({ executablePath: executable(), args: FLAGS })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE)
    await prepare(page)
    const faults = []
    page.on('pageerror', (error) => faults.push(String(error?.message ?? error)))
    page.on('console', (line) => line.type() === 'error' && !line.text().includes('Failed to load resource') && faults.push(line.text()))
    await page.goto(address)
    await use(page).catch((error) => {
      throw new Error([error.message, ...faults].join('\n'))
    })
    if (faults.length > 0) throw new Error(faults.join('\n'))
  } finally {
    await browser.close()
  }
}

const says = (page, name, words) => page.locator(`tailnet-${name} [role=status]`, { hasText: words }).waitFor()

/** The change is told, a place of it leads to its cell, and an edit of the flow takes it back; judged in a worker. */
async function together(page) {
  await says(page, 'changes', '1 loses access, nobody gains.')
  await says(page, 'access', '1 of 3 sources, 2 destinations')
  await says(page, 'flow', 'Denied: bob@example.com → tag:db:5432 over tcp')
  await page.getByRole('button', { name: 'tag:db 5432' }).click()
  await page.locator('[role=gridcell]:focus', { hasText: 'bob@example.com → tag:db' }).waitFor()
  await page.getByRole('button', { name: 'Use this edit' }).first().click()
  await says(page, 'flow', 'Allowed: bob@example.com → tag:db:5432 over tcp')
  equal(page.workers().length, 1)
}

async function served(app) {
  await built(app)
  const server = await serve(join(app, 'dist'), {})
  return { address: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() }
}

/** The files of `folder`, each in the folder `src` of a project, but for the configuration, which replaces that of the project. */
export const inSource = (folder) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name === 'vite.config.ts' ? name : join('src', name), join(folder, name)]))

const policies = (examples, names) => Object.fromEntries(Object.entries(names).map(([name, from]) => [join('src', name), join(examples, from)]))

/** The example for a framework, in a project of Vite's template for it in TypeScript. */
export async function framework(dir, examples, name) {
  const same = ['before.hujson', 'after.hujson', 'network.json']
  const files = { ...inSource(join(examples, name)), ...policies(examples, Object.fromEntries(same.map((file) => [file, file]))) }
  const { address, stop } = await served(await project(dir, `elements-${name}`, `${name}-ts`, files))
  await opened(address, together).finally(stop)
}

/** The example without a build: `root` has the package in `node_modules`. */
export async function plain(root, path) {
  const server = await serve(root, {})
  await opened(`http://127.0.0.1:${server.address().port}${path}`, together).finally(() => server.close())
}

/** The lines of the README in an empty project of Vite and React, while somebody develops and when it is built; without the elements that they do not name. */
export async function readme(dir, { vite, text, examples }) {
  const [, code] = text.match(/```tsx\n\/\/ src\/main\.tsx[^\n]*\n([\s\S]*?)```/) ?? []
  ok(code, 'the README has lines for an empty project')
  ok(code.split('\n').filter((line) => line.trim() !== '').length <= 10, 'they are ten at most')
  const app = await project(dir, 'empty', 'react-ts', policies(examples, { 'policy.hujson': 'before.hujson', 'policy.new.hujson': 'after.hujson' }))
  writeFileSync(join(app, 'src/main.tsx'), code)
  const use = async (page) => {
    await page.getByText('bob@example.com loses', { exact: false }).waitFor()
    await says(page, 'access', '1 of 3 sources, 2 destinations')
    equal(page.workers().length, 1)
  }
  const { address, stop } = await served(app)
  await opened(address, use).finally(stop)
  const assets = join(app, 'dist/assets')
  const scripts = readdirSync(assets).map((name) => readFileSync(join(assets, name), 'utf8'))
  ok(!scripts.some((script) => script.includes('tailnet-flow')), 'an element that is not named is not there')
  const { base, stop: end } = await started(vite, ['--host', '127.0.0.1', '--port', '0', '--clearScreen', 'false'], app, {})
  await opened(`${base}/`, use).finally(end)
}

/** What a server rendered, taken over by React in the page. */
export async function hydrated(dir, html) {
  const code = `import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import * as elements from 'tailnet-kit/react'
const all = Object.values(elements).map((element, key) => createElement(element, { value: '{}', context: {}, className: 'wide', key }))
hydrateRoot(document.getElementById('root'), all)`
  const app = await project(dir, 'hydrated', 'react', {})
  writeFileSync(join(app, 'src/main.jsx'), code)
  const page = join(app, 'index.html')
  writeFileSync(page, readFileSync(page, 'utf8').replace('<div id="root">', `$&${html.trim()}`))
  const { address, stop } = await served(app)
  await opened(address, (page) => says(page, 'access', '1 source, 1 destination')).finally(stop)
}
