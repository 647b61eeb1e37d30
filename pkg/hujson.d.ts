// Declarations of `tailnet-kit/hujson`. Must not live here: names of one part (`types/`).

export * from './types/hujson.js';
export * from './types/issue.js';
export * from './types/errors.js';
export { version } from './types/version.js';
