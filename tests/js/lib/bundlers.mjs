// Builds an app of one file with each bundler as its documentation says, without a setting for wasm or for this package. Must not
// live here: the apps, what is asserted.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import nodeResolve from '@rollup/plugin-node-resolve'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { build as vite } from 'vite'
import webpack from 'webpack'
import { Parcel } from '@parcel/core'

const PARCEL = fileURLToPath(import.meta.resolve('@parcel/config-default'))

/** Each returns as texts the code that a page loads at once, and the code that it loads later, if any. */
export const BUNDLERS = {
  async Vite(dir, entry) {
    const options = { minify: true, write: false, chunkSizeWarningLimit: 10_000, modulePreload: false, rollupOptions: { input: join(dir, entry) } }
    const { output } = await vite({ root: dir, configFile: false, logLevel: 'error', build: options })
    return sorted(output)
  },
  async Rollup(dir, entry) {
    const bundle = await rollup({ input: join(dir, entry), plugins: [nodeResolve({ browser: true })], logLevel: 'silent' })
    return sorted((await bundle.generate({ format: 'es' })).output)
  },
  async rolldown(dir, entry) {
    const bundle = await rolldown({ input: join(dir, entry), cwd: dir, platform: 'browser', logLevel: 'silent' })
    return sorted((await bundle.generate({ format: 'es' })).output)
  },
  async webpack(dir, entry) {
    const out = join(dir, `webpack-${entry}`)
    const options = {
      mode: 'production',
      target: ['web', 'es2022'],
      context: dir,
      entry: join(dir, entry),
      output: { path: out, filename: 'main.js' },
      performance: { hints: false },
    }
    const stats = await new Promise((resolve, reject) => webpack(options, (error, done) => (error ? reject(error) : resolve(done))))
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }))
    return filesOf(out, (name) => name === 'main.js')
  },
  /** Into one file, as it is mostly used, with the later imports in it. */
  async esbuild(dir, entry) {
    const { outputFiles } = await esbuild({
      absWorkingDir: dir,
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      minify: true,
      write: false,
      logLevel: 'silent',
    })
    return { now: outputFiles.map((file) => file.text), later: [] }
  },
  async Parcel(dir, entry) {
    const out = join(dir, `parcel-${entry}`)
    const targets = {
      app: {
        distDir: out,
        context: 'browser',
        outputFormat: 'esmodule',
        includeNodeModules: true,
        optimize: true,
        engines: { browsers: 'last 1 Chrome version' },
      },
    }
    const options = {
      entries: join(dir, entry),
      defaultConfig: PARCEL,
      projectRoot: dir,
      shouldDisableCache: true,
      mode: 'production',
      targets,
      logLevel: 'none',
      defaultTargetOptions: { shouldScopeHoist: true, sourceMaps: false },
    }
    await new Parcel(options).run()
    return filesOf(out, (name) => name.startsWith(entry.replace(/\.\w+$/, '')))
  },
}

/** Sorts the chunks of Rollup and the like: the entry with its static imports, and the rest. */
function sorted(output) {
  const chunks = new Map(output.filter((file) => file.type === 'chunk').map((chunk) => [chunk.fileName, chunk]))
  const now = new Set()
  const visit = (name) => {
    if (now.has(name) || !chunks.has(name)) return
    now.add(name)
    chunks.get(name).imports.forEach(visit)
  }
  for (const { fileName, isEntry } of chunks.values()) if (isEntry) visit(fileName)
  const codes = (wanted) => [...chunks.values()].filter(({ fileName }) => now.has(fileName) === wanted).map(({ code }) => code)
  return { now: codes(true), later: codes(false) }
}

function filesOf(dir, isNow) {
  const names = readdirSync(dir).filter((name) => name.endsWith('.js'))
  const codes = (wanted) => names.filter((name) => isNow(name) === wanted).map((name) => readFileSync(join(dir, name), 'utf8'))
  return { now: codes(true), later: codes(false) }
}
