// Declarations of `tailnet-kit/headscale`. Must not live here: names of one part (`types/`).

export * from './types/headscale.cjs'
export * from './types/credentials.cjs'
export * from './types/errors.cjs'
export { version } from './types/version.cjs'
