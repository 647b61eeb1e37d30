// Headscale as the page uses it: its policy, its network, and a server in this page. Must not live here: a view.
import type { AclText } from 'tailnet-kit/slim'
import { ConflictError, HeadscaleClient, type HeadscaleClientOptions, type HeadscaleStoredPolicy, contextFromHeadscale } from 'tailnet-kit/headscale'
import { HeadscaleSandbox, type HeadscaleSandboxState } from 'tailnet-kit/sandbox'
import type { Service } from './connection.js'

/** A text is its own ETag: a server keeps whatever is written last, so a write begins with a look at what is stored. */
const aclOf = ({ text }: HeadscaleStoredPolicy): AclText => ({ format: 'hujson', text, etag: text })

export function headscale(options: HeadscaleClientOptions): Service {
  const client = new HeadscaleClient(options)
  const { nodes, users, policy } = client
  // The page judges while one types, and the server judges once more.
  const update = async (edit: (text: string) => string | Promise<string>) => aclOf(await policy.update(edit, { check: false }))
  const set = (text: string, { ifMatch }: { ifMatch: string }) =>
    update((stored) => {
      if (stored !== ifMatch) throw new ConflictError('Somebody else has saved another policy meanwhile.')
      return text
    })
  const network = async () => contextFromHeadscale({ nodes: await nodes.list(), users: await users.list() })
  return { client, network, acl: { get: async () => aclOf(await policy.get()), update, set } }
}

/** A server in this page, with what it holds for after a reload; `begun` is the policy of a new one. */
export function inPage(state?: HeadscaleSandboxState) {
  const [box, begun] = [new HeadscaleSandbox(state && { state }), new HeadscaleSandbox().snapshot().policy]
  return { box, begun }
}
