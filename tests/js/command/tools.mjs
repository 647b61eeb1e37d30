// What the tests of the command share: tools of `tests/js`, which the project under test lacks, and snapshots.
// Must not live here: tests.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder `tests/js` of the repository, and the repository. */
export const TESTS = process.env.TAILNET_KIT_TESTS
export const REPOSITORY = join(TESTS, '../..')
export const tool = createRequire(join(TESTS, 'package.json'))
export const HERE = dirname(fileURLToPath(import.meta.url))

/**
 * Compares with `snapshots/NAME`, in which VERSION stands for that of the package. `TAILNET_KIT_SNAPSHOTS=write` writes snapshots that are
 * missing or differ: read the difference before you commit it.
 */
export function snapshot(name, actual) {
  const { version } = JSON.parse(readFileSync('node_modules/tailnet-kit/package.json', 'utf8'))
  const text = actual.replaceAll(`"version": "${version}"`, '"version": "VERSION"')
  const kept = join(TESTS, 'command/snapshots', name)
  if (process.env.TAILNET_KIT_SNAPSHOTS === 'write') writeFileSync(kept, text)
  assert.ok(existsSync(kept), `no snapshot ${name}`)
  assert.equal(text, readFileSync(kept, 'utf8'), name)
}
