/**
 * Tests of a page, whose document is jsdom's. Must not live here: tests without a document, or of calls.
 *
 * @jest-environment jsdom
 */

import { policy } from 'tailnet-kit'

test('a page says what is wrong with a policy', () => {
  document.body.innerHTML = '<output></output>'
  document.querySelector('output')!.textContent = policy.check('{"acls": 1}').message
  expect(document.body.textContent).toContain('array is expected')
})
