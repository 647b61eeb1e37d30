// Declarations of `tailnet-kit/client`. Must not live here: names of one part (`types/`).

export * from './types/client.cjs'
export * from './types/credentials.cjs'
export * from './types/wire.cjs'
export * from './types/admin.cjs'
export * from './types/webhooks.cjs'
export * from './types/deliveries.cjs'
export * from './types/services.cjs'
export * from './types/logs.cjs'
export * from './types/posture.cjs'
export * from './types/operation.cjs'
export * from './types/errors.cjs'
export { version } from './types/version.cjs'
