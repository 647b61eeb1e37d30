// The declarations of Headscale's client, used as a user would. Never run. Must not live here: what a server answers.

import * as kit from 'tailnet-kit'
import { createGateway } from 'tailnet-kit/gateway'
import {
  HeadscaleClient,
  type HeadscaleApiKey,
  type HeadscaleNode,
  type HeadscaleOperationGroup,
  type HeadscaleOperationName,
  type HeadscalePreAuthKey,
  type HeadscaleUser,
  contextFromHeadscale,
} from 'tailnet-kit/headscale'
import { is } from './is.mjs'

export async function server(): Promise<void> {
  const client = new HeadscaleClient({ baseURL: 'https://headscale.example.com', apiKey: () => 'hskey-api-a-b', maxRetries: 0 })
  is<{ version: string | null; api: '0.28' | '0.29' | '0.30' }>()(await client.version({ timeout: 1000 }))
  const nodes = await client.nodes.list({ user: 'alice' })
  is<HeadscaleNode[]>()(nodes)
  is<HeadscaleNode>()(await client.nodes.expire('1', null))
  is<HeadscaleNode>()(await client.nodes.expire('1', new Date(), { maxRetries: 0 }))
  is<void>()(await client.nodes.delete('1'))
  is<HeadscaleNode>()(await client.nodes.setApprovedRoutes('1', ['10.0.0.0/8']))
  const users = await client.users.list({ email: 'alice@example.com' })
  is<HeadscaleUser[]>()(users)
  is<HeadscalePreAuthKey>()(await client.preAuthKeys.create({ user: '1', expiration: new Date(), aclTags: ['tag:web'] }))
  is<HeadscaleApiKey[]>()(await client.apiKeys.list())
  is<string>()(await client.apiKeys.create())
  is<{ text: string; updatedAt: string | null }>()(await client.policy.get())
  is<void>()(await client.policy.check('{}'))
  const { data, response } = await client.policy.update(async (text) => text, { check: kit.policy.check, signal: new AbortController().signal }).withResponse()
  is<[string, number]>()([data.text, response.status])
  is<HeadscaleNode>()(await client.auth.register({ user: 'alice', authId: 'abc' }))
  is<{ databaseConnectivity: boolean }>()(await client.health())
  is<{ changes: string[] }>()(await client.request<{ changes: string[] }>('POST', '/api/v1/node/backfillips', { query: { confirmed: 'true' } }))
  is<HeadscaleClient>()(client.withOptions({ timeout: 0 }))
  const context = contextFromHeadscale({ users, nodes })
  is<kit.PolicyContext>()(context)
  is<boolean>()(kit.policy.check('{}', context).accepted)
  client.close()

  const allow: (HeadscaleOperationName | HeadscaleOperationGroup)[] = ['nodes.setTags', 'nodes.*', 'policy.read', '*.read', '*.*']
  createGateway({
    baseURL: 'https://headscale.example.com',
    apiKey: 'hskey-api-a-b',
    tailnet: '-',
    service: 'headscale',
    allow,
    authorize: (_, operation) => operation === 'policy.check',
  })
  // @ts-expect-error a service that is none
  createGateway({ baseURL: '', apiKey: '', tailnet: '-', authorize: () => true, service: 'heedscale' })
  // @ts-expect-error ids are texts
  client.nodes.get(7)
  // @ts-expect-error a misspelt parameter
  client.nodes.list({ users: 'alice' })
  // @ts-expect-error a misspelt member
  client.users.create({ name: 'bob', mail: 'bob@example.com' })

  const { text, lost, sameAccess } = kit.policy.translate('{}', context, { to: 'tailscale', logins: { alice: 'alice@example.com' } })
  is<[string, string | undefined, boolean | null]>()([text, lost[0]?.why, sameAccess])
  is<kit.Translation>()(kit.policy.open('{}').translate({ to: 'headscale' }))
  // @ts-expect-error it says which
  kit.policy.translate('{}', context, {})
}
