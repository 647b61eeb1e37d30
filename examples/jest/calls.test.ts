/**
 * Tests of a page that calls a service. Must not live here: what jsdom leaves out.
 *
 * @jest-environment ./environment.ts
 */

import { TailnetClient } from 'tailnet-kit'
import { Sandbox } from 'tailnet-kit/sandbox'

test('a page lists devices', async () => {
  const { baseURL, fetch } = new Sandbox()
  const client = new TailnetClient({ baseURL, fetch, apiKey: 'tskey-sandbox', tailnet: 'example.com', dangerouslyAllowBrowser: true })
  document.body.textContent = (await client.devices.list()).map(({ name }) => name).join()
  expect(document.body.textContent).toContain('web-1.example.com')
})
