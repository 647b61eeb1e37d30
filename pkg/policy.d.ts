// Declarations of `tailnet-kit/policy`. Must not live here: names of one part (`types/`).

export * from './types/policy.js';
export * from './types/issue.js';
export * from './types/errors.js';
export { version } from './types/version.js';
