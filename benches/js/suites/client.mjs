// The client: what it adds to fetch and the engine's own JSON reader. Must not live here: a network; the bytes are in memory.

import { TailnetClient } from 'tailnet-kit'
import { devices as makeDevices } from '../lib/policies.mjs'
import { ratio, same } from '../lib/suite.mjs'

export default ({ quick }) => {
  const counts = quick ? [100, 1_000] : [100, 10_000]
  return [
    {
      title: 'devices.list: ratio to `await response.json()` of the same bytes (less is better)',
      unit: 'devices',
      columns: ['tailnet-kit'],
      rows: counts.map((count) => ({
        input: count.toLocaleString('en'),
        target: count === 10_000 ? { node: { atMost: 1.15 }, chromium: { atMost: 1.15 } } : undefined,
        prepare: () => prepare(count),
      })),
    },
  ]
}

function prepare(count) {
  const devices = makeDevices(count)
  const bytes = new TextEncoder().encode(JSON.stringify({ devices }))
  const answer = () => new Response(bytes, { headers: { 'content-type': 'application/json' } })
  const client = new TailnetClient({
    baseURL: 'http://127.0.0.1/',
    tailnet: 'example.com',
    apiKey: 'tskey-bench',
    dangerouslyAllowBrowser: true,
    fetch: async () => answer(),
  })
  const list = async () => {
    const found = await client.devices.list({ fields: 'all' })
    if (found.length !== count) same(found, devices, 'devices.list')
    return found
  }
  return { value: ratio, candidates: { baseline: async () => (await answer().json()).devices, 'tailnet-kit': list } }
}
