// When and how a wasm file starts: in Node, in a page that forbids it, in a page that lacks a part. Must not live here: what is asserted.

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { inChromium } from '../lib/browser.mjs'
import { outcomes, project, run } from '../lib/project.mjs'

/** The cases with the kit as these entries give it together. */
const inNode = (...entries) => `import { cases, counting } from './cases/start.mjs'
import { run } from './cases/index.mjs'
const counted = counting()
const kit = Object.assign({}, ${entries.map((entry) => `await import('tailnet-kit${entry}')`).join(', ')})
console.log(JSON.stringify(await run(cases({ kit, counted }))))
`
const WHOLE = inNode('')
const ENTRIES = inNode('/cidr', '/hujson', '/policy', '/client')
const FORBIDDEN = `import { TailnetClient, cidr, policy } from 'tailnet-kit'
import { forbidden } from './cases/start.mjs'
import { run } from './cases/index.mjs'
globalThis.outcomes = await run(forbidden({ kit: { TailnetClient, cidr, policy } }))
`
const WITHOUT_POLICY = `import { TailnetClient } from 'tailnet-kit'
import { unreachable } from './cases/start.mjs'
import { run } from './cases/index.mjs'
globalThis.outcomes = await run(unreachable({ kit: { TailnetClient } }))
`
const html = (program) => `<!doctype html>\n<script type="module" src="./${program}"></script>`
const FORBIDDING = { 'content-security-policy': "script-src 'self'" }

async function page(tarball, program, code) {
  const dir = await project(tarball, { 'index.html': html(program), [program]: code })
  await build({ root: dir, configFile: false, logLevel: 'error', build: { chunkSizeWarningLimit: 10_000, modulePreload: false } })
  return join(dir, 'dist')
}

export default async ({ tarball }) => {
  const dir = await project(tarball, { 'whole.mjs': WHOLE, 'entries.mjs': ENTRIES })
  const whole = outcomes(await run(dir, process.execPath, ['whole.mjs']))
  const entries = outcomes(await run(dir, process.execPath, ['entries.mjs']))
  const forbidden = await page(tarball, 'forbidden.mjs', FORBIDDEN)
  const incomplete = await page(tarball, 'alone.mjs', WITHOUT_POLICY)
  for (const chunk of readdirSync(join(incomplete, 'assets')).filter((name) => name.startsWith('verbs'))) rmSync(join(incomplete, 'assets', chunk))
  return [...whole, ...entries, ...(await inChromium(forbidden, '/', FORBIDDING)), ...(await inChromium(incomplete))]
}
