// Elements where there is no page, as on a server that renders. Must not live here: what elements show.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'

test('to import elements does nothing and does not throw, as a module and as CommonJS', async () => {
  const before = Object.keys(globalThis).length
  const [module, common] = [await import('tailnet-kit/elements'), createRequire(import.meta.url)('tailnet-kit/elements')]
  assert.deepEqual(Object.keys(module), Object.keys(common))
  assert.equal(Object.keys(globalThis).length, before)
})
