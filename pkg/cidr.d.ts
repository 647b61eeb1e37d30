// Declarations of `tailnet-kit/cidr`. Must not live here: names of one part (`types/`).

export * from './types/cidr.cjs'
export * from './types/errors.cjs'
export { version } from './types/version.cjs'
