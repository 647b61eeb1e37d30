// The entry `tailnet-kit/headscale`. Must not live here: anything but re-exporting.

export * from './errors.js'
export { HeadscaleClient, contextFromHeadscale } from '../headscale.js'
