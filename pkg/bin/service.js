// The policy of the service of `pull`, `apply` and `drift`: its address and the credentials, from options and the environment.
// Must not live here: verdicts; a key that comes as an argument.
import { createHash } from 'node:crypto'
import { TailnetClient, federated, oauth } from 'tailnet-kit'
import { written } from './arguments.js'
import { contextOf } from './context.js'
import { dialectOf, dialectWritten } from './dialect.js'
import { Failure } from './failure.js'

/**
 * The policy of the service, by the language that it has: `get()` gives its text and its ETag, `set(text, { ifMatch })` writes, and `known()` gives
 * what the service knows beside it, where it has that. Throws a Failure where an option or a key is missing.
 */
export async function stored(options, dialect, env = process.env) {
  const baseURL = options['base-url'] ?? env.TAILNET_BASE_URL
  if (!baseURL) throw new Failure('which service? --base-url URL or TAILNET_BASE_URL')
  const names = {
    baseURL: options['base-url'] === undefined ? 'TAILNET_BASE_URL' : '--base-url',
    tailnet: options.tailnet === undefined ? 'TAILNET_NAME' : '--tailnet',
    apiKey: 'TAILNET_API_KEY',
    clientId: 'TAILNET_OAUTH_CLIENT_ID',
    clientSecret: 'TAILNET_OAUTH_CLIENT_SECRET',
    idToken: 'TAILNET_ID_TOKEN',
  }
  if (dialect === 'headscale') return ofHeadscale(baseURL, names, env)
  const client = written(names, () => new TailnetClient({ baseURL, tailnet: options.tailnet ?? (env.TAILNET_NAME || '-'), apiKey: keyOf(env) }))
  return { get: () => client.acl.get(), set: (text, how) => client.acl.set(text, how), known: async () => undefined }
}

/** The same of Headscale, which has no ETags: the SHA-256 of a text is its own. */
async function ofHeadscale(baseURL, names, { TAILNET_API_KEY: apiKey }) {
  if (!apiKey) throw new Failure('no key in the environment: TAILNET_API_KEY')
  const { HeadscaleClient, contextFromHeadscale } = await import('tailnet-kit/headscale')
  const client = written(names, () => new HeadscaleClient({ baseURL, apiKey }))
  return {
    async get() {
      const { text } = await client.policy.get()
      return { text, etag: tagOf(text) }
    },
    async set(text, { ifMatch }) {
      const edit = (present) => (tagOf(present) === ifMatch ? text : Promise.reject(new Changed()))
      await client.policy.update(edit, { check: false })
      return { etag: tagOf(text) }
    },
    async known() {
      const [users, nodes] = await Promise.all([client.users.list(), client.nodes.list()])
      return contextFromHeadscale({ users, nodes })
    },
  }
}

/** The service of the policy `acl` in a file, and the context in which it is judged there: what `--devices` knows, else what the service does. */
export async function serving(values, file, acl) {
  const given = await contextOf(values, file)
  const service = await stored(values, dialectOf(values.dialect, file, given?.dialect) ?? dialectWritten(acl))
  return { service, context: values.devices === undefined ? ((await service.known()) ?? given) : given }
}

/** The policy is not the one that was read. */
export class Changed extends Error {}

const tagOf = (text) => `"${createHash('sha256').update(text).digest('hex')}"`

function keyOf({ TAILNET_API_KEY: key, TAILNET_OAUTH_CLIENT_ID: clientId, TAILNET_OAUTH_CLIENT_SECRET: clientSecret, TAILNET_ID_TOKEN: idToken }) {
  if (key) return key
  if (clientSecret) return oauth({ clientSecret, ...(clientId && { clientId }) })
  if (clientId && idToken) return federated({ clientId, idToken })
  throw new Failure('no key in the environment: TAILNET_API_KEY, or TAILNET_OAUTH_CLIENT_ID with TAILNET_OAUTH_CLIENT_SECRET or TAILNET_ID_TOKEN')
}

/** The file in which `pull` keeps the ETag of a policy for `apply`. */
export const etagFile = (file) => `${file}.etag`
