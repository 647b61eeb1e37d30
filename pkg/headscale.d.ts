// Declarations of `tailnet-kit/headscale`. Must not live here: names of one part (`types/`).
//
// To import the entry brings the dialect of Headscale to the other entries: policies are judged in it wherever the context has
// `dialect: 'headscale'`. `tailnet-kit` has it already, and Node loads it at the first such call; elsewhere `tailnet-kit/policy` and
// `tailnet-kit/language` throw `invalid_argument` at such a call until this was imported.

export * from './types/headscale.cjs'
export * from './types/credentials.cjs'
export * from './types/errors.cjs'
export { version } from './types/version.cjs'
