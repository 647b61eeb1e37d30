// Tests of a policy and of a program that calls the service, by Vitest in its own environment, `node`. Must not live here: tests of pages.

import { expect, test } from 'vitest'
import { TailnetClient, policy } from 'tailnet-kit'
import { Sandbox } from 'tailnet-kit/sandbox'

test('developers reach the web servers', () => {
  const text = '{"tagOwners": {"tag:web": []}, "acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web:443"]}]}'
  expect(policy.explain(text, { from: 'ann@example.com', to: 'tag:web:443' }).verdict).toBe('allowed')
})

test('a device gets another name', async () => {
  const { baseURL, fetch } = new Sandbox()
  const client = new TailnetClient({ baseURL, fetch, apiKey: 'tskey-sandbox', tailnet: 'example.com' })
  const [device] = await client.devices.list()
  await client.devices.setName(device.id, 'desk')
  expect((await client.devices.get(device.id)).name).toBe('desk.example.com')
})
