// Small apps built by each bundler: which wasm files are in them, each once, and which load later. Must not live here: the apps, how a bundler is called.

import { join } from 'node:path'
import { equal } from '../cases/assert.mjs'
import { APPS, appFiles, wasmIn } from '../lib/apps.mjs'
import { BUNDLERS } from '../lib/bundlers.mjs'
import { project } from '../lib/project.mjs'

/** What each app loads at once, and later. */
const WANTED = {
  nothing: [[], []],
  error: [[], []],
  cidr: [['cidr'], []],
  hujson: [['hujson'], []],
  edit: [['edit'], []],
  policy: [['check'], []],
  review: [['policy'], []],
  dialect: [['check', 'dialect'], []],
  both: [['check', 'dialect'], []],
  client: [['client'], ['check']],
  headscale: [['dialect', 'headscale'], ['check']],
  gateway: [['gateway'], []],
}

/** What a namespace has that is kept whole; in `tailnet-kit` it has every dialect. */
const ALL = ['check', 'dialect', 'edit', 'policy']
const WHOLE = {
  hujson: [['hujson', 'json5'], []],
  ...Object.fromEntries(['policy', 'review'].map((app) => [app, [ALL.filter((file) => file !== 'dialect'), []]])),
  ...Object.fromEntries(['edit', 'dialect', 'both'].map((app) => [app, [ALL, []]])),
}

/** Exceptions: these bundlers keep namespaces whole, and esbuild makes one file. */
const OTHERWISE = {
  Parcel: WHOLE,
  esbuild: { ...WHOLE, client: [['check', 'client'], []], headscale: [['check', 'dialect', 'headscale'], []] },
}

export default async ({ tarball }) => {
  const dir = await project(tarball, appFiles())
  const pkg = join(dir, 'node_modules/tailnet-kit')
  const outcomes = []
  for (const [bundler, bundle] of Object.entries(BUNDLERS)) {
    for (const app of Object.keys(APPS).filter((app) => app in WANTED)) {
      const name = `${bundler}: an app that uses ${app}`
      try {
        const { now, later } = await bundle(dir, `${app}.mjs`)
        equal([wasmIn(pkg, now), wasmIn(pkg, later)], OTHERWISE[bundler]?.[app] ?? WANTED[app])
        outcomes.push({ name, error: null })
      } catch (error) {
        outcomes.push({ name, error: String(error?.message ?? error) })
      }
    }
  }
  return outcomes
}
