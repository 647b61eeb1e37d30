// Declarations of `tailnet-kit`. Must not live here: names of one part (`types/`), or of another entry.

export * from './types/client.cjs';
export * from './types/credentials.cjs';
export * from './types/wire.cjs';
export * from './types/admin.cjs';
export * from './types/webhooks.cjs';
export * from './types/services.cjs';
export * from './types/logs.cjs';
export * from './types/posture.cjs';
export * from './types/hujson.cjs';
export * from './types/issue.cjs';
export * from './types/policy.cjs';
export * from './types/cidr.cjs';
export * from './types/errors.cjs';
export * from './types/deliveries.cjs';
export * from './types/operation.cjs';
export { version } from './types/version.cjs';
