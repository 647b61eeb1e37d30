// Lists the built files for the worker that caches them (worker.js). Must not live here: when a cached file is used.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Plugin } from 'vite'

/** Writes `offline.js` beside a built page. Its content changes whenever any file of the page does. */
export const offline: Plugin = {
  name: 'offline',
  apply: 'build',
  enforce: 'post',
  writeBundle({ dir = '' }) {
    const all = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(dir, name)).isFile())
    const files = all
      .map((name) => name.split(sep).join('/'))
      .filter((name) => name !== 'offline.js')
      .sort()
    const hash = createHash('sha256')
    for (const name of files) hash.update(name).update(readFileSync(join(dir, name)))
    const version = hash.digest('hex').slice(0, 16)
    // The folder stands for the page: some hosts redirect index.html to it, and a redirected answer cannot be cached.
    const kept = files.map((name) => (name === 'index.html' ? './' : name))
    const worker = readFileSync(new URL('worker.js', import.meta.url), 'utf8')
    writeFileSync(join(dir, 'offline.js'), `const VERSION = '${version}';\nconst FILES = ${JSON.stringify(kept)};\n${worker}`)
  },
}
