// The entry `tailnet-kit`: every name of the kit but the sandbox and the gateway. Must not live here: anything but re-exporting.

export * as cidr from '../cidr.js'
export { TailnetClient } from '../client.js'
export { federated, oauth } from '../credentials.js'
export * as dns from '../dns.js'
export * as hujson from '../hujson.js'
export { policy } from '../kit.js'
export * as routes from '../routes.js'
export * from './errors.js'
export { verifyWebhook } from '../webhook.js'
