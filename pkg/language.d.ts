// Declarations of `tailnet-kit/language`. Must not live here: names of one part (`types/`).

export * from './types/language.js';
export * from './types/issue.js';
export * from './types/errors.js';
export { version } from './types/version.js';
