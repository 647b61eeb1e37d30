// Declarations of `tailnet-kit/policy`. Must not live here: names of one part (`types/`).

export * from './types/policy.cjs'
export * from './types/grammar.cjs'
export * from './types/issue.cjs'
export * from './types/errors.cjs'
export { version } from './types/version.cjs'
