// Tests of a page, whose document is jsdom's. Vitest keeps Node's own `fetch` and `TextDecoder` there. Must not live here: tests without a document.
// @vitest-environment jsdom

import { expect, test } from 'vitest'
import { TailnetClient, policy } from 'tailnet-kit'
import { Sandbox } from 'tailnet-kit/sandbox'

test('a page says what is wrong with a policy', () => {
  document.body.innerHTML = '<output></output>'
  document.querySelector('output')!.textContent = policy.check('{"acls": 1}').message
  expect(document.body.textContent).toContain('array is expected')
})

test('a page lists devices', async () => {
  const { baseURL, fetch } = new Sandbox()
  const client = new TailnetClient({ baseURL, fetch, apiKey: 'tskey-sandbox', tailnet: 'example.com', dangerouslyAllowBrowser: true })
  document.body.textContent = (await client.devices.list()).map(({ name }) => name).join()
  expect(document.body.textContent).toContain('web-1.example.com')
})
