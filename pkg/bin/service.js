// The service of `pull`, `apply` and `drift`: its address and the credentials, from options and the environment.
// Must not live here: the calls; a key that comes as an argument.
import { TailnetClient, federated, oauth } from 'tailnet-kit'
import { written } from './arguments.js'
import { Failure } from './failure.js'

/** A client of the service. Throws a Failure where an option or a key is missing. */
export function clientOf(options, env = process.env) {
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
  return written(names, () => new TailnetClient({ baseURL, tailnet: options.tailnet ?? (env.TAILNET_NAME || '-'), apiKey: keyOf(env) }))
}

function keyOf({ TAILNET_API_KEY: key, TAILNET_OAUTH_CLIENT_ID: clientId, TAILNET_OAUTH_CLIENT_SECRET: clientSecret, TAILNET_ID_TOKEN: idToken }) {
  if (key) return key
  if (clientSecret) return oauth({ clientSecret, ...(clientId && { clientId }) })
  if (clientId && idToken) return federated({ clientId, idToken })
  throw new Failure('no key in the environment: TAILNET_API_KEY, or TAILNET_OAUTH_CLIENT_ID with TAILNET_OAUTH_CLIENT_SECRET or TAILNET_ID_TOKEN')
}

/** The file in which `pull` keeps the ETag of a policy for `apply`. */
export const etagFile = (file) => `${file}.etag`
