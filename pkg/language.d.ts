// Declarations of `tailnet-kit/language`. Must not live here: names of one part (`types/`).

export * from './types/language.cjs'
export * from './types/issue.cjs'
export * from './types/errors.cjs'
export { version } from './types/version.cjs'
