// The libraries of `tests/js`, for modules of the package that import them by name. Must not live here: tests.

import { symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

export const TESTS = process.env.TAILNET_KIT_TESTS
export const tool = createRequire(join(TESTS, 'package.json'))
export const { until } = await import(join(TESTS, 'lib/until.mjs'))

/** Puts a library where the installed package finds it. */
export function linked(name) {
  const place = join(process.cwd(), 'node_modules', name)
  try {
    symlinkSync(join(TESTS, 'node_modules', name), place)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}
