// Elements where there is no page, as on a server that renders. Must not live here: what elements show.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'

test('to import elements does nothing and does not throw, as a module and as CommonJS', async () => {
  const before = Object.keys(globalThis).length
  for (const entry of [
    'tailnet-kit/elements',
    'tailnet-kit/elements/admin',
    'tailnet-kit/elements/preview',
    'tailnet-kit/elements/tests',
    'tailnet-kit/elements/conflict',
    'tailnet-kit/elements/save',
    'tailnet-kit/elements/share',
    'tailnet-kit/elements/link',
    'tailnet-kit/elements/together',
    'tailnet-kit/elements/policy',
  ]) {
    const [module, common] = [await import(entry), createRequire(import.meta.url)(entry)]
    assert.deepEqual(Object.keys(module), Object.keys(common))
  }
  assert.equal(Object.keys(globalThis).length, before)
})
