// The entry `tailnet-kit/cidr`. Must not live here: anything but re-exporting.

export * as cidr from '../cidr.js'
export * as dns from '../dns.js'
export * as routes from '../routes.js'
export * from './errors.js'
