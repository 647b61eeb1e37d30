// The entry `tailnet-kit/client`. Must not live here: anything but re-exporting.

export { TailnetClient } from '../client.js'
export { federated, oauth } from '../credentials.js'
export * from './errors.js'
export { verifyWebhook } from '../webhook.js'
