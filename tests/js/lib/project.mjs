// Fresh projects with the tarball installed, and programs run in them. Must not live here: what is run.

import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tables } from './tables.mjs'

export const HERE = join(dirname(fileURLToPath(import.meta.url)), '..')
export const tool = (name) => join(HERE, 'node_modules/.bin', name)

/** The temporary directory of this process and the programs it runs, deleted when it ends or is interrupted. */
const temporary = mkdtempSync(join(tmpdir(), 'tailnet-kit-'))
const running = new Set()
process.on('exit', () => {
  // A child that runs on would write its files again.
  for (const child of running) child.kill('SIGKILL')
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

/** An empty folder; no folder above it has anything that a program could find by accident. */
export const folder = () => mkdtempSync(join(temporary, 'project-'))

/** The project that npm makes with the tarball as the only dependency. It takes seconds and is the same each time, so it is made once. */
let installed
async function install(tarball) {
  const dir = folder()
  writeFileSync(join(dir, 'package.json'), '{ "private": true, "type": "module" }')
  await run(dir, 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball])
  return dir
}

/** A new project: the tarball as its only dependency, the shared cases with their tables, and the given files. */
export async function project(tarball, files = {}, dir = folder()) {
  cpSync(await (installed ??= install(tarball)), dir, { recursive: true, verbatimSymlinks: true })
  for (const shared of ['project', 'cases']) cpSync(join(HERE, shared), shared === 'project' ? dir : join(dir, shared), { recursive: true })
  for (const [name, text] of Object.entries({ 'cases/tables.mjs': tables(), ...files })) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  return dir
}

/** Runs a program and resolves with what it printed; with `shown` the output is printed as it comes. Where it fails, its standard error is the message. */
export function run(cwd, command, args = [], { ok = [0], env = {}, shown = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, TMPDIR: temporary, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    const said = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (text) => {
        said[stream] += text
        if (shown) process[stream].write(text)
      })
    child.on('error', (error) => reject(new Error(`\`${command}\` cannot be run: ${error.message}`)))
    child.on('close', (code) => {
      running.delete(child)
      if (ok.includes(code)) return resolve(said.stdout)
      reject(new Error(`\`${command} ${args.join(' ')}\` ended with ${code}\n${(said.stderr + said.stdout).trim().slice(-3000)}`))
    })
  })
}

/** The outcomes that a project's program printed as its last line. */
export const outcomes = (stdout) => JSON.parse(stdout.trim().split('\n').at(-1))
