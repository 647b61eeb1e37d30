// Declarations of `tailnet-kit/client`. Must not live here: names of one part (`types/`).

export * from './types/client.js';
export * from './types/credentials.js';
export * from './types/wire.js';
export * from './types/admin.js';
export * from './types/webhooks.js';
export * from './types/deliveries.js';
export * from './types/services.js';
export * from './types/logs.js';
export * from './types/posture.js';
export * from './types/operation.js';
export * from './types/errors.js';
export { version } from './types/version.js';
