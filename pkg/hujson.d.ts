// Declarations of `tailnet-kit/hujson`. Must not live here: names of one part (`types/`).

export * from './types/hujson.cjs'
export * from './types/issue.cjs'
export * from './types/errors.cjs'
export { version } from './types/version.cjs'
