// The declarations of the sandbox and the gateway, used as a user would. Never run. Must not live here: what they answer.

import * as kit from 'tailnet-kit'
import { createGateway, type GatewayOptions } from 'tailnet-kit/gateway'
import { Sandbox, type SandboxOptions, type SandboxState } from 'tailnet-kit/sandbox'
import { is } from './is.mjs'

export async function service(): Promise<void> {
  const state: SandboxState = {
    tailnets: {
      'example.com': {
        devices: [{ id: '1' }],
        acl: '{}',
        dns: { nameservers: [], magicDNS: false, searchPaths: [] },
        users: [{ loginName: 'alice@example.com', role: 'owner' }],
      },
    },
  }
  const given: SandboxOptions = { tailnet: ['example.com'], apiKey: 'key', state, now: Date.now, deliver: (request) => void request.url, lists: 'absent' }
  const box = new Sandbox(given)
  box.restore(box.snapshot())
  await box.settled()
  for (const { status, events } of box.deliveries)
    for (const event of events) if (event.type === 'nodeDeleted') is<[number | null, string | undefined]>()([status, event.data?.nodeID])
  is<Response>()(await box.fetch(`${box.baseURL}/api/v2/device/1`, { method: 'DELETE' }))
  new kit.TailnetClient({ baseURL: box.baseURL, fetch: box.fetch, apiKey: 'key' })

  const gate: GatewayOptions = {
    baseURL: box.baseURL,
    apiKey: () => 'key',
    tailnet: 'example.com',
    allow: ['devices.list'],
    authorize: async (request, operation) => request.url !== operation,
    origins: ['https://dashboard.example.com'],
    prefix: '/api',
    fetch: box.fetch,
  }
  is<Response>()(await createGateway(gate)(new Request('https://edge.example.com/api')))
  const groups: kit.OperationGroup[] = ['devices.*', 'devices.attributes.read', '*.read']
  const names: kit.OperationName[] = ['webhooks.rotateSecret', 'devices.setName']
  const strict: GatewayOptions = {
    ...gate,
    apiKey: kit.oauth({ clientSecret: 'secret' }),
    allow: [...names, ...groups],
    authorizeTimeout: 1000,
    maxResponseBytes: 1024,
  }
  is<Response>()(await createGateway(async () => strict)(new Request('https://edge.example.com/api')))
  // @ts-expect-error a misspelt operation
  createGateway({ ...gate, allow: ['devices.lst'] })
  // @ts-expect-error a misspelt group
  createGateway({ ...gate, allow: ['device.*'] })
  // @ts-expect-error a misspelt operation in a comparison
  createGateway({ ...gate, authorize: (_, operation) => operation === 'acl.gett' })
  // @ts-expect-error a misspelt option
  createGateway({ ...gate, authorise: () => true })
}
