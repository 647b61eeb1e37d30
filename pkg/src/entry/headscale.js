// The entry `tailnet-kit/headscale`: its client, and its dialect by being imported. Must not live here: what either does.

import { knowing } from '../dialect.js'

knowing()

export * from './errors.js'
export { HeadscaleClient, contextFromHeadscale } from '../headscale-client.js'
